import { Worker } from "@effect/platform"
import { Data, Effect, Layer, Stream } from "effect"
import { Reader } from "./Reader.ts"
import { FindDuplicates, Nearest, Open, PlanFiling, Rank, type ReaderRequest } from "./ReaderProtocol.ts"

/** How long loading a large library's index may take. */
const START = "2 minutes"

/** The reading thread did not come up. */
export class ReaderNotStarted extends Data.TaggedError("ReaderNotStarted") {
  override get message() {
    return "The thread that searches the library did not start. The log says why."
  }
}

/**
 * The reader in threads of its own, over the library at `filename`: one for searches, and one for the length of each
 * plan, so that neither requests nor searches wait for it.
 */
export const layer = (filename: string) =>
  Layer.scoped(
    Reader,
    Effect.gen(function* () {
      const context = yield* Effect.context<Worker.WorkerManager | Worker.Spawner>()
      const thread = Effect.provide(
        Effect.orDie(
          Worker.makePoolSerialized<ReaderRequest>({ size: 1, initialMessage: () => new Open({ filename }) })
        ),
        context
      )
      const searches = yield* thread
      // Opened, and its index loaded, before the service says that it is ready.
      yield* searches.backing.get.pipe(
        Effect.scoped,
        Effect.timeoutFail({ duration: START, onTimeout: () => new ReaderNotStarted() }),
        Effect.catchTag("WorkerError", (error) => Effect.die(error))
      )
      const alone = <A, E>(work: (pool: Worker.SerializedWorkerPool<ReaderRequest>) => Stream.Stream<A, E>) =>
        Stream.orDie(Stream.unwrapScoped(Effect.map(thread, work)))
      return {
        rank: (request) => Effect.orDie(searches.executeEffect(new Rank({ request }))),
        nearest: (embedder, vector, k) =>
          Effect.orDie(searches.executeEffect(new Nearest({ embedder, k, vector }))),
        planFiling: (embedder) => alone((pool) => pool.execute(new PlanFiling({ embedder }))),
        findDuplicates: (embedder) => alone((pool) => pool.execute(new FindDuplicates({ embedder })))
      }
    })
  )
