import { Cause, Context, Effect, FiberSet, Layer } from "effect"

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
