import { Cause, Duration, Effect, Option, Queue, Schedule } from "effect"

/** How a loop runs its passes. */
export interface WorkLoopOptions<E> {
  /** The work of a pass, for the log: "reading the inbox" is logged as "reading the inbox failed". */
  readonly name: string
  /**
   * The first and the longest pause after failed passes; each pause is twice as long as the one before. 1 second and 1
   * minute by default.
   */
  readonly backoff?: { readonly first: Duration.DurationInput; readonly most: Duration.DurationInput }
  /** Reports a failed pass, instead of logging it: an expected failure as a line, a defect with its cause. */
  readonly onFailure?: (cause: Cause.Cause<E>) => Effect.Effect<void>
  /** How long to wait after a wake before the pass begins, so that one pass serves the wakes that follow. */
  readonly gather?: Duration.DurationInput
  /** Ends a rest like a wake; for work that arrives without one, such as from another process. */
  readonly until?: Effect.Effect<unknown>
}

/** A loop of passes of work: each takes what waits, then rests until there may be more. */
export interface WorkLoop {
  /**
   * Reports that there is work. It ends the rest between two passes; during a pass, it makes the next one follow at
   * once. Any number of wakes before a pass are served by that pass, and none is lost: a pass reads what waits only
   * after it has taken the wakes. A change made in a transaction is reported after its commit (`afterCommit`).
   */
  readonly wake: Effect.Effect<void>
  /**
   * Runs passes one after another until interrupted, the first at once, for what an earlier run left. A pass returns
   * how long to rest unless woken: zero to go on at once, infinity to wait for a wake. How much a pass takes, and how
   * much of it runs concurrently, is its own concern.
   *
   * A pass that fails or dies is reported and repeated after a pause, which a wake does not shorten: a store or a
   * server is unavailable, and more work does not repair it. A successful pass resets the backoff. An interruption
   * reaches the pass in progress.
   */
  readonly run: <E, R>(
    pass: Effect.Effect<Duration.DurationInput, E, R>,
    options: WorkLoopOptions<E>
  ) => Effect.Effect<never, never, R>
}

const BACKOFF = { first: "1 second", most: "1 minute" } as const

/** Makes a loop, for one `run` at a time; wakes before `run` are kept. */
export const makeWorkLoop: Effect.Effect<WorkLoop> = Effect.map(Queue.sliding<void>(1), (wakes): WorkLoop => {
  const run = <E, R>(
    pass: Effect.Effect<Duration.DurationInput, E, R>,
    { backoff = BACKOFF, gather, name, onFailure, until }: WorkLoopOptions<E>
  ) => {
    const taken = Queue.take(wakes)
    const woken = gather === undefined ? taken : Effect.zipLeft(taken, Effect.sleep(gather))
    const ended: Effect.Effect<unknown> = until === undefined ? woken : Effect.raceFirst(woken, until)
    /** A wake that arrives at the moment the rest ends anyway is served by the pass that follows. */
    const rest = (duration: Duration.Duration): Effect.Effect<unknown> => {
      if (Duration.equals(duration, Duration.zero)) return Effect.void
      // A timeout waits uninterruptibly for the fiber that it limits. In a concurrent `Effect.all` that fiber belongs to the
      // caller: where an interruption reached the caller before it, a stop waited for the end of the rest.
      return Duration.isFinite(duration) ? Effect.raceFirst(ended, Effect.sleep(duration)) : ended
    }
    const report = (cause: Cause.Cause<E>) => {
      if (onFailure !== undefined) return onFailure(cause)
      const failure = Option.getOrUndefined(Cause.failureOption(cause))
      // An expected failure is told in a line, because it may last.
      return failure instanceof Error
        ? Effect.logError(`${name} failed: ${failure.message}`)
        : Effect.logError(`${name} failed`, cause)
    }

    return Effect.zipRight(Queue.takeAll(wakes), pass).pipe(
      Effect.flatMap((duration) => rest(Duration.decode(duration))),
      Effect.sandbox,
      Effect.tapError(report),
      Effect.retry(Schedule.union(Schedule.exponential(backoff.first), Schedule.spaced(backoff.most))),
      // The schedule does not end, so no failure remains.
      Effect.ignore,
      Effect.forever
    )
  }
  return { run, wake: Effect.asVoid(Queue.offer(wakes, undefined)) }
})

/** Runs work now, and again after each interval. A failure is logged, and followed by the next run sooner. */
export const every = <E, R>(
  interval: Duration.DurationInput,
  name: string,
  work: Effect.Effect<unknown, E, R>
): Effect.Effect<never, never, R> =>
  Effect.flatMap(makeWorkLoop, ({ run }) =>
    run(Effect.as(work, interval), {
      name,
      onFailure: (cause) => Effect.logWarning(`${name} failed`, cause)
    })
  )

/** A signal between one sender and a loop, whose rest it ends as its `until`; one that nothing waits for is kept. */
export interface Signal {
  readonly send: Effect.Effect<void>
  /** Returns when the signal was sent. */
  readonly received: Effect.Effect<void>
}

export const makeSignal: Effect.Effect<Signal> = Effect.map(Queue.sliding<void>(1), (signals) => ({
  send: Effect.asVoid(Queue.offer(signals, undefined)),
  received: Queue.take(signals)
}))
