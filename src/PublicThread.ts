import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerPublicRequest, PublicRequest, PublicSearch, publicSearch } from "./search/PublicSearch.ts"
import { readOnly } from "./store/Connection.ts"

/** Path of the library's database, passed by the service when it starts this thread. */
const filename = Bun.argv.at(-1) ?? ""

const services = Layer.build(Layer.provide(publicSearch, readOnly(filename)))

/** Worker thread of the public list: reads the public projection over a read-only connection. */
runThread(
  PublicRequest,
  Effect.map(services, (context) => answerPublicRequest(Context.get(context, PublicSearch)))
)
