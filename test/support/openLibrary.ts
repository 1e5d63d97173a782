import { Effect, Logger } from "effect"
import * as Database from "../../src/store/Database.ts"

/** Opens the library that its argument names, as the service does, and says when it begins and ends: to be killed meanwhile. */

const file = process.argv[2] ?? ""

await Effect.gen(function* () {
  yield* Effect.sync(() => process.stdout.write("begin\n"))
  yield* Effect.scoped(Effect.provide(Effect.void, Database.layer(file)))
  yield* Effect.sync(() => process.stdout.write("end\n"))
}).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)), Effect.runPromise)
