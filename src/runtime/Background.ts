import { Cause, Context, Deferred, Effect, FiberId, FiberSet, Layer } from "effect"

/** Runs work that outlives what started it. Shutdown waits for it, within the 10 seconds Docker allows. */
export class Background extends Context.Tag("Background")<
  Background,
  {
    /** Starts `work` and returns at once; a failure is logged, never raised. */
    readonly run: <E>(name: string, work: Effect.Effect<unknown, E>) => Effect.Effect<void>
    /** Waits until nothing is running. */
    readonly idle: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const fibers = yield* FiberSet.make<unknown>()
      const idle = FiberSet.awaitEmpty(fibers)
      // A finaliser is uninterruptible: without this the time-out could not cut the wait.
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(Effect.interruptible(idle), "8 seconds")))
      return {
        idle,
        run: (name, work) =>
          work.pipe(
            // What is interrupted at a stop is done after the next start: nothing has failed.
            Effect.catchAllCause((cause) =>
              Effect.unless(Effect.logError(`${name} failed`, cause), () => Cause.isInterruptedOnly(cause))
            ),
            Effect.withSpan(name, { root: true }),
            FiberSet.run(fibers),
            Effect.asVoid
          )
      }
    })
  )
}

/**
 * Runs work of one key once at a time: whoever asks for it meanwhile gets the same result. The work goes on when those
 * who asked have left, and ends with the scope.
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
    /** Waits until no work of this key is under way. */
    landed: (key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const flight = flights.get(key)
        return flight === undefined ? Effect.void : Effect.exit(Deferred.await(flight))
      })
  }
})
