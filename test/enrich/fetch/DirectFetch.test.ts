import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { directFetch } from "../../../src/enrich/fetch/DirectFetch.ts"
import { effectTest } from "../../support/effect.ts"
import { loopback } from "../../support/loopback.ts"

const it = effectTest(Layer.empty)

/** Sets the proxy of this process while the scope lasts. */
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
  it("returns status, headers and body unchanged", function* () {
    const url = yield* loopback(() => new Response("hello", { status: 429, headers: { "retry-after": "7" } }))
    const response = yield* Effect.promise(() => directFetch(100)(url))
    expect([
      response.status,
      response.headers.get("retry-after"),
      yield* Effect.promise(() => response.text())
    ]).toEqual([429, "7", "hello"])
  })

  it("cuts the body at the limit", function* () {
    const url = yield* loopback(() => new Response("0123456789"))
    expect(yield* read(directFetch(4), url)).toBe("200 0123")
    expect(yield* read(directFetch(10), url)).toBe("200 0123456789")
  })

  it("returns a redirect instead of following it", function* () {
    const target = yield* loopback(() => new Response("target"))
    const url = yield* loopback(() => Response.redirect(target, 307))
    expect(yield* read(fetch, url)).toBe("200 target")
    expect(yield* read(directFetch(100), url)).toBe("307 ")
  })

  it("ignores the proxy of the environment", function* () {
    const proxy = yield* loopback(() => new Response("proxy"))
    const url = yield* loopback(() => new Response("origin"))
    yield* proxied(proxy)
    expect(yield* read(fetch, url)).toBe("200 proxy")
    expect(yield* read(directFetch(100), url)).toBe("200 origin")
  })
})
