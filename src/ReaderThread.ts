import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerReading, Reader, ReaderRequest, readerLayer } from "./search/Reader.ts"
import * as Database from "./store/Database.ts"

/** The library's file, which the service names when it starts this thread. */
const filename = Bun.argv.at(-1) ?? ""

const opened = Layer.build(Layer.provide(readerLayer, Database.readOnly(filename)))

/** The thread that reads much: it answers `Reader`'s requests over its own read-only connection. */
runThread(
  ReaderRequest,
  Effect.map(opened, (context) => answerReading(Context.get(context, Reader)))
)
