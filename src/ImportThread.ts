import { BunFileSystem } from "@effect/platform-bun"
import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerImport, ImportReader, ReadFile } from "./transfer/ImportReader.ts"

const opened = Layer.build(Layer.provide(ImportReader.layer, BunFileSystem.layer))

/** The thread that reads a file of links. */
runThread(
  ReadFile,
  Effect.map(opened, (context) => answerImport(Context.get(context, ImportReader)))
)
