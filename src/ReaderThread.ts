import { Context, Effect, Layer } from "effect"
import { runThread, threadFile } from "./runtime/Thread.ts"
import { ComparisonHelper } from "./search/ComparisonHelper.ts"
import { answerReaderRequest, Reader, ReaderRequest, readerLayer } from "./search/Reader.ts"
import { readOnly } from "./store/Connection.ts"

/** Path of the library's database, passed by the service when it starts this thread. */
const filename = Bun.argv.at(-1) ?? ""

const comparisonHelper = ComparisonHelper.layer(() => new Worker(threadFile("./ComparisonThread.ts")))

const services = Layer.build(Layer.provide(readerLayer, Layer.merge(readOnly(filename), comparisonHelper)))

/** Worker thread for expensive reads: answers `Reader` requests over its own read-only connection. */
runThread(
  ReaderRequest,
  Effect.map(services, (context) => answerReaderRequest(Context.get(context, Reader)))
)
