import { Effect, Layer } from "effect"
import { Resolver } from "../../src/enrich/fetch/Destination.ts"
import { Fetcher } from "../../src/enrich/fetch/Fetcher.ts"

const options = { accept: "text/html", readable: () => true, maxBytes: 1_000 }

/**
 * Fetches the given URLs in turn, every host at 127.0.0.2, and prints the result of each. A separate process, because the
 * trusted certificate authorities are fixed when a process starts.
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
