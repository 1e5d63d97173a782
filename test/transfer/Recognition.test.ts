import { describe, expect, test } from "bun:test"
import type { Unreadable } from "../../src/domain/Bookmark.ts"
import { type Format, guideOf, type SourceFile } from "../../src/transfer/Format.ts"
import { formats, generalFormats, specificFormats } from "../../src/transfer/Formats.ts"
import { describeData, json } from "../support/data.ts"
import { rowsOf } from "../support/rows.ts"
import { bookmark, failure, fileOf, jsonFile, read, realFile, sampleFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

type Said = Parameters<typeof bookmark>[0]

/** All formats but those of lines, which take what has an address. */
const structured = formats.filter(({ name }) => name !== "onetab" && name !== "text")

const namesOf = (some: ReadonlyArray<Format>, file: SourceFile) =>
  some.filter((format) => format.recognizes(file)).map(({ name }) => name)

/** The real files, each with its own format. */
const own: Record<string, Format["name"]> = Object.fromEntries(
  rowsOf<readonly [string, string]>(import.meta, "Recognition")
)

/** Files beside the bookmark files that are none. */
const foreignPages = new Set([
  "netscape/calibr-chrome_bookmarks.expected.json",
  "netscape/calibr-netscape.expected.json",
  "netscape/karakeep-throws-error-for-non-netscape-bookmark-files.html",
  "netscape/shaarli-nbp-empty.html"
])

describeData("bookmarks/index.json", "Real files", () => {
  const files = json<ReadonlyArray<{ readonly file: string }>>("bookmarks/index.json").map(({ file }) => file)
  const ours = files.filter((file) => !file.startsWith("netscape/"))

  test("are all listed here", () => expect(ours.toSorted()).toEqual(Object.keys(own).toSorted()))

  for (const file of ours)
    test(`${file} is recognized by its own format alone, besides the general ones`, () => {
      const general = own[file] === "csv"
      expect(namesOf(general ? generalFormats : specificFormats, realFile(file))).toEqual([own[file] ?? ""])
    })

  for (const file of files.filter((one) => !ours.includes(one)))
    test(`${file} is recognized as a bookmark file alone, if it is one`, () => {
      const own = file.includes("pocket") ? "pocket-html" : "netscape"
      expect(namesOf(specificFormats, realFile(file))).toEqual(foreignPages.has(file) ? [] : [own])
    })
})

describe("Samples", () => {
  test("are there for every format of one product", () =>
    expect(Object.keys(samples).toSorted()).toEqual(specificFormats.map(({ name }) => name).toSorted()))

  for (const [name, sample] of Object.entries(samples))
    test(`${name}'s is recognized by its own format alone, besides the general ones`, () => {
      const file = sampleFile(sample)
      expect(namesOf(specificFormats, file)).toEqual([name])
      expect(formats.find((format) => format.recognizes(file))?.name).toBe(name)
    })

  const wholes = rowsOf<readonly [Format["name"], ReadonlyArray<Said>, ReadonlyArray<Unreadable>]>(
    import.meta,
    "Samples"
  )
  test("are all read whole", () =>
    expect(wholes.map(([name]) => name)).toEqual(specificFormats.map(({ name }) => name)))
  for (const [name, bookmarks, unreadable] of wholes)
    test(`${name}'s gives every field, and the entries that are none`, async () => {
      const [format] = specificFormats.filter((one) => one.name === name)
      expect(format && (await read(format, sampleFile(samples[name])))).toEqual({
        bookmarks: bookmarks.map(bookmark),
        unreadable
      })
    })
})

describe("Every format", () => {
  for (const { guides, label, name } of formats)
    test(`${name} has its texts`, () => {
      expect(name).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(label).not.toBe("")
      expect(guides.length).toBeGreaterThan(0)
      for (const row of guides) expect(Object.values(guideOf(row)).join(" | ")).toBe(row)
      for (const row of guides) for (const text of Object.values(guideOf(row))) expect(text).toMatch(/\S/)
    })
})

const foreign: Record<string, SourceFile> = {
  "an empty file": fileOf(""),
  "a page": fileOf(
    "<!doctype html><title>Link, title, url</title>\n<a href='https://a.example/'>url,title</a>"
  ),
  "a list of addresses": fileOf("https://a.example/\nhttps://b.example/,https://c.example/"),
  "a sentence": fileOf("Here is a link, its title and my notes\nhttps://a.example/"),
  "a heading": fileOf("Link\n\nhttps://a.example/"),
  "text of one long line": fileOf("word ".repeat(100_000)),
  "a table of something else": fileOf("date,amount,payee\n2024-01-01,5,Ann"),
  "a package's description": jsonFile({
    name: "x",
    version: "1.0.0",
    bookmarks: "none",
    type: "module",
    messages: {}
  }),
  "a map": jsonFile({
    type: "FeatureCollection",
    features: [{ type: "Feature", geometry: null, properties: { url: "https://a.example/" } }]
  }),
  "an empty list": jsonFile([]),
  "an empty object": jsonFile({}),
  "an arbitrary list": jsonFile([
    1,
    "url",
    null,
    { url: "https://a.example/", title: "A" },
    [],
    { tags: [], href: 1 }
  ]),
  "a chat of another program": jsonFile({
    messages: [{ type: "text", timestamp: "2024-01-01", content: "x" }]
  }),
  "a number": jsonFile(5),
  "a text in JSON": jsonFile("url,title")
}

describe("Foreign files", () => {
  for (const [name, file] of Object.entries(foreign)) {
    test(`${name} is recognized by no format`, () => expect(namesOf(structured, file)).toEqual([]))
    test(`${name} is rejected with a sentence by every format`, async () => {
      for (const format of structured) {
        const refused = await failure(format, file)
        const isEmptyList = Array.isArray(file.json) && file.json.length === 0
        if (!isEmptyList)
          expect([format.name, refused?.message]).toEqual([format.name, expect.stringMatching(/\.$/)])
      }
    })
  }
})
