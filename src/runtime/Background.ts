import { Cause, Deferred, type Duration, Effect, Fiber, FiberId, FiberSet } from "effect"
import { Service } from "./Services.ts"

/** How long a shutdown waits for work in hand. Docker allows 10 seconds for all of it, on a busy machine too. */
const SHUTDOWN_WAIT = "3 seconds"
/** How long it then waits for the interrupted work to end. */
const INTERRUPTION_WAIT = "1 second"

const make = Effect.gen(function* () {
  const fibers = yield* FiberSet.make<unknown>()
  const idle = FiberSet.awaitEmpty(fibers)
  // Finalizers are uninterruptible: without `interruptible` the timeout could not end the wait.
  const wait = (duration: Duration.DurationInput) => Effect.timeout(Effect.interruptible(idle), duration)
  // Interrupted work may wait for a service that closes only afterwards, so that this waits a second at most.
  const interrupt = Effect.suspend(() => Effect.forEach(fibers, Fiber.interruptFork, { discard: true }))
  // Cached, so that a shutdown that has waited does not wait again when this layer closes.
  /**
   * Waits up to 3 seconds, once, until no work is running, and interrupts the rest. A shutdown does so while everything
   * that the work needs is still open.
   */
  const settled = yield* Effect.cached(
    wait(SHUTDOWN_WAIT).pipe(
      Effect.catchAll(() => Effect.zipRight(interrupt, wait(INTERRUPTION_WAIT))),
      Effect.ignore
    )
  )
  yield* Effect.addFinalizer(() => settled)
  return {
    idle,
    settled,
    /** Starts `work` and returns at once; logs a failure instead of raising it. */
    run: <E>(name: string, work: Effect.Effect<unknown, E>) =>
      work.pipe(
        // Work interrupted by a shutdown resumes after the next start, so it is not a failure.
        Effect.catchAllCause((cause) =>
          Effect.unless(Effect.logError(`${name} failed`, cause), () => Cause.isInterruptedOnly(cause))
        ),
        Effect.withSpan(name, { root: true }),
        FiberSet.run(fibers),
        Effect.asVoid
      )
  }
})

/**
 * Runs work that outlives its caller and that a later start can begin again. A shutdown waits a short time for it, then
 * interrupts it.
 */
export class Background extends Service<Background>()("Background", make) {}

/**
 * Deduplicates concurrent work by key: callers that arrive while it runs share its result. The work continues when its
 * callers are interrupted, and ends with the scope.
 */
export const makeSingleFlight = Effect.fnUntraced(function* <A>() {
  const fibers = yield* FiberSet.make<boolean>()
  const flights = new Map<string, Deferred.Deferred<A>>()

  const begin = (key: string, work: Effect.Effect<A>) => {
    const flight = Deferred.unsafeMake<A>(FiberId.none)
    flights.set(key, flight)
    return work.pipe(
      Effect.interruptible,
      Effect.onExit(() => Effect.sync(() => flights.delete(key))),
      Effect.intoDeferred(flight),
      FiberSet.run(fibers),
      Effect.as(flight)
    )
  }

  return {
    run: (key: string, work: Effect.Effect<A>): Effect.Effect<A> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const flight = flights.get(key)
          return flight === undefined ? begin(key, work) : Effect.succeed(flight)
        }).pipe(Effect.flatMap((flight) => restore(Deferred.await(flight))))
      ),
    /** Waits until no work with this key is running. */
    landed: (key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const flight = flights.get(key)
        return flight === undefined ? Effect.void : Effect.exit(Deferred.await(flight))
      })
  }
})
