import { Worker } from "@effect/platform"
import { Effect, Layer, Stream } from "effect"
import { ReadFile } from "./ImportProtocol.ts"
import { ImportReader } from "./ImportReader.ts"

/** The reader of files in a thread for the length of each: reading a large one takes seconds, and much memory. */
export const layer = Layer.effect(
  ImportReader,
  Effect.gen(function* () {
    const context = yield* Effect.context<Worker.WorkerManager | Worker.Spawner>()
    const thread = Effect.provide(Effect.orDie(Worker.makePoolSerialized<ReadFile>({ size: 1 })), context)
    return {
      read: ({ format, name, path }) =>
        Stream.unwrapScoped(
          Effect.map(thread, (pool) => pool.execute(new ReadFile({ path, name, format })))
        ).pipe(
          Stream.catchAll((error) => (error._tag === "FormatError" ? Stream.fail(error) : Stream.die(error)))
        )
    }
  })
)
