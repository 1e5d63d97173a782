import { Context, Effect, Layer } from "effect"
import { runThread } from "./runtime/Thread.ts"
import { answerPublicly, PublicRequest, PublicSearch, publicSearch } from "./search/PublicSearch.ts"
import * as Database from "./store/Database.ts"

/** The library's file, which the service names when it starts this thread. */
const filename = Bun.argv.at(-1) ?? ""

const opened = Layer.build(Layer.provide(publicSearch, Database.readOnly(filename)))

/** The thread of the public list: it reads the projection over a connection that cannot write. */
runThread(
  PublicRequest,
  Effect.map(opened, (context) => answerPublicly(Context.get(context, PublicSearch)))
)
