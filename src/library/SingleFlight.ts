import { Deferred, Effect, FiberId, FiberSet } from "effect"

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
