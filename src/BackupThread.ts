import { BunFileSystem } from "@effect/platform-bun"
import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerPacking, PackedBackup, PackLibrary } from "./store/maintenance/PackedBackup.ts"

const services = Layer.build(Layer.provide(PackedBackup.layer, BunFileSystem.layer))

/** Worker thread that copies and compresses the library for the chat. */
runThread(
  PackLibrary,
  Effect.map(services, (context) => answerPacking(Context.get(context, PackedBackup)))
)
