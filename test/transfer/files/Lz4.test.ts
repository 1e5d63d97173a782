import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { isMozillaLz4, unpackMozillaLz4 } from "../../../src/transfer/files/Lz4.ts"
import { randomOf } from "../../support/randomLibrary.ts"
import { readAny } from "../support/anyFile.ts"
import { samples } from "../support/samples.ts"

/** Continues a length of 15 or more. */
const lengthBytes = (rest: number) => [...Array<number>(Math.floor(rest / 255)).fill(255), rest % 255]

/** Packs as Firefox does, by the nearest earlier copies. */
const packed = (text: string, size?: number): Uint8Array => {
  const bytes = Buffer.from(text)
  const block: Array<number> = []
  let literals = 0
  const sequence = (at: number, match?: { readonly back: number; readonly length: number }) => {
    const said = bytes.subarray(literals, at)
    const more = (match?.length ?? 4) - 4
    block.push((Math.min(said.length, 15) << 4) | Math.min(more, 15))
    if (said.length >= 15) block.push(...lengthBytes(said.length - 15))
    block.push(...said)
    if (match === undefined) return
    block.push(match.back & 255, match.back >> 8)
    if (more >= 15) block.push(...lengthBytes(more - 15))
  }
  for (let at = 4; at < bytes.length - 12; ) {
    const from = bytes.subarray(0, at + 3).lastIndexOf(bytes.subarray(at, at + 4))
    if (from === -1 || at - from > 0xffff || from >= at) {
      at += 1
      continue
    }
    let length = 4
    while (at + length < bytes.length - 5 && bytes[from + length] === bytes[at + length]) length += 1
    sequence(at, { back: at - from, length })
    at += length
    literals = at
  }
  sequence(bytes.length)
  const head = Buffer.from("mozLz40\0\0\0\0\0", "latin1")
  head.writeUInt32LE(size ?? bytes.length, 8)
  return Buffer.concat([head, Buffer.from(block)])
}

const unpacked = (bytes: Uint8Array, limit = 1_000_000) =>
  Either.match(unpackMozillaLz4(bytes, limit), {
    onLeft: ({ message }) => message,
    onRight: (out) => Buffer.from(out).toString()
  })

describe("unpackMozillaLz4", () => {
  const texts = {
    nothing: "",
    "a short text": "abc",
    "text without repeats": "The quick brown fox jumps over the lazy dog, 0123456789.",
    "a long run, which overlaps itself": "a".repeat(10_000),
    "a repeated phrase": "https://example.com/page ".repeat(500),
    "long literals": Array.from({ length: 400 }, (_, at) => (at * 7919).toString(36)).join(""),
    "a Firefox backup": JSON.stringify(samples["firefox"])
  }
  for (const [name, text] of Object.entries(texts))
    test(`unpacks ${name}`, () => expect(unpacked(packed(text))).toBe(text))

  test("unpacks a block as the format describes it", () => {
    // 3 literals, a match of 15 + 3 + 4 bytes that begins 3 bytes before, and 5 literals.
    const block = [0x3f, 0x61, 0x62, 0x63, 0x03, 0x00, 0x03, 0x50, 0x62, 0x63, 0x61, 0x62, 0x63]
    const head = [...Buffer.from("mozLz40\0", "latin1"), 30, 0, 0, 0]
    expect(unpacked(Uint8Array.from([...head, ...block]))).toBe("abc".repeat(10))
  })

  test("refuses a size that is wrong, too large or impossible", () => {
    const broken = "The compressed file is damaged or cut off."
    for (const size of [0, 5, 29, 31, 400]) expect(unpacked(packed("abc".repeat(10), size))).toBe(broken)
    expect(unpacked(packed("abc".repeat(10), 0xffffffff))).toBe("Unpacked, the file is too large to import.")
    expect(unpacked(packed("abc".repeat(10)), 29)).toBe("Unpacked, the file is too large to import.")
  })

  test("survives any damage", () => {
    const whole = packed(JSON.stringify(samples["firefox"]).repeat(3))
    const random = randomOf(3)
    for (let length = 0; length < whole.length; length++) unpacked(whole.subarray(0, length))
    for (let round = 0; round < 3_000; round++) {
      const changed = Uint8Array.from(whole)
      for (let flips = 0; flips < 3; flips++)
        changed[8 + Math.floor(random() * (whole.length - 8))] = Math.floor(random() * 256)
      const text = unpacked(changed)
      expect(text.length).toBeLessThan(1_000_001)
    }
  })
})

test("a backup of Firefox is read as it lies in the profile", () => {
  const bytes = packed(JSON.stringify(samples["firefox"]))
  expect(isMozillaLz4(bytes)).toBe(true)
  const [part] = Effect.runSync(readAny(bytes, "bookmarks-2026-01-01_1_x.jsonlz4"))
  expect(part?.read).toMatchObject({
    right: { format: "firefox", bookmarks: [{ url: "https://example.com/" }] }
  })
})
