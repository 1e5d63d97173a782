import { BunFileSystem } from "@effect/platform-bun"
import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerImport, ImportReader, ReadFile } from "./transfer/ImportReader.ts"

const services = Layer.build(Layer.provide(ImportReader.layer, BunFileSystem.layer))

/** Worker thread that reads import files. */
runThread(
  ReadFile,
  Effect.map(services, (context) => answerImport(Context.get(context, ImportReader)))
)
