import { Context, Data, Deferred, Effect, Exit, Layer } from "effect"
import type { Comparison } from "./kernel/Comparison.ts"
import { compareVectors } from "./SimilarLinks.ts"

/** The thread that took part in a comparison ended; what it did last may be half done. */
export class HelperDied extends Data.TaggedError("HelperDied")<{ readonly reason: string }> {}

/** Takes part in a comparison until interrupted; fails if the comparison has to begin again. */
type Help = (comparison: Comparison) => Effect.Effect<never, HelperDied>

/** Number of links from which help is worth another thread. */
export const MANY = 20_000

/** A second thread that helps with comparisons; undefined on a machine with one processor. */
export class ComparisonHelper extends Context.Reference<ComparisonHelper>()("ComparisonHelper", {
  defaultValue: (): Help | undefined => undefined
}) {
  /** A thread for each comparison, if there is a processor for it. `spawn` starts one that takes part in what it is sent. */
  static readonly layer = (spawn: () => Worker) =>
    Layer.succeed(
      this,
      navigator.hardwareConcurrency > 1
        ? (comparison) =>
            Effect.acquireUseRelease(
              Effect.try({ try: spawn, catch: (cause) => new HelperDied({ reason: String(cause) }) }),
              (worker) =>
                Effect.async((resume) => {
                  const fail = (reason: string) => resume(new HelperDied({ reason }))
                  worker.addEventListener("error", ({ message }) => fail(message))
                  worker.addEventListener("close", () => fail("it ended"))
                  worker.postMessage(comparison)
                }),
              (worker) => Effect.sync(() => worker.terminate())
            )
        : undefined
    )
}

/** Compares vectors (`compareVectors`), with a helper if there are many; alone if the helper dies. */
export const compareVectorsWithHelp = Effect.fnUntraced(function* (
  compared: Parameters<typeof compareVectors>[0],
  ids: ReadonlyArray<number>,
  progress: Parameters<typeof compareVectors>[2],
  help: Help | undefined
) {
  const alone = compareVectors(compared, ids, progress)
  if (help === undefined || compared.matrix.size < MANY) return yield* alone
  const shared = yield* Deferred.make<Comparison>()
  const share = (comparison: Comparison) => Deferred.unsafeDone(shared, Exit.succeed(comparison))
  return yield* Effect.raceFirst(
    compareVectors(compared, ids, progress, share),
    Effect.flatMap(Deferred.await(shared), help)
  ).pipe(
    Effect.catchAll(({ reason }) =>
      Effect.zipRight(
        Effect.logWarning("The comparison thread died; comparing without it", { reason }),
        alone
      )
    )
  )
})
