import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Fetcher, type FetchOptions, make } from "../../src/enrich/Fetcher.ts"
import { Resolver } from "../../src/enrich/Resolver.ts"
import { bytes, describeData, json } from "../support/data.ts"
import { effectTest } from "../support/effect.ts"
import { withSettings } from "../support/loopback.ts"

/** Names of the tests; what is not here has no address. A list of lists answers one look-up after the other. */
const names: Record<string, ReadonlyArray<string>> = {
  "site.test": ["127.0.0.2"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "private.test": ["10.0.0.1"],
  localhost: ["127.0.0.1", "::1"]
}

const resolver = Layer.succeed(Resolver, { lookup: (name) => Effect.succeed(names[name] ?? []) })

const limits = { timeout: "1 second", redirects: 5, addresses: 3, perHost: 2, inAll: 8 } as const
const it = effectTest(Layer.effect(Fetcher, make(limits)).pipe(Layer.provideMerge(resolver)))

const html: FetchOptions = {
  accept: "text/html",
  readable: (type) => type === "text/html",
  maxBytes: 100_000
}

/** A server on another loopback address than the trap's, at which pages may be fetched. */
const pages = (answer: (request: Request) => Response | Promise<Response>) =>
  Effect.acquireRelease(
    Effect.sync(() => Bun.serve({ port: 0, hostname: "127.0.0.2", idleTimeout: 30, fetch: answer })),
    (server) => Effect.promise(() => server.stop(true))
  )

/** Something private that nobody may reach. */
const trap = Effect.gen(function* () {
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

const page = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { "content-type": "text/html", ...headers } })

const fetching = (url: string, allow = "", options: Partial<FetchOptions> = {}) =>
  Effect.flatMap(Fetcher, (fetcher) => fetcher.fetch(new URL(url), { ...html, ...options })).pipe(
    withSettings({ FETCH_ALLOW: allow })
  )

const text = (body: Uint8Array) => new TextDecoder().decode(body)

describe("Fetcher", () => {
  it(
    "reads a page of a name at the address that was checked, under its name and with nothing of ours",
    Effect.gen(function* () {
      const seen: Array<Record<string, string>> = []
      const server = yield* pages(({ headers }) => {
        seen.push(Object.fromEntries(headers))
        return page("<title>Hello</title>")
      })
      const url = `http://site.test:${server.port}/a?b=c`
      const fetched = yield* fetching(url, `site.test:${server.port}`)
      expect([text(fetched.body), fetched.url.href, fetched.redirects, fetched.cut]).toEqual([
        "<title>Hello</title>",
        url,
        [],
        false
      ])
      expect(seen).toEqual([
        {
          host: `site.test:${server.port}`,
          accept: "text/html",
          "accept-encoding": "gzip",
          "accept-language": "en, *;q=0.5",
          "user-agent": expect.stringContaining("Linkbower"),
          connection: expect.any(String)
        }
      ])
    })
  )

  it(
    "looks a name up once a hop, and reads the page of the address it checked",
    Effect.gen(function* () {
      const caught = yield* trap
      const server = yield* pages(() => page("the public page"))
      const answers = [["127.0.0.2"], ["127.0.0.1"]]
      let lookups = 0
      const rebinding = Layer.succeed(Resolver, {
        lookup: () => Effect.sync(() => answers[lookups++] ?? ["127.0.0.1"])
      })
      const fetcher = yield* Effect.provide(make(limits), rebinding)
      const fetched = yield* fetcher
        .fetch(new URL(`http://rebind.test:${server.port}/`), html)
        .pipe(withSettings({ FETCH_ALLOW: `rebind.test:${server.port}` }))
      expect([text(fetched.body), lookups, caught.hits]).toEqual(["the public page", 1, 0])
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

  it(
    "follows redirects through the same checks, five at most",
    Effect.gen(function* () {
      const caught = yield* trap
      const server = yield* pages(({ url }) => {
        const to = new URL(url).searchParams.get("to")
        if (new URL(url).pathname === "/loop")
          return new Response(null, { status: 301, headers: { location: "/loop" } })
        const left = Number(new URL(url).searchParams.get("left") ?? 0)
        if (to !== null) return new Response(null, { status: 302, headers: { location: to } })
        return left > 0
          ? new Response(null, { status: 302, headers: { location: `?left=${left - 1}` } })
          : page("arrived")
      })
      const base = `http://127.0.0.2:${server.port}/`
      const allow = `127.0.0.2:${server.port}`
      const fetched = yield* fetching(`${base}?left=5`, allow)
      expect([text(fetched.body), fetched.redirects.length, fetched.url.search]).toEqual([
        "arrived",
        5,
        "?left=0"
      ])
      const fails = (url: string) => Effect.map(Effect.flip(fetching(url, allow)), ({ reason }) => reason)
      expect(yield* fails(`${base}?left=6`)).toBe("too-many-redirects")
      expect(yield* fails(`${base}?to=${encodeURIComponent("/loop")}`)).toBe("too-many-redirects")
      for (const to of [
        `http://127.0.0.1:${caught.port}/`,
        `//127.0.0.1:${caught.port}/`,
        `${base}?to=${encodeURIComponent(`http://127.0.0.1:${caught.port}/`)}`,
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:25/",
        "http://localhost/",
        "http://[::1]/"
      ])
        expect([to, yield* fails(`${base}?to=${encodeURIComponent(to)}`)]).toEqual([to, "refused-address"])
      expect(caught.hits).toBe(0)
    })
  )

  it(
    "stops reading an endless body at its limit",
    Effect.gen(function* () {
      let written = 0
      const server = yield* pages(() =>
        page(
          new ReadableStream({
            pull: async (controller) => {
              written += 65_536
              controller.enqueue(new Uint8Array(65_536).fill(97))
              await Bun.sleep(1)
            }
          })
        )
      )
      const { body, cut } = yield* fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
      expect([body.length, cut]).toEqual([100_000, true])
      expect(written).toBeLessThan(20_000_000)
    })
  )

  for (const [why, answer] of [
    ["says nothing", () => new Promise<Response>(() => {})],
    [
      "drips",
      () =>
        page(
          new ReadableStream({
            pull: async (controller) => {
              controller.enqueue(new Uint8Array([97]))
              await Bun.sleep(50)
            }
          })
        )
    ]
  ] as const)
    it(
      `gives a server that ${why} no more than its time`,
      Effect.gen(function* () {
        const server = yield* pages(answer)
        const started = performance.now()
        const error = yield* Effect.flip(
          fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
        )
        expect(error.reason).toBe("timeout")
        expect(performance.now() - started).toBeLessThan(2_000)
      })
    )

  it(
    "unpacks gzip, and refuses what it cannot unpack",
    Effect.gen(function* () {
      const server = yield* pages(({ url }) => {
        const encoding = new URL(url).searchParams.get("e") ?? ""
        const packed = encoding === "gzip" ? Bun.gzipSync(Buffer.from("unpacked")) : "not packed at all"
        return page(packed, { "content-encoding": encoding })
      })
      const base = `http://127.0.0.2:${server.port}/`
      const allow = `127.0.0.2:${server.port}`
      expect(text((yield* fetching(`${base}?e=gzip`, allow)).body)).toBe("unpacked")
      for (const e of ["br", "zstd", "gzip, gzip", "x-gzip", "nonsense"])
        expect([e, (yield* Effect.flip(fetching(`${base}?e=${e}`, allow))).reason]).toEqual([
          e,
          "bad-encoding"
        ])
    })
  )

  it(
    "reads no other kind of file, and no answer but a success",
    Effect.gen(function* () {
      const server = yield* pages(({ url }) => {
        const { searchParams } = new URL(url)
        return new Response("x", {
          status: Number(searchParams.get("s") ?? 200),
          headers: { "content-type": searchParams.get("t") ?? "text/html; charset=x" }
        })
      })
      const base = `http://127.0.0.2:${server.port}/`
      const allow = `127.0.0.2:${server.port}`
      expect((yield* fetching(base, allow)).contentType).toBe("text/html; charset=x")
      for (const type of ["application/pdf", "image/png", "application/octet-stream", "TEXT/HTMLX"])
        expect((yield* Effect.flip(fetching(`${base}?t=${type}`, allow))).reason).toBe("content-type")
      for (const [status, lasting] of [
        [404, true],
        [410, true],
        [500, false],
        [429, false],
        [403, false]
      ] as const)
        expect(yield* Effect.flip(fetching(`${base}?s=${status}`, allow))).toMatchObject({
          reason: "status",
          status,
          lasting
        })
    })
  )

  it(
    "asks one host no more than twice at once",
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const server = yield* pages(async () => {
        most = Math.max(most, ++open)
        await Bun.sleep(10)
        open--
        return page("x")
      })
      const all = Array.from({ length: 30 }, (_, index) =>
        fetching(`http://127.0.0.2:${server.port}/${index}`, `127.0.0.2:${server.port}`)
      )
      expect((yield* Effect.all(all, { concurrency: "unbounded" })).length).toBe(30)
      expect(most).toBe(2)
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

  it(
    "tells an unreachable server without saying which",
    Effect.gen(function* () {
      const error = yield* Effect.flip(fetching("http://127.0.0.2:9/secret-path", "127.0.0.2:9"))
      expect(error.reason).toBe("unreachable")
      expect(Bun.inspect(error) + JSON.stringify(error) + error.stack).not.toContain("secret-path")
    })
  )
})

describeData("ssrf", "Fetcher on addresses that must be refused", () => {
  const block = json<{ readonly block: ReadonlyArray<string> }>("ssrf/request-filtering-agent.json").block
  const more = [
    ...json<ReadonlyArray<string>>("ssrf/payloadsallthethings.json"),
    ...json<ReadonlyArray<string>>("ssrf/whatwg-ipv4-spellings.json")
  ]

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
      let refused = 0
      for (const spelling of [...block, ...more]) {
        const url = URL.parse(spelling.replace("PORT", String(caught.port)))
        if (url === null) continue
        const publicLiteral =
          /^(1\.2\.3\.4|192\.168|255\.)/.test(url.hostname) && url.hostname.startsWith("1.2.3.4")
        if (publicLiteral) continue
        const error = yield* Effect.flip(fetcher.fetch(url, html).pipe(withSettings({})))
        expect(["refused-address", "unreachable"]).toContain(error.reason)
        refused++
      }
      expect(refused).toBeGreaterThan(50)
      expect(caught.hits).toBe(0)
    })
  )
})

describeData("hostile", "Fetcher on a decompression bomb", () => {
  it(
    "holds no more of it than its limit",
    Effect.gen(function* () {
      const bomb = bytes("hostile/generated/bomb-512MB.gz")
      const server = yield* pages(() => page(Buffer.from(bomb), { "content-encoding": "gzip" }))
      Bun.gc(true)
      const before = process.memoryUsage().rss
      const limit = 5 * 1024 * 1024
      const { body, cut } = yield* fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`, {
        maxBytes: limit
      })
      const grown = (process.memoryUsage().rss - before) / 1e6
      expect([body.length, cut]).toEqual([limit, true])
      expect(grown).toBeLessThan(150)
    })
  )
})
