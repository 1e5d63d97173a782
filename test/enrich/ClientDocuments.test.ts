import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { ClientDocuments } from "../../src/domain/ClientDocument.ts"
import { documentLimits, layerWithin } from "../../src/enrich/ClientDocuments.ts"
import { effectTest } from "../support/effect.ts"
import { pages, resolver, trap } from "../support/fetching.ts"
import { withSettings } from "../support/loopback.ts"

/** Lets addresses through that FETCH_ALLOW names, because a test has no others. */
const lenient = effectTest(
  layerWithin({ ...documentLimits, timeout: "1 minute", exempts: true }).pipe(Layer.provide(resolver))
)
const strict = effectTest(layerWithin(documentLimits).pipe(Layer.provide(resolver)))

const json = (body: string, init: ResponseInit = {}) =>
  new Response(body, { headers: { "content-type": "application/json" }, ...init })

/** What is read of a description that is answered like this; null if it is refused. */
const reading = (answer: () => Response) =>
  Effect.gen(function* () {
    const { port } = yield* pages(answer)
    const { read } = yield* ClientDocuments
    return yield* read(`http://site.test:${port}/client`).pipe(
      withSettings({ FETCH_ALLOW: `site.test:${port}` }),
      Effect.orElseSucceed(() => null)
    )
  })

lenient("a description is read with the time that it may be kept", function* () {
  for (const [header, maxAge] of [
    [undefined, undefined],
    ["public, max-age=60", 60],
    ["max-age=99999999999999", undefined],
    ["no-store, max-age=60", 0]
  ] as const) {
    const headers = { "content-type": "application/json", ...(header && { "cache-control": header }) }
    expect(yield* reading(() => json('{"a":1}', { headers }))).toEqual({ json: { a: 1 }, maxAge })
  }
  const headers = { "content-type": "application/cimd+json; charset=utf-8" }
  expect(yield* reading(() => json("[]", { headers }))).toEqual({ json: [], maxAge: undefined })
})

lenient("a redirect, an error, another type, a long or broken description are refused", function* () {
  for (const answer of [
    () => new Response(null, { status: 302, headers: { location: "/other" } }),
    () => json("{}", { status: 404 }),
    () => json("{}", { status: 203 }),
    () => json("{}", { headers: { "content-type": "text/html" } }),
    () => json(`"${"x".repeat(10_000)}"`),
    () => json("{"),
    () =>
      new Response(new Uint8Array([0x22, 0xff, 0x22]), { headers: { "content-type": "application/json" } })
  ])
    expect(yield* reading(answer)).toBeNull()
})

strict("no description comes from the own network, whatever FETCH_ALLOW says", function* () {
  const counter = yield* trap
  const { read } = yield* ClientDocuments
  for (const host of ["127.0.0.1", "localhost", "private.test", "mixed.test", "[::1]", "site.test"]) {
    const allow = { FETCH_ALLOW: `${host}, ${host}:${counter.port}` }
    for (const address of [`https://${host}/client`, `https://${host}:${counter.port}/client`])
      expect((yield* Effect.either(read(address)).pipe(withSettings(allow)))._tag).toBe("Left")
  }
  expect(counter.hits).toBe(0)
})
