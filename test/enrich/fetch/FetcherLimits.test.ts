import { describe, expect } from "bun:test"
import { createServer } from "node:http"
import { Readable } from "node:stream"
import { constants, createBrotliCompress, gzipSync } from "node:zlib"
import type { Socket } from "bun"
import { Effect, Fiber, Layer } from "effect"
import { Resolver } from "../../../src/enrich/fetch/Destination.ts"
import { Fetcher, make } from "../../../src/enrich/fetch/Fetcher.ts"
import { bytes, describeData } from "../../support/data.ts"
import { effectTest } from "../../support/effect.ts"
import { endless, fetchingAt, html, it, limits, page, pages, resolver, wire } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"
import { long } from "../../support/tier.ts"

/** A slow page, and the highest number of concurrent requests for it. */
const slowPage = () => {
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

/** Fetches from all `hosts` at once; every name resolves to the address of `pages`. */
const fetchingAll = (hosts: ReadonlyArray<string>, ...more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const everywhere = Layer.succeed(Resolver, { lookup: () => Effect.succeed(["127.0.0.2"]) })
    const fetcher = yield* Effect.provide(make(limits), everywhere)
    yield* Effect.forEach(hosts, (host) => fetcher.fetch(new URL(`http://${host}/`), html), {
      concurrency: "unbounded"
    })
  }).pipe(withSettings({ FETCH_ALLOW: [...hosts, ...more].join(",") }))

/** A fetcher that gives up soon. */
const impatient = effectTest(
  Layer.effect(Fetcher, make({ ...limits, timeout: "300 millis" })).pipe(Layer.provide(resolver))
)

/** Sends `piece` every 20 ms until the client closes the connection. */
const drip = (socket: Socket, piece: string) => {
  const timer = setInterval(() => {
    if (socket.write(piece) <= 0) clearInterval(timer)
  }, 20)
}

describe("the limits of Fetcher", () => {
  it("cuts an endless body at its limit and closes the connection", function* () {
    const { body, left } = endless(65_536, 1)
    const server = yield* pages(() => page(body()))
    const fetched = yield* fetchingAt(server.port)
    expect([fetched.body.length, fetched.cut]).toEqual([100_000, true])
    yield* left
  })

  it("rejects compressed data that never yields a byte", function* () {
    const { promise, resolve } = Promise.withResolvers<void>()
    // A gzip header with the flag for a file name, followed by an endless name (RFC 1952, 2.3).
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
    // The limit plus the buffers of both ends of the connection.
    expect(sent).toBeLessThan(20_000_000)
  })

  it("accepts a whole body that compression made longer", function* () {
    const noise = crypto.getRandomValues(new Uint8Array(50_000))
    const packed = gzipSync(noise)
    expect(packed.length).toBeGreaterThan(noise.length)
    const server = yield* pages(() => page(packed, { "content-encoding": "gzip" }))
    const { body, cut } = yield* fetchingAt(server.port, "", { maxBytes: noise.length })
    expect([Buffer.compare(body, noise), cut]).toEqual([0, false])
  })

  it("accepts a body of exactly its limit as complete", function* () {
    const server = yield* pages(() => page("a".repeat(100_000)))
    const { body, cut } = yield* fetchingAt(server.port)
    expect([body.length, cut]).toEqual([100_000, false])
  })

  for (const [what, status, type] of [
    ["of an unwanted type", 200, "application/pdf"],
    ["of an error response", 500, "text/html"],
    ["of a redirect", 302, "text/html"]
  ] as const)
    it(`closes the connection without reading the body ${what}`, function* () {
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

  for (const [what, answer] of [
    ["a silent server", () => {}],
    ["headers that arrive slowly", (socket: Socket) => drip(socket, "HTTP/1.1 200 OK\r\nx-filler: ")],
    [
      "a body that arrives slowly",
      (socket: Socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99999\r\n\r\n")
        drip(socket, "a")
      }
    ]
  ] as const)
    impatient(`times out on ${what} and closes the connection`, function* () {
      const { left, port } = yield* wire(answer)
      expect((yield* Effect.flip(fetchingAt(port))).reason).toBe("timeout")
      yield* left
    })

  it("rejects endless headers", function* () {
    const { left, port } = yield* wire((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      while (socket.write(`x-filler: ${"a".repeat(8_000)}\r\n`) > 0) {}
    })
    expect((yield* Effect.flip(fetchingAt(port))).reason).toBe("unreachable")
    yield* left
  })

  it("closes the connection when it is interrupted", function* () {
    const asked = Promise.withResolvers<void>()
    const { left, port } = yield* wire(() => asked.resolve())
    const fiber = yield* Effect.fork(fetchingAt(port))
    yield* Effect.promise(() => asked.promise)
    yield* Fiber.interrupt(fiber)
    yield* left
  })

  impatient("applies its timeout to all hops together", function* () {
    const server = yield* pages(async ({ url }) => {
      await Bun.sleep(100)
      return page("", { location: `${url}a` }, 302)
    })
    expect((yield* Effect.flip(fetchingAt(server.port))).reason).toBe("timeout")
  })

  long(it)("excludes the wait for a free connection from its timeout", function* () {
    const server = yield* pages(async ({ url }) => {
      await Bun.sleep(250)
      return url.endsWith("/end") ? page("x") : page("", { location: "/end" }, 302)
    })
    const fetcher = yield* Effect.provide(
      make({ ...limits, timeout: "3 seconds", perHost: 1 }),
      Layer.succeed(Resolver, { lookup: () => Effect.succeed([]) })
    )
    const ended = yield* Effect.forEach(
      Array.from({ length: 8 }),
      () => fetcher.fetch(new URL(`http://127.0.0.2:${server.port}/`), html),
      { concurrency: "unbounded" }
    ).pipe(withSettings({ FETCH_ALLOW: `127.0.0.2:${server.port}` }))
    expect(ended.length).toBe(8)
  })

  it("opens at most two connections to a host", function* () {
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

  it("sends at most two concurrent requests to a host that many hosts redirect to", function* () {
    const { answer, most } = slowPage()
    const target = yield* pages(answer)
    const server = yield* pages(() => page("", { location: `http://site.test:${target.port}/` }, 302))
    const hosts = Array.from({ length: 30 }, (_, index) => `host${index}.test:${server.port}`)
    yield* fetchingAll(hosts, `site.test:${target.port}`)
    expect(most()).toBe(2)
  })

  it("runs at most eight fetches at once over all hosts", function* () {
    const { answer, most } = slowPage()
    const server = yield* pages(answer)
    yield* fetchingAll(Array.from({ length: 30 }, (_, index) => `host${index}.test:${server.port}`))
    expect(most()).toBe(8)
  })
})

/** The growth of this process in megabytes after it reads 5 MiB of a decompression bomb. */
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

describe("Fetcher on a decompression bomb", () => {
  it("grows by less than 100 MB over 512 MB of brotli data", function* () {
    // Compressed in pieces, so that the measured growth is the fetcher's own.
    const zeros = Readable.from(Array(512).fill(Buffer.alloc(1024 * 1024)))
    const packing = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
    const bomb = Buffer.concat(yield* Effect.promise(() => Array.fromAsync(zeros.pipe(packing))))
    expect(yield* readBomb(bomb, "br")).toBeLessThan(100)
  })
})

describeData("hostile", "Fetcher on a recorded decompression bomb", () => {
  it("grows by less than 100 MB over 512 MB of gzip data", function* () {
    const bomb = bytes("hostile/generated/bomb-512MB.gz")
    expect(yield* readBomb(Buffer.from(bomb), "gzip")).toBeLessThan(100)
  })
})
