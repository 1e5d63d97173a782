import { describe, expect, test } from "bun:test"
import { plainText } from "../../../src/transfer/formats/PlainText.ts"
import { byTier } from "../../support/tier.ts"
import { bookmarksIn, failure, fileOf } from "../support/files.ts"

/** The links in a line, as address, title and note. */
const foundIn = async (line: string): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  (await bookmarksIn(plainText, fileOf(line))).map(({ note, title, url }) => [url, title, note])

const only = (url: string, title = "", note = "") => [[url, title, note]]

describe("Plain text", () => {
  const table: Record<string, ReadonlyArray<ReadonlyArray<string>>> = {
    "https://a.example/x": only("https://a.example/x"),
    "  HTTP://a.example/x  ": only("HTTP://a.example/x"),
    "- https://a.example/x": only("https://a.example/x"),
    "* [ ] https://a.example/x read it": only("https://a.example/x", "read it"),
    "12. A page (2020): https://a.example/x": only("https://a.example/x", "A page (2020)"),
    "A page <https://a.example/x>": only("https://a.example/x", "A page"),
    'A page — "https://a.example/x"': only("https://a.example/x", "A page"),
    "See https://a.example/x.": only("https://a.example/x", "See ."),
    "1.https://a.example/x": only("https://a.example/x"),
    "https://a.example/x，后面的文字": only("https://a.example/x", "后面的文字"),
    "https://a.example/x\u200b": only("https://a.example/x"),
    "A page (https://a.example/x_(y))": only("https://a.example/x_(y)", "A page"),
    "(https://a.example/x), words": only("https://a.example/x", "words"),
    "https://a.example/x | A page": only("https://a.example/x", "A page"),
    "https://en.wikipedia.org/wiki/A_(b)": only("https://en.wikipedia.org/wiki/A_(b)"),
    "https://web.archive.org/web/2020/https://a.example/": only(
      "https://web.archive.org/web/2020/https://a.example/"
    ),
    "[A page](https://a.example/x)": only("https://a.example/x", "A page"),
    '- [A [nested] page](https://a.example/x_(y) "t") - what it is': only(
      "https://a.example/x_(y)",
      "A [nested] page",
      "what it is"
    ),
    "[https://a.example/x](https://a.example/x)": only("https://a.example/x"),
    "[a](<https://a.example/x>)": only("https://a.example/x", "a"),
    "https://a.example/, https://b.example/; and https://c.example/!": [
      ["https://a.example/", "", ""],
      ["https://b.example/", "", ""],
      ["https://c.example/", "", ""]
    ],
    "https://a.example/,https://b.example/": [
      ["https://a.example/", "", ""],
      ["https://b.example/", "", ""]
    ],
    "[a](https://a.example/),[b](https://b.example/) and https://c.example/": [
      ["https://a.example/", "a", ""],
      ["https://b.example/", "b", ""],
      ["https://c.example/", "", ""]
    ],
    "a](https://a.example/x": only("https://a.example/x", "a](")
  }
  for (const [line, found] of Object.entries(table))
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
