import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Resolver } from "../../../src/enrich/fetch/Destination.ts"
import { Fetcher, make } from "../../../src/enrich/fetch/Fetcher.ts"
import { describeData, json } from "../../support/data.ts"
import { effectTest } from "../../support/effect.ts"
import { fetching, html, it, limits, names, page, pages, text, trap } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"

describe("Fetcher on private addresses", () => {
  it("resolves a name once per hop and connects to the checked address", function* () {
    const secret = yield* trap
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
    expect([text(fetched.body), lookups, secret.hits]).toEqual(["the public page", 2, 0])
  })

  it("checks a name again at the next hop", function* () {
    const secret = yield* trap
    const server = yield* pages(() => page("", { location: `http://rebind.test:${secret.port}/` }, 302))
    const answers = [["127.0.0.2"]]
    const rebinding = Layer.succeed(Resolver, {
      lookup: () => Effect.sync(() => answers.shift() ?? ["127.0.0.1"])
    })
    const fetcher = yield* Effect.provide(make(limits), rebinding)
    const { reason } = yield* fetcher
      .fetch(new URL(`http://rebind.test:${server.port}/`), html)
      .pipe(withSettings({ FETCH_ALLOW: `rebind.test:${server.port}` }), Effect.flip)
    expect([reason, secret.hits]).toEqual(["refused-address", 0])
  })

  it("rejects a name with any private address without connecting", function* () {
    const secret = yield* trap
    for (const name of ["mixed.test", "private.test", "localhost"])
      expect((yield* Effect.flip(fetching(`http://${name}/`))).reason).toBe("refused-address")
    expect(secret.hits).toBe(0)
  })

  effectTest(Layer.provide(Fetcher.layer, Resolver.layer))(
    "rejects localhost as resolved by the system",
    function* () {
      const error = yield* Effect.flip(fetching("http://localhost/"))
      expect([error.reason, error.lasting]).toEqual(["refused-address", true])
    }
  )

  it("ignores the proxy of the environment", function* () {
    const secret = yield* trap
    const server = yield* pages(() => page("direct"))
    const before = process.env["HTTP_PROXY"]
    process.env["HTTP_PROXY"] = `http://127.0.0.1:${secret.port}`
    const { body } = yield* fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          if (before === undefined) delete process.env["HTTP_PROXY"]
          else process.env["HTTP_PROXY"] = before
        })
      )
    )
    expect([text(body), secret.hits]).toEqual(["direct", 0])
  })
})

describeData("ssrf", "Fetcher on spellings of private addresses", () => {
  const block = json<{ readonly block: ReadonlyArray<string> }>("ssrf/request-filtering-agent.json").block
  const more = [
    ...json<ReadonlyArray<string>>("ssrf/payloadsallthethings.json"),
    ...json<ReadonlyArray<string>>("ssrf/whatwg-ipv4-spellings.json")
  ]
  /** Public addresses, which a test must not connect to. */
  const publicUrls = ["http://1.2.3.4/"]
  /** Public names, which the test resolver does not know. */
  const publicNames = ["307.r3dir.me", "example.com"]

  it(`rejects all ${block.length + more.length} spellings`, function* () {
    const secret = yield* trap
    // Like the public service nip.io, resolves a name to the address it contains.
    const nipIo = Layer.succeed(Resolver, {
      lookup: (name) =>
        Effect.succeed(
          [name.match(/^(\d+\.\d+\.\d+\.\d+)\.nip\.io$/)?.[1] ?? names[name]]
            .flat()
            .filter((one) => one !== undefined)
        )
    })
    const fetcher = yield* Effect.provide(make(limits), nipIo)
    for (const spelling of [...block, ...more]) {
      const url = URL.parse(spelling.replace("PORT", String(secret.port)))
      if (url === null || publicUrls.includes(url.href)) continue
      const { reason } = yield* Effect.flip(fetcher.fetch(url, html).pipe(withSettings({})))
      expect([spelling, reason]).toEqual([
        spelling,
        publicNames.includes(url.hostname) ? "unreachable" : "refused-address"
      ])
    }
    expect(secret.hits).toBe(0)
  })
})
