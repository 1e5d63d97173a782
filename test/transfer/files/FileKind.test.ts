import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { binaryKind, knownKind } from "../../../src/transfer/files/FileKind.ts"
import { readAny, refusal } from "../support/anyFile.ts"
import { binaries } from "../support/binaries.ts"
import { samples } from "../support/samples.ts"

describe("A binary file is refused by its kind", () => {
  test("and there are more than forty of them", () =>
    expect(Object.keys(binaries).length).toBeGreaterThan(40))

  for (const [name, [bytes, message]] of Object.entries(binaries))
    test(name, () => expect(refusal(bytes)).toBe(message))
})

describe("A text is no binary file", () => {
  const texts: Record<string, string> = {
    "that begins like a font": "OTTO https://example.com/",
    "that begins like a cabinet": "MSCF: https://example.com/",
    "that begins like a program": "MZ https://example.com/",
    "that begins like a picture": "BM 2024 https://example.com/\nGIF89a",
    "that begins like a recording": "ID3 tags: https://example.com/",
    "with the colours of a terminal": "\x1b[31mred\x1b[0m https://example.com/",
    "with a few control characters": `${"word ".repeat(1_000)}\x01\x02\x03\x04 https://example.com/`,
    "with one NUL": "https://example.com/a\0b"
  }
  for (const [name, text] of Object.entries(texts))
    test(name, () => expect(refusal(new TextEncoder().encode(text))).toBeUndefined())

  for (const [name, sample] of Object.entries(samples))
    test(`like a sample of ${name}`, () => {
      const text = typeof sample === "string" ? sample : JSON.stringify(sample)
      expect([knownKind(Buffer.from(text)), binaryKind(text)]).toEqual([undefined, undefined])
    })

  const wide = (text: string, bytes: 2 | 4, little: boolean) => {
    const out = Buffer.alloc(text.length * bytes)
    for (let at = 0; at < text.length; at++) out[at * bytes + (little ? 0 : bytes - 1)] = text.charCodeAt(at)
    return out
  }
  for (const [bytes, little] of [
    [2, true],
    [2, false],
    [4, true],
    [4, false]
  ] as const)
    test(`in UTF-${bytes * 8}${little ? "LE" : "BE"} without a mark`, () => {
      const [part] = Effect.runSync(
        readAny(wide("Site; https://example.com/\nOther; https://example.org/", bytes, little))
      )
      const file = part === undefined ? undefined : Either.getOrUndefined(part.read)
      expect(file?.bookmarks.map(({ title, url }) => [title, url])).toEqual([
        ["Site", "https://example.com/"],
        ["Other", "https://example.org/"]
      ])
    })
})
