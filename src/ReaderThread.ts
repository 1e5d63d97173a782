import { WorkerRunner } from "@effect/platform"
import { BunRuntime, BunWorkerRunner } from "@effect/platform-bun"
import { Effect, Layer, Stream } from "effect"
import { reading } from "./Reading.ts"
import { Reader } from "./search/Reader.ts"
import { ReaderRequest } from "./search/ReaderProtocol.ts"
import * as Database from "./store/Database.ts"
import { untraced } from "./Untraced.ts"

/** The thread that reads much: answers `Reader`'s requests over a connection of its own that cannot write. */
WorkerRunner.layerSerialized(ReaderRequest, {
  InitialMessage: ({ filename }) => reading.pipe(Layer.provide(Database.readOnly(filename)), Layer.orDie),
  Rank: ({ request }) => Effect.flatMap(Reader, (reader) => reader.rank(request)),
  Nearest: ({ embedder, k, vector }) =>
    Effect.flatMap(Reader, (reader) => reader.nearest(embedder, vector, k)),
  PlanFiling: ({ embedder }) => Stream.unwrap(Effect.map(Reader, (reader) => reader.planFiling(embedder))),
  FindDuplicates: ({ embedder }) =>
    Stream.unwrap(Effect.map(Reader, (reader) => reader.findDuplicates(embedder)))
}).pipe(Layer.provide(BunWorkerRunner.layer), untraced, WorkerRunner.launch, BunRuntime.runMain)
