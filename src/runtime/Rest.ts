import { Duration, Effect, Schedule } from "effect"
import { workedSoFar } from "./Scheduling.ts"

/** How long after a start its memory is released: most libraries' indexes are loaded by then. */
const START_IS_OVER = Duration.seconds(5)
/** How often a thread looks whether it rests. */
const LOOK = Duration.seconds(20)
/** Processor time between two looks, in milliseconds, below which a thread rests: what its timers need. */
const RESTING = 200
/** Processor time, in milliseconds, after which a thread has something to release. */
const WORKED = 1_000

/** Releases what work of the calling thread leaves behind, each time that the thread rests after it has worked. */
export const whenResting = (release: Effect.Effect<unknown>, worked = workedSoFar) =>
  Effect.suspend(() => {
    let last = worked()
    let released = last
    const look = Effect.suspend(() => {
      const now = worked()
      const rests = now - last < RESTING
      last = now
      if (!rests || now - released < WORKED) return Effect.void
      return Effect.tap(release, () => {
        last = worked()
        released = last
      })
    })
    return Effect.repeat(look, Schedule.spaced(LOOK))
  })

/**
 * Releases the memory that the start of the calling thread leaves behind, and later what its work does: garbage, and
 * compiled code. The thread then recompiles the code that it needs, so the first request of each kind takes a few
 * milliseconds longer.
 */
export const releaseMemory = Effect.suspend(() => {
  // Deprecated without a replacement: `Bun.gc` keeps compiled code.
  const release = Effect.sync(() => Bun.shrink())
  return Effect.forkScoped(Effect.zipRight(Effect.delay(release, START_IS_OVER), whenResting(release)))
})
