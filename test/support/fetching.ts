import type { Socket } from "bun"
import { Effect, Layer } from "effect"
import { Resolver } from "../../src/enrich/fetch/Destination.ts"
import { Fetcher, type FetchOptions, make } from "../../src/enrich/fetch/Fetcher.ts"
import { effectTest } from "./effect.ts"
import { withSettings } from "./loopback.ts"

/** The known names and their addresses. */
export const names: Record<string, ReadonlyArray<string>> = {
  "site.test": ["127.0.0.2"],
  "two.test": ["127.0.0.3", "127.0.0.2"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "private.test": ["10.0.0.1"],
  "slow.test": ["127.0.0.2"],
  localhost: ["127.0.0.1", "::1"]
}

/** A resolver that knows only `names`. */
export const resolver = Layer.succeed(Resolver, { lookup: (name) => Effect.succeed(names[name] ?? []) })

/** The limits of the product, with a timeout that no busy machine reaches. */
export const limits = { timeout: "1 minute", redirects: 5, addresses: 3, perHost: 2, inAll: 8 } as const
/** A test with a fetcher under `limits`. */
export const it = effectTest(Layer.effect(Fetcher, make(limits)).pipe(Layer.provideMerge(resolver)))

/** Accepts a web page and reads at most 100,000 bytes. */
export const html: FetchOptions = {
  accept: "text/html",
  readable: (type) => type === "text/html",
  maxBytes: 100_000
}

/** A server at 127.0.0.2, an address that the tests allow. */
export const pages = (answer: (request: Request) => Response | Promise<Response>) =>
  Effect.acquireRelease(
    Effect.sync(() => Bun.serve({ port: 0, hostname: "127.0.0.2", idleTimeout: 30, fetch: answer })),
    (server) => Effect.promise(() => server.stop(true))
  )

/** A server that answers with raw bytes, valid HTTP or not; `left` resolves when the client closes the connection. */
export const wire = (answer: (socket: Socket, request: Buffer) => void) =>
  Effect.gen(function* () {
    const { promise, resolve } = Promise.withResolvers<void>()
    const listener = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.listen({ port: 0, hostname: "127.0.0.2", socket: { data: answer, close: () => resolve() } })
      ),
      (listener) => Effect.sync(() => listener.stop(true))
    )
    return { port: listener.port, left: Effect.promise(() => promise) }
  })

/** A private server that no test may reach; counts its requests. */
export const trap = Effect.gen(function* () {
  const counter = { hits: 0 }
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () => {
          counter.hits++
          return new Response("<title>secret</title>", { headers: { "content-type": "text/html" } })
        }
      })
    ),
    (server) => Effect.promise(() => server.stop(true))
  )
  return Object.assign(counter, { port: server.port ?? 0 })
})

/** An endless body; `left` resolves when its reader cancels it. */
export const endless = (bytes: number, pause: number) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const body = () =>
    new ReadableStream({
      pull: async (controller) => {
        controller.enqueue(new Uint8Array(bytes).fill(97))
        await Bun.sleep(pause)
      },
      cancel: () => resolve()
    })
  return { body, left: Effect.promise(() => promise) }
}

/** A response with a web page. */
export const page = (body: BodyInit, headers: Record<string, string> = {}, status = 200) =>
  new Response(body, { status, headers: { "content-type": "text/html", ...headers } })

/** Fetches `url` while FETCH_ALLOW is `allow`. */
export const fetching = (url: string, allow = "", options: Partial<FetchOptions> = {}) =>
  Effect.flatMap(Fetcher, (fetcher) => fetcher.fetch(new URL(url), { ...html, ...options })).pipe(
    withSettings({ FETCH_ALLOW: allow })
  )

/** Fetches from the server at `port` of 127.0.0.2, the only allowed host. */
export const fetchingAt = (port: number | undefined, path = "", options: Partial<FetchOptions> = {}) =>
  fetching(`http://127.0.0.2:${port}/${path}`, `127.0.0.2:${port}`, options)

/** Decodes a body. */
export const text = (body: Uint8Array) => new TextDecoder().decode(body)
