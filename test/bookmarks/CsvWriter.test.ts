import { describe, expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import { genericCsv } from "../../src/bookmarks/CsvGeneric.ts"
import { csvHead, csvLink } from "../../src/bookmarks/CsvWriter.ts"
import type { ExportedLink } from "../../src/bookmarks/ExportedLink.ts"
import { exportedLink, randomExport } from "./support/exports.ts"
import { bookmarksIn, fileOf } from "./support/files.ts"

const written = (links: ReadonlyArray<ExportedLink>) => [csvHead, ...links.map(csvLink)].join("")

/** A text as a tolerant reader of tables takes it. */
const read = (text: string) => text.replace(/\r\n?/g, "\n").trim()

const cells = (link: ExportedLink) => [
  link.url,
  link.title,
  link.note,
  link.summary,
  link.description,
  link.tags.join(","),
  link.category,
  link.collection ?? "",
  String(link.favorite),
  String(link.shareable),
  link.createdAt,
  link.updatedAt
]

describe("A written table", () => {
  test("is CSV as RFC 4180 has it", () =>
    expect(
      written([
        exportedLink({
          title: 'A "page"',
          note: "one,\ntwo",
          tags: ["x", "y"],
          collection: " Code",
          favorite: true
        })
      ])
    ).toBe(
      [
        "url,title,note,summary,description,tags,category,collection,favorite,shareable,created_at,updated_at",
        'https://example.org/,"A ""page""","one,\ntwo",,,"x,y",uncategorized," Code",true,false,2024-01-02T03:04:05.000Z,2024-01-02T03:04:05.000Z',
        ""
      ].join("\r\n")
    ))

  test("has every field of any library as it was, for a reader of CSV", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const links = randomExport(seed, 40)
      const rows: ReadonlyArray<ReadonlyArray<string>> = parse(written(links), { record_delimiter: "\r\n" })
      expect(rows.slice(1)).toEqual(links.map(cells))
    }
  })

  test("is read by this program's own reader, but for white space around a text and kinds of line breaks", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const links = randomExport(seed, 40)
      const found = await bookmarksIn(genericCsv, fileOf(written(links)))
      expect(found.map(({ place, ...said }) => said)).toEqual(
        links.map(({ collection, createdAt, description, favorite, note, tags, title, url }) => ({
          url,
          title: read(title),
          note: read(note),
          description: read(description),
          tags,
          folders: collection === null ? [] : [read(collection)],
          createdAt,
          favorite
        }))
      )
    }
  })
})
