import { WorkerRunner } from "@effect/platform"
import { BunFileSystem, BunRuntime, BunWorkerRunner } from "@effect/platform-bun"
import { Effect, Layer, Schema, Stream } from "effect"
import { ReadFile } from "./bookmarks/ImportProtocol.ts"
import { ImportReader } from "./bookmarks/ImportReader.ts"
import { untraced } from "./Untraced.ts"

/** The thread that reads a file of links. */
WorkerRunner.layerSerialized(Schema.Union(ReadFile), {
  ReadFile: (file) => Stream.unwrap(Effect.map(ImportReader, (reader) => reader.read(file)))
}).pipe(
  Layer.provide(ImportReader.layer),
  Layer.provide([BunWorkerRunner.layer, BunFileSystem.layer]),
  untraced,
  WorkerRunner.launch,
  BunRuntime.runMain
)
