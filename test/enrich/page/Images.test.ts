import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer, Option } from "effect"
import type { Picture, PictureKind } from "../../../src/domain/Picture.ts"
import { Images, makeImages, shrink } from "../../../src/enrich/page/Images.ts"
import { effectTest } from "../../support/effect.ts"
import { endless, limits, pages, resolver, trap, wire } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"
import { avif, bmp, boastful, gif, icon, metadata, png, svg } from "../../support/pictures.ts"
import { sandbox } from "../../support/sandbox.ts"

const within = { ...limits, timeout: "500 millis", perHost: 4, inAll: 6 } as const
const it = effectTest(Layer.effect(Images, makeImages(within)).pipe(Layer.provide([resolver, sandbox])))

const preview = png(1200, 630)

/** An answer that calls itself `type`. */
const sent = (body: BodyInit, type = "image/png", status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { "content-type": type, ...headers } })

const fetched = (port: number | undefined, kind: PictureKind = "image", path = "a") =>
  Effect.flatMap(Images, (images) => images.find(kind, `http://127.0.0.2:${port}/${path}`)).pipe(
    withSettings({ FETCH_ALLOW: `127.0.0.2:${port}` })
  )

/** The type that comes of an answer, where anything does. */
const typeOf = (answer: () => Response | Promise<Response>, kind: PictureKind = "image") =>
  Effect.gen(function* () {
    const server = yield* pages(answer)
    return Option.getOrNull(Option.map(yield* fetched(server.port, kind), ({ type }) => type))
  })

describe("Images", () => {
  it(
    "fetches a preview and makes it small",
    Effect.gen(function* () {
      const accepts: Array<string | null> = []
      const server = yield* pages(({ headers }) => {
        accepts.push(headers.get("accept"), headers.get("cookie"), headers.get("referer"))
        return sent(preview)
      })
      const found = Option.getOrThrow(yield* fetched(server.port))
      expect(found.type).toBe("image/webp")
      expect(yield* metadata(found.bytes)).toEqual({ format: "webp", width: 480, height: 252 })
      expect(accepts).toEqual([expect.stringContaining("image/webp"), null, null])
    })
  )

  for (const [what, kind, answer, type] of [
    ["a picture that calls itself a page", "image", () => sent(preview, "text/html"), "image/webp"],
    ["a picture that calls itself nothing", "image", () => new Response(preview), "image/webp"],
    ["a page that calls itself a picture", "image", () => sent("<!doctype html><p>a"), null],
    ["a script that calls itself a picture", "favicon", () => sent("alert(1)", "image/svg+xml"), null],
    ["a vector picture as a preview", "image", () => sent(svg, "image/svg+xml"), null],
    ["a vector picture as an icon", "favicon", () => sent(svg, "text/plain"), "image/svg+xml"],
    ["an icon file as a preview", "image", () => sent(icon(png(16, 16)), "image/x-icon"), null],
    ["an icon file as an icon", "favicon", () => sent(icon(png(16, 16))), "image/x-icon"],
    ["a small AVIF", "image", () => sent(avif(2_000)), "image/avif"],
    ["a large AVIF", "image", () => sent(avif(300_000)), null],
    ["20 megapixels in little space", "image", () => sent(png(5_000, 4_000)), "image/webp"],
    ["64 megapixels", "image", () => sent(boastful(8_000, 8_000)), null],
    ["more than 5 MiB", "image", () => sent(Buffer.concat([preview, new Uint8Array(5_300_000)])), null],
    [
      "a packed flood",
      "image",
      () => sent(Bun.gzipSync(new Uint8Array(9e6)), "image/png", 200, { "content-encoding": "gzip" }),
      null
    ],
    ["an error's picture", "image", () => sent(preview, "image/png", 404), null],
    ["nothing", "image", () => sent(""), null]
  ] as const)
    it(
      `makes ${type ?? "nothing"} of ${what}`,
      Effect.gen(function* () {
        expect(yield* typeOf(answer, kind)).toBe(type)
      })
    )

  it(
    "makes nothing of a body that breaks off",
    Effect.gen(function* () {
      const { port } = yield* wire((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${preview.length}\r\n\r\n`)
        socket.write(preview.subarray(0, preview.length - 20))
        setTimeout(() => socket.end(), 20)
      })
      expect(yield* fetched(port)).toEqual(Option.none())
    })
  )

  it(
    "makes nothing of a server that drips for ever, and hangs up",
    Effect.gen(function* () {
      const { body, left } = endless(1, 20)
      expect(yield* typeOf(() => sent(body()))).toBeNull()
      yield* left
    })
  )

  it(
    "follows a redirect, but to nothing private",
    Effect.gen(function* () {
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
  )

  for (const address of [
    "",
    "data:image/png;base64,AAAA",
    "file:///etc/passwd",
    "/a.png",
    "http://10.0.0.1/a"
  ])
    it(
      `makes nothing of the address ${JSON.stringify(address)}`,
      Effect.gen(function* () {
        const images = yield* Images
        expect(yield* images.find("image", address)).toEqual(Option.none())
      })
    )

  it(
    "asks one host no more than four times at once",
    Effect.gen(function* () {
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
  )

  it(
    "hangs up when nobody wants the picture any more",
    Effect.gen(function* () {
      const asked = Promise.withResolvers<void>()
      const { left, port } = yield* wire(() => asked.resolve())
      const fiber = yield* Effect.fork(fetched(port))
      yield* Effect.promise(() => asked.promise)
      yield* Fiber.interrupt(fiber)
      yield* left
    })
  )
})

const inSandbox = effectTest(sandbox)

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
    ["image", 1200, 630, [480, 252]],
    ["image", 300, 900, [90, 270]],
    ["image", 20_000, 1, [480, 1]],
    ["image", 100, 50, [100, 50]],
    ["favicon", 180, 180, [64, 64]],
    ["favicon", 128, 32, [64, 16]],
    ["favicon", 16, 16, [16, 16]]
  ] as const)
    inSandbox(
      `makes a ${kind} of ${width} by ${height} one of ${fits.join(" by ")}, as WebP`,
      Effect.gen(function* () {
        expect(yield* sizeOf(kind, png(width, height))).toEqual(["image/webp", "webp", ...fits])
      })
    )

  for (const [type, bytes] of Object.entries({ gif, bmp }))
    inSandbox(
      `reads ${type}`,
      Effect.gen(function* () {
        expect(yield* sizeOf("image", bytes)).toEqual(["image/webp", "webp", 1, 1])
      })
    )

  inSandbox(
    "encodes an icon without loss, and keeps its transparency",
    Effect.gen(function* () {
      const file = Buffer.from((yield* shrink("favicon", picture(png(16, 16)))).bytes)
      // RFC 9649, 3.4: a byte of signature, 14 bits each of width and height, and whether there is an alpha channel.
      const stream = file.indexOf("VP8L") + 8
      expect(file[stream]).toBe(0x2f)
      expect((file.readUInt32LE(stream + 1) >> 28) & 1).toBe(1)
    })
  )

  inSandbox(
    "leaves out what the picture's maker wrote beside the pixels",
    Effect.gen(function* () {
      const jpeg = yield* Effect.promise(() => new Bun.Image(png(600, 400)).jpeg().bytes())
      const comment = Buffer.from("\xff\xfe\0\x12where it was taken", "latin1")
      comment.writeUInt16BE(comment.length - 2, 2)
      const told = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
      const { bytes } = yield* shrink("image", picture(told, "image/jpeg"))
      expect(told.includes("where it was taken")).toBe(true)
      expect(Buffer.from(bytes).includes("where it was taken")).toBe(false)
    })
  )

  inSandbox(
    "decodes 20 megapixels packed to almost nothing without holding up the event loop",
    Effect.gen(function* () {
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
      expect(longest).toBeLessThan(50)
    })
  )

  inSandbox(
    "refuses more than 40 megapixels before it decodes one",
    Effect.gen(function* () {
      expect(yield* failureOf("image", picture(boastful(8_000, 5_001)))).toBe("too-large")
      expect(yield* failureOf("favicon", picture(boastful(2 ** 31 - 1, 2 ** 31 - 1)))).toBe("too-large")
    })
  )

  inSandbox(
    "refuses what only begins like a picture",
    Effect.gen(function* () {
      const whole = png(100, 100)
      expect(yield* failureOf("image", picture(whole.subarray(0, whole.length - 30)))).toBe("undecodable")
      expect(yield* failureOf("image", picture(Buffer.from("\xff\xd8\xff<html>", "latin1")))).toBe(
        "undecodable"
      )
      expect(yield* failureOf("image", picture(Buffer.from("BMW, a car"), "image/bmp"))).toBe("undecodable")
    })
  )

  for (const [type, of] of [
    ["image/x-icon", icon],
    ["image/svg+xml", (image: Uint8Array) => image],
    ["image/avif", (image: Uint8Array) => Buffer.concat([avif(28), image])]
  ] as const)
    inSandbox(
      `leaves ${type} as it is up to 256 KiB`,
      Effect.gen(function* () {
        const small = picture(of(new Uint8Array(1_000)), type)
        expect(yield* shrink("favicon", small)).toEqual(small)
        const large = picture(of(new Uint8Array(256 * 1024 + 1)), type)
        expect(yield* failureOf("favicon", large)).toBe("too-large")
      })
    )
})
