import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Resolver } from "../../../src/enrich/fetch/Destination.ts"
import { Fetcher, make } from "../../../src/enrich/fetch/Fetcher.ts"
import { describeData, json } from "../../support/data.ts"
import { effectTest } from "../../support/effect.ts"
import { fetching, html, it, limits, names, page, pages, text, trap } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"

describe("Fetcher on addresses that may be private", () => {
  it(
    "looks a name up once a hop, and reads the page of the address it checked",
    Effect.gen(function* () {
      const caught = yield* trap
      const server = yield* pages(({ url }) =>
        new URL(url).pathname === "/"
          ? new Response(null, { status: 302, headers: { location: "/next" } })
          : page("the public page")
      )
      const answers = [["127.0.0.2"], ["127.0.0.2"]]
      let lookups = 0
      const rebinding = Layer.succeed(Resolver, {
        lookup: () => Effect.sync(() => answers[lookups++] ?? ["127.0.0.1"])
      })
      const fetcher = yield* Effect.provide(make(limits), rebinding)
      const fetched = yield* fetcher
        .fetch(new URL(`http://rebind.test:${server.port}/`), html)
        .pipe(withSettings({ FETCH_ALLOW: `rebind.test:${server.port}` }))
      expect([text(fetched.body), lookups, caught.hits]).toEqual(["the public page", 2, 0])
    })
  )

  it(
    "checks a name anew at the next hop, whatever it was before",
    Effect.gen(function* () {
      const caught = yield* trap
      const server = yield* pages(() => page("", { location: `http://rebind.test:${caught.port}/` }, 302))
      const answers = [["127.0.0.2"]]
      const rebinding = Layer.succeed(Resolver, {
        lookup: () => Effect.sync(() => answers.shift() ?? ["127.0.0.1"])
      })
      const fetcher = yield* Effect.provide(make(limits), rebinding)
      const { reason } = yield* fetcher
        .fetch(new URL(`http://rebind.test:${server.port}/`), html)
        .pipe(withSettings({ FETCH_ALLOW: `rebind.test:${server.port}` }), Effect.flip)
      expect([reason, caught.hits]).toEqual(["refused-address", 0])
    })
  )

  it(
    "refuses a name with a private address among public ones, and never dials it",
    Effect.gen(function* () {
      const caught = yield* trap
      for (const name of ["mixed.test", "private.test", "localhost"])
        expect((yield* Effect.flip(fetching(`http://${name}/`))).reason).toBe("refused-address")
      expect(caught.hits).toBe(0)
    })
  )

  effectTest(Layer.provide(Fetcher.layer, Resolver.layer))(
    "refuses what the system's own resolver finds on this machine",
    Effect.gen(function* () {
      const error = yield* Effect.flip(fetching("http://localhost/"))
      expect([error.reason, error.lasting]).toEqual(["refused-address", true])
    })
  )

  it(
    "goes through no proxy of the environment",
    Effect.gen(function* () {
      const caught = yield* trap
      const server = yield* pages(() => page("direct"))
      const before = process.env["HTTP_PROXY"]
      process.env["HTTP_PROXY"] = `http://127.0.0.1:${caught.port}`
      const { body } = yield* fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            if (before === undefined) delete process.env["HTTP_PROXY"]
            else process.env["HTTP_PROXY"] = before
          })
        )
      )
      expect([text(body), caught.hits]).toEqual(["direct", 0])
    })
  )
})

describeData("ssrf", "Fetcher on addresses that must be refused", () => {
  const block = json<{ readonly block: ReadonlyArray<string> }>("ssrf/request-filtering-agent.json").block
  const more = [
    ...json<ReadonlyArray<string>>("ssrf/payloadsallthethings.json"),
    ...json<ReadonlyArray<string>>("ssrf/whatwg-ipv4-spellings.json")
  ]
  /** A public address, which the tests must not dial. */
  const readable = ["http://1.2.3.4/"]
  /** Public names, which nobody resolves here. */
  const unknown = ["307.r3dir.me", "example.com"]

  it(
    `reaches nothing private by any of ${block.length + more.length} spellings`,
    Effect.gen(function* () {
      const caught = yield* trap
      // Names with a private address in them resolve to it, as the public service behind them would.
      const embedding = Layer.succeed(Resolver, {
        lookup: (name) =>
          Effect.succeed(
            [name.match(/^(\d+\.\d+\.\d+\.\d+)\.nip\.io$/)?.[1] ?? names[name]]
              .flat()
              .filter((one) => one !== undefined)
          )
      })
      const fetcher = yield* Effect.provide(make(limits), embedding)
      for (const spelling of [...block, ...more]) {
        const url = URL.parse(spelling.replace("PORT", String(caught.port)))
        if (url === null || readable.includes(url.href)) continue
        const { reason } = yield* Effect.flip(fetcher.fetch(url, html).pipe(withSettings({})))
        expect([spelling, reason]).toEqual([
          spelling,
          unknown.includes(url.hostname) ? "unreachable" : "refused-address"
        ])
      }
      expect(caught.hits).toBe(0)
    })
  )
})
