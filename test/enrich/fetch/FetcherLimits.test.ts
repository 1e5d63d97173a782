import { describe, expect } from "bun:test"
import { createServer } from "node:http"
import { Readable } from "node:stream"
import { constants, createBrotliCompress, gzipSync } from "node:zlib"
import { Effect, Fiber, Layer } from "effect"
import { Resolver } from "../../../src/enrich/fetch/Destination.ts"
import { make } from "../../../src/enrich/fetch/Fetcher.ts"
import { bytes, describeData } from "../../support/data.ts"
import { endless, fetchingAt, html, it, limits, page, pages, wire } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"

/** A page that is slow enough for readers to meet, and how many have met there. */
const crowd = () => {
  let open = 0
  let most = 0
  const answer = async () => {
    most = Math.max(most, ++open)
    await Bun.sleep(10)
    open--
    return page("x")
  }
  return { answer, most: () => most }
}

/** Fetches from all `hosts` at once, every one of which is at the pages' address. */
const fetchingAll = (hosts: ReadonlyArray<string>, ...more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const everywhere = Layer.succeed(Resolver, { lookup: () => Effect.succeed(["127.0.0.2"]) })
    const fetcher = yield* Effect.provide(make(limits), everywhere)
    yield* Effect.forEach(hosts, (host) => fetcher.fetch(new URL(`http://${host}/`), html), {
      concurrency: "unbounded"
    })
  }).pipe(withSettings({ FETCH_ALLOW: [...hosts, ...more].join(",") }))

describe("Fetcher's limits", () => {
  it(
    "stops reading an endless body at its limit",
    Effect.gen(function* () {
      const { body, left } = endless(65_536, 1)
      const server = yield* pages(() => page(body()))
      const fetched = yield* fetchingAt(server.port)
      expect([fetched.body.length, fetched.cut]).toEqual([100_000, true])
      yield* left
    })
  )

  it(
    "stops a packed body that unpacks to nothing",
    Effect.gen(function* () {
      const { promise, resolve } = Promise.withResolvers<void>()
      // A gzip header with the flag for a file name, and then a name without an end (RFC 1952, 2.3).
      const header = Uint8Array.of(0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3)
      const chunks = (function* () {
        yield header
        for (;;) yield new Uint8Array(16_384).fill(97)
      })()
      let sent = 0
      const body = () =>
        new ReadableStream({
          pull: (controller) => {
            const { value = new Uint8Array() } = chunks.next()
            sent += value.length
            controller.enqueue(value)
          },
          cancel: () => resolve()
        })
      const server = yield* pages(() => page(body(), { "content-encoding": "gzip" }))
      const { reason } = yield* Effect.flip(fetchingAt(server.port))
      expect(reason).toBe("bad-encoding")
      yield* Effect.promise(() => promise)
      // What the limit leaves, and what the two ends of a connection hold.
      expect(sent).toBeLessThan(20_000_000)
    })
  )

  it(
    "takes a whole body that packing has made longer",
    Effect.gen(function* () {
      const noise = crypto.getRandomValues(new Uint8Array(50_000))
      const packed = gzipSync(noise)
      expect(packed.length).toBeGreaterThan(noise.length)
      const server = yield* pages(() => page(packed, { "content-encoding": "gzip" }))
      const { body, cut } = yield* fetchingAt(server.port, "", { maxBytes: noise.length })
      expect([Buffer.compare(body, noise), cut]).toEqual([0, false])
    })
  )

  it(
    "takes a body of exactly its limit for a whole one",
    Effect.gen(function* () {
      const server = yield* pages(() => page("a".repeat(100_000)))
      const { body, cut } = yield* fetchingAt(server.port)
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
        const ended = yield* Effect.either(fetchingAt(server.port))
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
      const error = yield* Effect.flip(fetchingAt(server.port))
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
      const error = yield* Effect.flip(fetchingAt(server.port))
      expect(error.reason).toBe("timeout")
      expect(performance.now() - started).toBeLessThan(2_000)
      yield* left
    })
  )

  it(
    "refuses headers without an end",
    Effect.gen(function* () {
      const { left, port } = yield* wire((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        while (socket.write(`x-filler: ${"a".repeat(8_000)}\r\n`) > 0) {}
      })
      expect((yield* Effect.flip(fetchingAt(port))).reason).toBe("unreachable")
      yield* left
    })
  )

  it(
    "gives a server that drips its headers no more than its time, and hangs up",
    Effect.gen(function* () {
      const { left, port } = yield* wire((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nx-filler: ")
        const drip = setInterval(() => {
          if (socket.write("a") <= 0) clearInterval(drip)
        }, 20)
      })
      expect((yield* Effect.flip(fetchingAt(port))).reason).toBe("timeout")
      yield* left
    })
  )

  it(
    "hangs up when the fetch is interrupted",
    Effect.gen(function* () {
      const asked = Promise.withResolvers<void>()
      const { left, port } = yield* wire(() => asked.resolve())
      const fiber = yield* Effect.fork(fetchingAt(port))
      yield* Effect.promise(() => asked.promise)
      yield* Fiber.interrupt(fiber)
      yield* left
    })
  )

  it(
    "gives all hops together no more than its time",
    Effect.gen(function* () {
      const server = yield* pages(async ({ url }) => {
        await Bun.sleep(300)
        return page("", { location: `${url}a` }, 302)
      })
      const started = performance.now()
      expect((yield* Effect.flip(fetchingAt(server.port))).reason).toBe("timeout")
      expect(performance.now() - started).toBeLessThan(1_400)
    })
  )

  it(
    "does not count the time that a fetch waits for its turns",
    Effect.gen(function* () {
      const server = yield* pages(async ({ url }) => {
        await Bun.sleep(100)
        return url.endsWith("/end") ? page("x") : page("", { location: "/end" }, 302)
      })
      const fetcher = yield* Effect.provide(
        make({ ...limits, timeout: "500 millis", perHost: 1 }),
        Layer.succeed(Resolver, { lookup: () => Effect.succeed([]) })
      )
      const ended = yield* Effect.forEach(
        Array.from({ length: 5 }),
        () => fetcher.fetch(new URL(`http://127.0.0.2:${server.port}/`), html),
        { concurrency: "unbounded" }
      ).pipe(withSettings({ FETCH_ALLOW: `127.0.0.2:${server.port}` }))
      expect(ended.length).toBe(5)
    })
  )

  it(
    "holds no more than two connections to one host",
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createServer((_, response) => {
            setTimeout(() => response.setHeader("content-type", "text/html").end("x"), 10)
          })
        ),
        (server) => Effect.sync(() => server.closeAllConnections())
      )
      server.on("connection", (socket) => {
        most = Math.max(most, ++open)
        socket.on("close", () => open--)
      })
      const port = yield* Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.2", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
        })
      })
      const all = Array.from({ length: 30 }, (_, index) => fetchingAt(port, String(index)))
      expect((yield* Effect.all(all, { concurrency: "unbounded" })).length).toBe(30)
      expect(most).toBe(2)
    })
  )

  it(
    "asks one host no more than twice at once, from however many others it is sent there",
    Effect.gen(function* () {
      const { answer, most } = crowd()
      const target = yield* pages(answer)
      const server = yield* pages(() => page("", { location: `http://site.test:${target.port}/` }, 302))
      const hosts = Array.from({ length: 30 }, (_, index) => `host${index}.test:${server.port}`)
      yield* fetchingAll(hosts, `site.test:${target.port}`)
      expect(most()).toBe(2)
    })
  )

  it(
    "has no more than eight fetches open at once over all hosts",
    Effect.gen(function* () {
      const { answer, most } = crowd()
      const server = yield* pages(answer)
      yield* fetchingAll(Array.from({ length: 30 }, (_, index) => `host${index}.test:${server.port}`))
      expect(most()).toBe(8)
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
    const { body, cut } = yield* fetchingAt(server.port, "", {
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
