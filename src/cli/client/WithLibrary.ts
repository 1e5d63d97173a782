import { Effect } from "effect"
import type { Client } from "./Client.ts"

/**
 * Runs a command on the library that its settings name. The client is loaded for the commands that use it, because it
 * knows the whole API of the service.
 */
export const withLibrary = <A, E, R>(work: (library: Client["Type"]) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { Client } = yield* Effect.promise(() => import("./Client.ts"))
    return yield* work(yield* Client.make)
  }).pipe(Effect.scoped)
