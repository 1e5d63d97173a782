import { Effect, Stream } from "effect"

/** Work that tells how far it has come, as the stream of what it tells; where it crashes the stream does too. */
export const stepsOf = <Step>(
  work: (tell: (step: Step) => Effect.Effect<void>) => Effect.Effect<void>
): Stream.Stream<Step> =>
  Stream.asyncPush<Step>((emit) =>
    work((step) => Effect.sync(() => void emit.single(step))).pipe(
      Effect.matchCause({
        onFailure: (cause) => emit.halt(cause),
        onSuccess: () => emit.end()
      }),
      Effect.forkScoped
    )
  )
