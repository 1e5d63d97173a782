import { Chunk, Clock, Duration, Effect, Scheduler, type TestClock } from "effect"

/** The number of turns of the event loop in which no fiber runs before the clock moves on. */
const QUIET_TURNS = 3

/** A fiber that sleeps until the clock reaches `end`. */
interface Sleeper {
  readonly end: number
  readonly wake: () => void
}

/** Runs fibers as Effect's own scheduler does, and tells when none has run for some turns of the event loop. */
const countingScheduler = () => {
  const inner = new Scheduler.MixedScheduler(2_048)
  let pending = 0
  let ran = 0
  const scheduler: Scheduler.Scheduler = {
    shouldYield: (fiber) => inner.shouldYield(fiber),
    scheduleTask: (task, priority) => {
      pending++
      inner.scheduleTask(() => {
        pending--
        ran++
        task()
      }, priority)
    }
  }
  const untilQuiet = Effect.async<void>((resume) => {
    let seen = ran
    let quiet = 0
    const turn = () => {
      quiet = pending === 0 && seen === ran ? quiet + 1 : 0
      seen = ran
      if (quiet >= QUIET_TURNS) resume(Effect.void)
      else setImmediate(turn)
    }
    setImmediate(turn)
  })
  return { scheduler, untilQuiet }
}

/** A clock that stands still until a test moves it, and wakes each sleeper at its own time. */
const manualClock = (untilQuiet: Effect.Effect<void>): TestClock.TestClock => {
  const sleepers = new Set<Sleeper>()
  let now = 0

  const earliest = () => {
    let first: Sleeper | undefined
    for (const sleeper of sleepers) if (first === undefined || sleeper.end < first.end) first = sleeper
    return first
  }
  const moveTo = Effect.fnUntraced(function* (end: () => number) {
    const target = end()
    for (;;) {
      yield* untilQuiet
      const next = earliest()
      if (next === undefined || next.end > target) break
      now = next.end
      sleepers.delete(next)
      next.wake()
    }
    now = target
  })
  const nanos = () => BigInt(Math.floor(now * 1_000_000))
  const adjust = (duration: Duration.DurationInput) => moveTo(() => now + Duration.toMillis(duration))

  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    currentTimeMillis: Effect.sync(() => now),
    unsafeCurrentTimeNanos: nanos,
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const millis = Duration.toMillis(duration)
        if (millis <= 0) return resume(Effect.void)
        const sleeper: Sleeper = { end: now + millis, wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => sleepers.delete(sleeper))
      }),
    adjust,
    adjustWith: (duration) => (effect) => Effect.zipLeft(effect, adjust(duration), { concurrent: true }),
    save: Effect.sync(() => {
      const saved = now
      return Effect.sync(() => {
        now = saved
      })
    }),
    setTime: (time) => moveTo(() => time),
    sleeps: Effect.sync(() => Chunk.fromIterable(Array.from(sleepers, ({ end }) => end)))
  }
}

/**
 * Runs the effect on a clock that only `TestClock` moves. Effect's own test clock takes several milliseconds to wake a
 * sleeper; this one takes as long as the fibers run.
 */
export const onManualClock = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const { scheduler, untilQuiet } = countingScheduler()
    return effect.pipe(Effect.withClock(manualClock(untilQuiet)), Effect.withScheduler(scheduler))
  })
