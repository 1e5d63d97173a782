import { Effect } from "effect"

/** Resumes once the event loop has served what it had read: requests that came in meanwhile run first. */
export const nextTurn = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** A turn of the event loop that took less than so many milliseconds had little else to do. */
const QUIET = 4
/** How long background work waits for such a turn, in milliseconds. */
const PATIENCE = 200

/** Resumes in a turn in which the event loop has little else to do, or after 200 ms: for work that nobody waits for. */
export const quietTurn = Effect.gen(function* () {
  const begun = performance.now()
  let now = begun
  let took: number
  do {
    yield* nextTurn
    took = performance.now() - now
    now += took
  } while (took > QUIET && now - begun < PATIENCE)
})

/** Limits of a piece of work: how many items, and the time in milliseconds that one is to take. */
export interface PieceLimits {
  readonly first: number
  readonly least: number
  readonly most: number
  readonly target: number
}

/** The size of the next piece of long work, adjusted by how long the last one took. */
export interface PieceSize {
  readonly current: () => number
  /** Adjusts the size, by a factor of two at most, after a piece of that size took so many milliseconds. */
  readonly took: (milliseconds: number) => void
}

/** Splits long work into pieces that each hold the event loop for about the same time on any machine. */
export const makePieceSize = ({ first, least, most, target }: PieceLimits): PieceSize => {
  let size = first
  return {
    current: () => size,
    took: (milliseconds) => {
      const factor = Math.min(2, Math.max(0.5, target / milliseconds))
      size = Math.round(Math.min(most, Math.max(least, size * factor)))
    }
  }
}
