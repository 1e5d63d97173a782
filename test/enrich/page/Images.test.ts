import { describe, expect } from "bun:test"
import { type Duration, Effect, Fiber, Layer, Option } from "effect"
import type { Picture, PictureKind } from "../../../src/domain/Picture.ts"
import { Images, makeImages, shrink } from "../../../src/enrich/page/Images.ts"
import { effectTest, sharedTest } from "../../support/effect.ts"
import { endless, limits, pages, resolver, trap, wire } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"
import { avif, bmp, boastful, gif, icon, metadata, png, svg } from "../../support/pictures.ts"
import { sandbox } from "../../support/sandbox.ts"
import { long } from "../../support/tier.ts"

const within = (timeout: Duration.DurationInput) =>
  Layer.effect(Images, makeImages({ ...limits, timeout, perHost: 4, inAll: 6 })).pipe(
    Layer.provideMerge(sandbox),
    Layer.provide(resolver)
  )
const it = sharedTest(within(limits.timeout))

const preview = png(1200, 630)

/** A response of the given content type. */
const sent = (body: BodyInit, type = "image/png", status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { "content-type": type, ...headers } })

const fetched = (
  port: number | undefined,
  kind: PictureKind = "image",
  path = "a",
  page = `http://127.0.0.2:${port}/page?private`
) =>
  Effect.flatMap(Images, (images) => images.find(kind, `http://127.0.0.2:${port}/${path}`, page)).pipe(
    withSettings({ FETCH_ALLOW: `127.0.0.2:${port}` })
  )

/** The type of the found picture; null if none was found. */
const typeOf = (answer: () => Response | Promise<Response>, kind: PictureKind = "image") =>
  Effect.gen(function* () {
    const server = yield* pages(answer)
    return Option.getOrNull(Option.map(yield* fetched(server.port, kind), ({ type }) => type))
  })

describe("Images", () => {
  it("fetches a preview and shrinks it", function* () {
    const accepts: Array<string | null> = []
    const server = yield* pages(({ headers }) => {
      accepts.push(headers.get("accept"), headers.get("cookie"), headers.get("referer"))
      return sent(preview)
    })
    const found = Option.getOrThrow(yield* fetched(server.port))
    expect(found.type).toBe("image/webp")
    expect(yield* metadata(found.bytes)).toEqual({ format: "webp", width: 480, height: 252 })
    expect(accepts).toEqual([expect.stringContaining("image/webp"), null, `http://127.0.0.2:${server.port}/`])
  })

  it("names the origin of the page to the server of a picture, unless that is the owner's secret", function* () {
    const seen: Array<string | null> = []
    const server = yield* pages(({ headers, url }) => {
      seen.push(headers.get("referer"))
      return url.endsWith("/a")
        ? new Response(null, { status: 302, headers: { location: "/b" } })
        : sent(preview)
    })
    const { port } = server
    for (const page of [
      "http://shop.example/a/b?c=d",
      "https://shop.example/",
      `http://site.test:${port}/a`,
      "file:///a",
      "no address"
    ])
      yield* Effect.flatMap(Images, (images) =>
        images.find("image", `http://127.0.0.2:${port}/a`, page)
      ).pipe(withSettings({ FETCH_ALLOW: `127.0.0.2:${port}, site.test:${port}` }))
    expect(seen).toEqual([...Array(2).fill("http://shop.example/"), ...Array(8).fill(null)])
  })

  for (const [what, kind, answer, type] of [
    ["a picture sent as text/html", "image", () => sent(preview, "text/html"), "image/webp"],
    ["a picture sent without a type", "image", () => new Response(preview), "image/webp"],
    ["a page sent as image/png", "image", () => sent("<!doctype html><p>a"), null],
    ["a script sent as image/svg+xml", "favicon", () => sent("alert(1)", "image/svg+xml"), null],
    ["an SVG preview", "image", () => sent(svg, "image/svg+xml"), null],
    ["an SVG icon", "favicon", () => sent(svg, "text/plain"), "image/svg+xml"],
    ["an ICO preview", "image", () => sent(icon(png(16, 16)), "image/x-icon"), null],
    ["an ICO icon", "favicon", () => sent(icon(png(16, 16))), "image/x-icon"],
    ["more than 5 MiB", "image", () => sent(Buffer.concat([preview, new Uint8Array(5_300_000)])), null],
    [
      "a decompression bomb",
      "image",
      () => sent(Bun.gzipSync(new Uint8Array(9e6)), "image/png", 200, { "content-encoding": "gzip" }),
      null
    ],
    ["a picture with status 404", "image", () => sent(preview, "image/png", 404), null],
    ["an empty body", "image", () => sent(""), null]
  ] as const)
    it(`returns ${type ?? "nothing"} for ${what}`, function* () {
      expect(yield* typeOf(answer, kind)).toBe(type)
    })

  it("returns nothing for a truncated body", function* () {
    const { port } = yield* wire((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${preview.length}\r\n\r\n`)
      socket.write(preview.subarray(0, preview.length - 20))
      setTimeout(() => socket.end(), 20)
    })
    expect(yield* fetched(port)).toEqual(Option.none())
  })

  effectTest(within("500 millis"))("times out on a slow body and closes the connection", function* () {
    const { body, left } = endless(1, 20)
    expect(yield* typeOf(() => sent(body()))).toBeNull()
    yield* left
  })

  it("follows a redirect, but not to a private address", function* () {
    const secret = yield* trap
    const server = yield* pages(({ url }) => {
      const to = url.endsWith("/a") ? "/b" : `http://127.0.0.1:${secret.port}/`
      return url.endsWith("/b")
        ? sent(preview)
        : new Response(null, { status: 302, headers: { location: to } })
    })
    expect(Option.isSome(yield* fetched(server.port))).toBe(true)
    expect(yield* fetched(server.port, "image", "private")).toEqual(Option.none())
    expect(secret.hits).toBe(0)
  })

  for (const address of [
    "",
    "data:image/png;base64,AAAA",
    "file:///etc/passwd",
    "/a.png",
    "http://10.0.0.1/a"
  ])
    it(`returns nothing for the address ${JSON.stringify(address)}`, function* () {
      const images = yield* Images
      expect(yield* images.find("image", address, "https://example.org/")).toEqual(Option.none())
    })

  it("sends at most four concurrent requests to a host", function* () {
    let open = 0
    let most = 0
    const server = yield* pages(async () => {
      most = Math.max(most, ++open)
      await Bun.sleep(10)
      open--
      return sent(png(2, 2))
    })
    const all = Array.from({ length: 20 }, (_, index) => fetched(server.port, "image", String(index)))
    const found = yield* Effect.all(all, { concurrency: "unbounded" })
    expect(found.filter(Option.isSome).length).toBe(20)
    expect(most).toBe(4)
  })

  it("closes the connection when it is interrupted", function* () {
    const asked = Promise.withResolvers<void>()
    const { left, port } = yield* wire(() => asked.resolve())
    const fiber = yield* Effect.fork(fetched(port))
    yield* Effect.promise(() => asked.promise)
    yield* Fiber.interrupt(fiber)
    yield* left
  })
})

const picture = (bytes: Uint8Array, type = "image/png"): Picture => ({ type, bytes })

const sizeOf = Effect.fnUntraced(function* (kind: PictureKind, bytes: Uint8Array) {
  const small = yield* shrink(kind, picture(bytes))
  const { format, height, width } = yield* metadata(small.bytes)
  return [small.type, format, width, height]
})

const failureOf = (kind: PictureKind, of: Picture) =>
  Effect.map(Effect.flip(shrink(kind, of)), ({ reason }) => reason)

describe("shrink", () => {
  for (const [kind, width, height, fits] of [
    ["image", 300, 900, [90, 270]],
    ["image", 20_000, 1, [480, 1]],
    ["image", 100, 50, [100, 50]],
    ["favicon", 180, 180, [64, 64]],
    ["favicon", 128, 32, [64, 16]],
    ["favicon", 16, 16, [16, 16]]
  ] as const)
    it(`shrinks a ${kind} of ${width} by ${height} to ${fits.join(" by ")}`, function* () {
      expect(yield* sizeOf(kind, png(width, height))).toEqual(["image/webp", "webp", ...fits])
    })

  for (const [type, bytes] of Object.entries({ gif, bmp }))
    it(`reads ${type}`, function* () {
      expect(yield* sizeOf("image", bytes)).toEqual(["image/webp", "webp", 1, 1])
    })

  it("encodes an icon losslessly with its transparency", function* () {
    const file = Buffer.from((yield* shrink("favicon", picture(png(16, 16)))).bytes)
    // RFC 9649, 3.4: a byte of signature, 14 bits each of width and height, and whether there is an alpha channel.
    const stream = file.indexOf("VP8L") + 8
    expect(file[stream]).toBe(0x2f)
    expect((file.readUInt32LE(stream + 1) >> 28) & 1).toBe(1)
  })

  it("removes the comments of a picture", function* () {
    const jpeg = yield* Effect.promise(() => new Bun.Image(png(600, 400)).jpeg().bytes())
    const comment = Buffer.from("\xff\xfe\0\x12where it was taken", "latin1")
    comment.writeUInt16BE(comment.length - 2, 2)
    const commented = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
    const { bytes } = yield* shrink("image", picture(commented, "image/jpeg"))
    expect(commented.includes("where it was taken")).toBe(true)
    expect(Buffer.from(bytes).includes("where it was taken")).toBe(false)
  })

  long(it)("decodes 20 megapixels without blocking the event loop", function* () {
    const bomb = png(5_000, 4_000)
    expect(bomb.length).toBeLessThan(500_000)
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const small = yield* shrink("image", picture(bomb))
    clearInterval(timer)
    expect(small.bytes.length).toBeLessThan(10_000)
    expect(longest).toBeLessThan(500)
  })

  it("rejects more than 40 megapixels by the header", function* () {
    expect(yield* failureOf("image", picture(boastful(8_000, 5_001)))).toBe("too-large")
    expect(yield* failureOf("favicon", picture(boastful(2 ** 31 - 1, 2 ** 31 - 1)))).toBe("too-large")
  })

  it("rejects a truncated or fake picture", function* () {
    const whole = png(100, 100)
    expect(yield* failureOf("image", picture(whole.subarray(0, whole.length - 30)))).toBe("undecodable")
    expect(yield* failureOf("image", picture(Buffer.from("\xff\xd8\xff<html>", "latin1")))).toBe(
      "undecodable"
    )
    expect(yield* failureOf("image", picture(Buffer.from("BMW, a car"), "image/bmp"))).toBe("undecodable")
  })

  for (const [type, of] of [
    ["image/x-icon", icon],
    ["image/svg+xml", (image: Uint8Array) => image],
    ["image/avif", (image: Uint8Array) => Buffer.concat([avif(28), image])]
  ] as const)
    it(`keeps ${type} unchanged up to 256 KiB`, function* () {
      const small = picture(of(new Uint8Array(1_000)), type)
      expect(yield* shrink("favicon", small)).toEqual(small)
      const large = picture(of(new Uint8Array(256 * 1024 + 1)), type)
      expect(yield* failureOf("favicon", large)).toBe("too-large")
    })
})
