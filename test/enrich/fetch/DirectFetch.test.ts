import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { directFetch } from "../../../src/enrich/fetch/DirectFetch.ts"
import { effectTest } from "../../support/effect.ts"
import { loopback } from "../../support/loopback.ts"

const it = effectTest(Layer.empty)

/** Routes plain requests of this process through `proxy` while the scope lasts. */
const proxied = (proxy: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env["HTTP_PROXY"]
      process.env["HTTP_PROXY"] = proxy
      return before
    }),
    (before) =>
      Effect.sync(() => {
        if (before === undefined) delete process.env["HTTP_PROXY"]
        else process.env["HTTP_PROXY"] = before
      })
  )

const read = (send: typeof fetch | ReturnType<typeof directFetch>, url: string) =>
  Effect.promise(async () => {
    const response = await send(url)
    return `${response.status} ${await response.text()}`
  })

describe("directFetch", () => {
  it(
    "answers with status, headers and body as they came",
    Effect.gen(function* () {
      const url = yield* loopback(
        () => new Response("hello", { status: 429, headers: { "retry-after": "7" } })
      )
      const response = yield* Effect.promise(() => directFetch(100)(url))
      expect([
        response.status,
        response.headers.get("retry-after"),
        yield* Effect.promise(() => response.text())
      ]).toEqual([429, "7", "hello"])
    })
  )

  it(
    "ends the body at the limit",
    Effect.gen(function* () {
      const url = yield* loopback(() => new Response("0123456789"))
      expect(yield* read(directFetch(4), url)).toBe("200 0123")
      expect(yield* read(directFetch(10), url)).toBe("200 0123456789")
    })
  )

  it(
    "answers the redirect itself",
    Effect.gen(function* () {
      const target = yield* loopback(() => new Response("target"))
      const url = yield* loopback(() => Response.redirect(target, 307))
      expect(yield* read(fetch, url)).toBe("200 target")
      expect(yield* read(directFetch(100), url)).toBe("307 ")
    })
  )

  it(
    "goes round a proxy of the environment",
    Effect.gen(function* () {
      const proxy = yield* loopback(() => new Response("proxy"))
      const url = yield* loopback(() => new Response("origin"))
      yield* proxied(proxy)
      expect(yield* read(fetch, url)).toBe("200 proxy")
      expect(yield* read(directFetch(100), url)).toBe("200 origin")
    })
  )
})
