import { describe, expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import { Effect, Layer } from "effect"
import type { PlainLink } from "../../src/domain/ExportedLink.ts"
import { csvHead, csvLink, table } from "../../src/transfer/Csv.ts"
import { genericCsv } from "../../src/transfer/formats/GenericCsv.ts"
import { effectTest } from "../support/effect.ts"
import { exportedLink, randomExport } from "./support/exports.ts"
import { bookmarksIn, fileOf } from "./support/files.ts"

const it = effectTest(Layer.empty)

const lines = (text: string) =>
  Effect.map(table(text), ({ rows, unreadable }) => ({
    rows: rows.map(({ cells, line }) => [line, ...cells]),
    unreadable: unreadable.map(({ place }) => place)
  }))

describe("table", () => {
  for (const [name, end] of [
    ["Unix", "\n"],
    ["Windows", "\r\n"],
    ["an old Mac", "\r"]
  ] as const)
    it(
      `counts the first line of each record, with line breaks of ${name}`,
      Effect.map(lines(["a,b", "1,2", "", '"x', "", 'y",3', "4,5", ""].join(end)), ({ rows }) =>
        expect(rows).toEqual([
          [2, "1", "2"],
          [4, "x\n\ny", "3"],
          [7, "4", "5"]
        ])
      )
    )

  it(
    "keeps quotation marks that quote nothing",
    Effect.map(lines('a,b\n1,say "hi"\n2,"ab"c\n3,d'), ({ rows }) =>
      expect(rows).toEqual([
        [2, "1", 'say "hi"'],
        [3, "2", '"ab"c'],
        [4, "3", "d"]
      ])
    )
  )

  it(
    "reports a row with an unclosed quotation mark, and continues below it",
    Effect.map(lines('a,b\n1,2\n\n3,"open\n5,6\n\n7,8\n'), (read) =>
      expect(read).toEqual({
        rows: [
          [2, "1", "2"],
          [5, "5", "6"],
          [7, "7", "8"]
        ],
        unreadable: [4]
      })
    )
  )

  it(
    "stops at a text with too many errors",
    Effect.map(lines(`a,b\n${'"'.repeat(3)}x\n`.repeat(200)), ({ unreadable }) =>
      expect(unreadable.length).toBeLessThan(30)
    )
  )

  it(
    "reads an empty text as an empty table",
    Effect.map(table(""), (read) => expect(read).toEqual({ columns: [], rows: [], unreadable: [] }))
  )
})

const written = (links: ReadonlyArray<PlainLink>) => [csvHead, ...links.map(csvLink)].join("")

/** A text as a tolerant CSV reader returns it. */
const read = (text: string) => text.replace(/\r\n?/g, "\n").trim()

const cells = (link: PlainLink) => [
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
  link.state,
  link.createdAt,
  link.updatedAt
]

describe("A written table", () => {
  test("is CSV as RFC 4180 has it, after a byte order mark for spreadsheets", () =>
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
        "\ufeffurl,title,note,summary,description,tags,category,collection,favorite,shareable,state,created_at,updated_at",
        'https://example.org/,"A ""page""","one,\ntwo",,,"x,y",uncategorized," Code",true,false,read,2024-01-02T03:04:05.000Z,2024-01-02T03:04:05.000Z',
        ""
      ].join("\r\n")
    ))

  test("holds every field of any library for a CSV parser, except for the guard before a formula", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const links = randomExport(seed, 40)
      const wanted = links.map(cells)
      const rows: ReadonlyArray<ReadonlyArray<string>> = parse(written(links), { record_delimiter: "\r\n" })
      const plain = rows
        .slice(1)
        .map((row, at) =>
          row.map((cell, column) => (cell === `'${wanted[at]?.[column]}` ? cell.slice(1) : cell))
        )
      expect(plain).toEqual(wanted)
    }
  })

  const SIGNS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
  const starts = SIGNS.flatMap((sign) =>
    ["", " ", "\u00a0", "\ufeff", "'", "''", " '", "' "].map((lead) => lead + sign)
  )

  test("has no cell that a spreadsheet runs as a formula", () => {
    for (const start of starts) {
      const title = `${start}HYPERLINK("https://evil.example")`
      const text = written([
        exportedLink({ title, note: title, summary: title, collection: title, tags: [title] })
      ])
      const [, cells = []]: ReadonlyArray<ReadonlyArray<string>> = parse(text, { record_delimiter: "\r\n" })
      expect(cells.filter((cell) => /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell))).toEqual([])
      expect(cells[1]).toBe(`'${title}`)
    }
  })

  test("is read back with texts that begin like a formula or a guarded one", async () => {
    const titles = [
      ...starts.flatMap((start) => [`${start}SUM(1)`, `${start}'x`, start]),
      "'quoted'",
      "''",
      "'",
      "x=1"
    ]
    const links = titles.map((title, index) =>
      exportedLink({ url: `https://example.org/${index}`, title, note: title, description: title })
    )
    const found = await bookmarksIn(genericCsv, fileOf(written(links)))
    expect(found.map(({ title }) => title)).toEqual(titles.map(read))
    expect(found.map(({ note }) => note)).toEqual(titles.map(read))
    expect(found.map(({ description }) => description)).toEqual(titles.map(read))
  })

  test("is distinguished from another program's table, which keeps its apostrophes", async () => {
    const found = await bookmarksIn(genericCsv, fileOf("url,title\nhttps://example.org/,'=1\n"))
    expect(found[0]?.title).toBe("'=1")
  })

  test("is read back, except for white space around a text and kinds of line breaks", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const links = randomExport(seed, 40)
      const found = await bookmarksIn(genericCsv, fileOf(written(links)))
      expect(found.map(({ place, ...said }) => said)).toEqual(
        links.map(({ collection, createdAt, description, favorite, note, state, tags, title, url }) => ({
          url,
          title: read(title),
          note: read(note),
          description: read(description),
          tags,
          folders: collection === null ? [] : [read(collection)],
          createdAt,
          favorite,
          state,
          text: "",
          highlights: []
        }))
      )
    }
  })
})
