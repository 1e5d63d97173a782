import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import { Effect, Layer } from "effect"
import { answerThread } from "./runtime/Thread.ts"
import { PublicSearch, publicSearch } from "./search/PublicSearch.ts"
import { answerPublicly, PublicRequest } from "./search/PublicThread.ts"
import * as Database from "./store/Database.ts"
import { untraced } from "./Untraced.ts"

/** The library's file, which the service names when it starts this thread. */
const filename = Bun.argv.at(-1) ?? ""

const opened = publicSearch.pipe(Layer.provide(Database.readOnly(filename)), untraced)

/** The thread of the public list: it reads the projection over a connection that cannot write. */
Effect.gen(function* () {
  const context = yield* Layer.build(opened)
  return answerPublicly(yield* Effect.provide(PublicSearch, context))
}).pipe(
  (open) => answerThread(PublicRequest, open),
  Effect.scoped,
  BunRuntime.runMain({ teardown: (exit, onExit) => onExit(exit._tag === "Success" ? 0 : 1) })
)
