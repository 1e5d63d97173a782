import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerReaderRequest, Reader, ReaderRequest, readerLayer } from "./search/Reader.ts"
import { readOnly } from "./store/ReadOnlyDatabase.ts"

/** Path of the library's database, passed by the service when it starts this thread. */
const filename = Bun.argv.at(-1) ?? ""

const services = Layer.build(Layer.provide(readerLayer, readOnly(filename)))

/** Worker thread for expensive reads: answers `Reader` requests over its own read-only connection. */
runThread(
  ReaderRequest,
  Effect.map(services, (context) => answerReaderRequest(Context.get(context, Reader)))
)
