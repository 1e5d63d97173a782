import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Picture, PictureKind } from "../../src/domain/Picture.ts"
import { shrink } from "../../src/enrich/SmallPicture.ts"
import { effectTest } from "../support/effect.ts"
import { avif, bmp, boastful, gif, icon, metadata, png } from "../support/pictures.ts"
import { sandbox } from "../support/sandbox.ts"

const it = effectTest(sandbox)

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
    it(
      `makes a ${kind} of ${width} by ${height} one of ${fits.join(" by ")}, as WebP`,
      Effect.gen(function* () {
        expect(yield* sizeOf(kind, png(width, height))).toEqual(["image/webp", "webp", ...fits])
      })
    )

  for (const [type, bytes] of Object.entries({ gif, bmp }))
    it(
      `reads ${type}`,
      Effect.gen(function* () {
        expect(yield* sizeOf("image", bytes)).toEqual(["image/webp", "webp", 1, 1])
      })
    )

  it(
    "encodes an icon without loss, and keeps its transparency",
    Effect.gen(function* () {
      const file = Buffer.from((yield* shrink("favicon", picture(png(16, 16)))).bytes)
      // RFC 9649, 3.4: a byte of signature, 14 bits each of width and height, and whether there is an alpha channel.
      const stream = file.indexOf("VP8L") + 8
      expect(file[stream]).toBe(0x2f)
      expect((file.readUInt32LE(stream + 1) >> 28) & 1).toBe(1)
    })
  )

  it(
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

  it(
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

  it(
    "refuses more than 40 megapixels before it decodes one",
    Effect.gen(function* () {
      expect(yield* failureOf("image", picture(boastful(8_000, 5_001)))).toBe("too-large")
      expect(yield* failureOf("favicon", picture(boastful(2 ** 31 - 1, 2 ** 31 - 1)))).toBe("too-large")
    })
  )

  it(
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
    it(
      `leaves ${type} as it is up to 256 KiB`,
      Effect.gen(function* () {
        const small = picture(of(new Uint8Array(1_000)), type)
        expect(yield* shrink("favicon", small)).toEqual(small)
        const large = picture(of(new Uint8Array(256 * 1024 + 1)), type)
        expect(yield* failureOf("favicon", large)).toBe("too-large")
      })
    )
})
