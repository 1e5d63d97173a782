import { Effect, Layer } from "effect"
import { Resolver } from "../../src/enrich/fetch/Destination.ts"
import { Fetcher } from "../../src/enrich/fetch/Fetcher.ts"

const options = { accept: "text/html", readable: () => true, maxBytes: 1_000 }

/**
 * A program that fetches the addresses it is given, one after the other and every host of them at 127.0.0.2, and
 * prints what came of each. Its own process, for authorities are trusted from a process's start on.
 */
const each = Effect.forEach(Bun.argv.slice(2), (address) =>
  Effect.flatMap(Fetcher, (fetcher) => fetcher.fetch(new URL(address), options)).pipe(
    Effect.match({ onSuccess: ({ body }) => Buffer.from(body).toString(), onFailure: ({ reason }) => reason })
  )
)
const resolver = Layer.succeed(Resolver, { lookup: () => Effect.succeed(["127.0.0.2"]) })

console.log(
  JSON.stringify(await Effect.runPromise(Effect.provide(each, Layer.provide(Fetcher.layer, resolver))))
)
