import { describe, expect, test } from "bun:test"
import { plainText } from "../../../src/transfer/formats/PlainText.ts"
import { rowsOf } from "../../support/rows.ts"
import { byTier } from "../../support/tier.ts"
import { bookmarksIn, failure, fileOf } from "../support/files.ts"

/** The links in a line, as address, title and note. */
const foundIn = async (line: string): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  (await bookmarksIn(plainText, fileOf(line))).map(({ note, title, url }) => [url, title, note])

describe("Plain text", () => {
  for (const [line, found] of rowsOf<readonly [line: string, found: ReadonlyArray<ReadonlyArray<string>>]>(
    import.meta,
    "PlainText"
  ))
    test(`reads ${JSON.stringify(line)}`, async () => expect(await foundIn(line)).toEqual(found))

  test("counts lines with any line break", async () => {
    const text = "https://a.example\n\r\nwords\rhttps://b.example https://c.example\n"
    const found = await bookmarksIn(plainText, fileOf(text))
    expect(found.map(({ place, url }) => [place, url])).toEqual([
      [1, "https://a.example"],
      [4, "https://b.example"],
      [4, "https://c.example"]
    ])
  })

  test("is not recognized in markup, JSON or text without an address", () => {
    expect(plainText.recognizes(fileOf("words https://a.example"))).toBe(true)
    expect(plainText.recognizes(fileOf("<https://a.example>"))).toBe(true)
    expect(plainText.recognizes(fileOf("<html><a href='https://a.example'>"))).toBe(false)
    expect(plainText.recognizes(fileOf('["https://a.example"]'))).toBe(false)
    expect(plainText.recognizes(fileOf("ftp://a.example http:// nothing"))).toBe(false)
  })

  test("rejects text without an address", async () =>
    expect((await failure(plainText, fileOf("words\nand words")))?.message).toMatch(
      /^The file is not a valid .*\.$/
    ))

  test("takes time in proportion to any text", async () => {
    const many = byTier(50_000, 300_000)
    for (const [start, part] of [
      ["https://a.example/", "("],
      ["(https://a.example/", ")"],
      ["https://a.example ", "["],
      ["", "[a](https://b "],
      ["", "](https://b"],
      ["https://a.example x", " "],
      ["https://a.example ", "> "]
    ] as const)
      expect((await bookmarksIn(plainText, fileOf(start + part.repeat(many)))).length).toBeGreaterThan(0)
  })
})
