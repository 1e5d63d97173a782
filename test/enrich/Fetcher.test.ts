import { describe, expect } from "bun:test"
import { Readable } from "node:stream"
import { brotliCompressSync, constants, createBrotliCompress, deflateSync } from "node:zlib"
import { Effect, Layer } from "effect"
import { Fetcher, type FetchOptions, make } from "../../src/enrich/Fetcher.ts"
import { Resolver } from "../../src/enrich/Resolver.ts"
import { bytes, describeData, json } from "../support/data.ts"
import { effectTest } from "../support/effect.ts"
import { withSettings } from "../support/loopback.ts"

/** Names of the tests; what is not here has no address. A list of lists answers one look-up after the other. */
const names: Record<string, ReadonlyArray<string>> = {
  "site.test": ["127.0.0.2"],
  "two.test": ["127.0.0.3", "127.0.0.2"],
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

/** A body that never ends, and who learns when nobody reads it any more. */
const endless = (bytes: number, pause: number) => {
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

const page = (body: BodyInit, headers: Record<string, string> = {}, status = 200) =>
  new Response(body, { status, headers: { "content-type": "text/html", ...headers } })

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
      const server = yield* pages(({ headers, url }) => {
        seen.push(Object.fromEntries(headers))
        return new URL(url).pathname === "/moved"
          ? new Response(null, { status: 302, headers: { location: "/a?b=c#d", "set-cookie": "visitor=1" } })
          : page("<title>Hello</title>")
      })
      const base = `http://site.test:${server.port}`
      const fetched = yield* fetching(`${base}/moved`, `site.test:${server.port}`)
      expect(fetched).toEqual({
        url: new URL(`${base}/a?b=c#d`),
        redirects: [`${base}/moved`],
        contentType: "text/html",
        body: new Uint8Array(Buffer.from("<title>Hello</title>")),
        cut: false
      })
      expect(seen).toEqual(
        Array(2).fill({
          host: `site.test:${server.port}`,
          accept: "text/html",
          "accept-encoding": "gzip, br",
          "accept-language": "en, *;q=0.5",
          "user-agent": "Linkbower/0.1 (self-hosted link library)",
          connection: expect.any(String)
        })
      )
    })
  )

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
    "tries another address of a host where the first cannot be reached",
    Effect.gen(function* () {
      const server = yield* pages(() => page("here"))
      const { body } = yield* fetching(`http://two.test:${server.port}/`, `two.test:${server.port}`)
      expect(text(body)).toBe("here")
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
      const { body, left } = endless(65_536, 1)
      const server = yield* pages(() => page(body()))
      const fetched = yield* fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
      expect([fetched.body.length, fetched.cut]).toEqual([100_000, true])
      yield* left
    })
  )

  it(
    "takes a body of exactly its limit for a whole one",
    Effect.gen(function* () {
      const server = yield* pages(() => page("a".repeat(100_000)))
      const { body, cut } = yield* fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
      expect([body.length, cut]).toEqual([100_000, false])
    })
  )

  for (const [what, status, type] of [
    ["of another type", 200, "application/pdf"],
    ["of an error", 500, "text/html"],
    ["of a redirect", 302, "text/html"]
  ] as const)
    it(
      `leaves the body ${what} unread, and hangs up`,
      Effect.gen(function* () {
        const { body, left } = endless(1_000, 1)
        const server = yield* pages(({ url }) =>
          new URL(url).pathname === "/end"
            ? page("the end")
            : page(body(), { "content-type": type, location: "/end" }, status)
        )
        const ended = yield* Effect.either(
          fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
        )
        yield* left
        expect(ended._tag).toBe(status === 302 ? "Right" : "Left")
      })
    )

  it(
    "gives a server that says nothing no more than its time, and hangs up",
    Effect.gen(function* () {
      const { promise, resolve } = Promise.withResolvers<void>()
      const server = yield* pages(({ signal }) => {
        signal.addEventListener("abort", () => resolve())
        return new Promise<Response>(() => {})
      })
      const error = yield* Effect.flip(
        fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
      )
      expect(error.reason).toBe("timeout")
      yield* Effect.promise(() => promise)
    })
  )

  it(
    "gives a server that drips no more than its time, and hangs up",
    Effect.gen(function* () {
      const { body, left } = endless(1, 20)
      const server = yield* pages(() => page(body()))
      const started = performance.now()
      const error = yield* Effect.flip(
        fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
      )
      expect(error.reason).toBe("timeout")
      expect(performance.now() - started).toBeLessThan(2_000)
      yield* left
    })
  )

  it(
    "unpacks gzip, brotli and deflate, and refuses what it cannot unpack",
    Effect.gen(function* () {
      const plain = Buffer.from("unpacked")
      const packed: Record<string, Uint8Array<ArrayBuffer>> = {
        gzip: Bun.gzipSync(plain),
        "x-gzip": Bun.gzipSync(plain),
        GZip: Bun.gzipSync(plain),
        deflate: deflateSync(plain),
        br: brotliCompressSync(plain),
        identity: plain
      }
      const server = yield* pages(({ url }) => {
        const { searchParams } = new URL(url)
        const encoding = searchParams.get("e") ?? ""
        const body = searchParams.has("broken") ? "not packed at all" : (packed[encoding] ?? "unknown")
        return page(body, { "content-encoding": encoding })
      })
      const base = `http://127.0.0.2:${server.port}/`
      const allow = `127.0.0.2:${server.port}`
      for (const e of Object.keys(packed))
        expect([e, text((yield* fetching(`${base}?e=${e}`, allow)).body)]).toEqual([e, "unpacked"])
      for (const e of ["gzip&broken", "br&broken", "deflate&broken", "zstd", "gzip, gzip", "nonsense"])
        expect([e, (yield* Effect.flip(fetching(`${base}?e=${e}`, allow))).reason]).toEqual([
          e,
          "bad-encoding"
        ])
    })
  )

  it(
    "may ask again after a packed body whose connection broke off",
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.listen({
            port: 0,
            hostname: "127.0.0.2",
            socket: {
              data: (socket) => {
                socket.write(
                  "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\ncontent-length: 99\r\n\r\n"
                )
                socket.end()
              }
            }
          })
        ),
        (server) => Effect.sync(() => server.stop(true))
      )
      const error = yield* Effect.flip(
        fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`)
      )
      expect([error.reason, error.lasting]).toEqual(["unreachable", false])
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
    "has no more than eight fetches open at once over all hosts",
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const server = yield* pages(async () => {
        most = Math.max(most, ++open)
        await Bun.sleep(10)
        open--
        return page("x")
      })
      const fetcher = yield* Effect.provide(
        make(limits),
        Layer.succeed(Resolver, { lookup: () => Effect.succeed(["127.0.0.2"]) })
      )
      const hosts = Array.from({ length: 30 }, (_, index) => `host${index}.test:${server.port}`)
      yield* Effect.forEach(hosts, (host) => fetcher.fetch(new URL(`http://${host}/`), html), {
        concurrency: "unbounded"
      }).pipe(withSettings({ FETCH_ALLOW: hosts.join(",") }))
      expect(most).toBe(8)
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

/** How many megabytes more this process holds after reading 5 MiB of a bomb. */
const readBomb = (bomb: Uint8Array<ArrayBuffer>, encoding: string) =>
  Effect.gen(function* () {
    const server = yield* pages(() => page(bomb, { "content-encoding": encoding }))
    Bun.gc(true)
    const before = process.memoryUsage().rss
    const limit = 5 * 1024 * 1024
    const { body, cut } = yield* fetching(`http://127.0.0.2:${server.port}/`, `127.0.0.2:${server.port}`, {
      maxBytes: limit
    })
    expect([body.length, cut]).toEqual([limit, true])
    return (process.memoryUsage().rss - before) / 1e6
  })

describe("Fetcher on a brotli bomb", () => {
  it(
    "holds no more of it than its limit",
    Effect.gen(function* () {
      // Packed piece by piece, so that the growth measured is the fetcher's own.
      const zeros = Readable.from(Array(512).fill(Buffer.alloc(1024 * 1024)))
      const packing = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
      const bomb = Buffer.concat(yield* Effect.promise(() => Array.fromAsync(zeros.pipe(packing))))
      expect(yield* readBomb(bomb, "br")).toBeLessThan(100)
    })
  )
})

describeData("hostile", "Fetcher on a decompression bomb", () => {
  it(
    "holds no more of it than its limit",
    Effect.gen(function* () {
      const bomb = bytes("hostile/generated/bomb-512MB.gz")
      expect(yield* readBomb(Buffer.from(bomb), "gzip")).toBeLessThan(100)
    })
  )
})
