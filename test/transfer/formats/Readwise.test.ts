import { describe, expect, test } from "bun:test"
import { readwise } from "../../../src/transfer/formats/ReadLater.ts"
import { readwiseHighlights } from "../../../src/transfer/formats/Readwise.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile } from "../support/files.ts"

const createdAt = "2026-03-14T23:55:23.291Z"

describeData("bookmarks", "real Readwise Reader tables", () => {
  test("are read with several pages", async () =>
    expect(
      await bookmarksIn(
        readwise,
        realFile("csv/karakeep-parses-a-readwise-reader-csv-file-with-multiple-items.csv")
      )
    ).toEqual([
      bookmark({
        place: 2,
        url: "https://example.com",
        title: "Example Site",
        tags: ["tag1", "tag2"],
        createdAt,
        state: "unread"
      }),
      bookmark({
        place: 3,
        url: "https://notags.com",
        title: "Example Tag less Site",
        createdAt,
        state: "unread"
      }),
      bookmark({
        place: 4,
        url: "https://archived.com",
        title: "Archived Site",
        tags: ["tag1"],
        createdAt,
        state: "archived"
      })
    ]))
  test("are read with tags in any quotes", async () => {
    const file = realFile("csv/karakeep-handles-complex-tag-formatting-in-readwise-reader-csv.csv")
    expect((await bookmarksIn(readwise, file)).map(({ tags }) => tags)).toEqual([
      ["test"],
      ["test", "test2", "it's crazy"],
      ["tag's", "another"],
      []
    ])
  })
  test("are read without tags that are no list", async () =>
    expect(
      await bookmarksIn(readwise, realFile("csv/karakeep-handles-invalid-json-in-documenttags.csv"))
    ).toEqual([
      bookmark({ place: 2, url: "https://invalid.com", title: "Invalid Tags", createdAt, state: "unread" })
    ]))
  test("are read with rows without an address reported", async () =>
    expect(await read(readwise, realFile("csv/karakeep-handles-empty-url.csv"))).toEqual({
      bookmarks: [],
      unreadable: [{ place: 2, reason: "It has no address." }]
    }))
  test("are rejected without their columns", async () => {
    const file = realFile("csv/karakeep-throws-error-for-invalid-readwise-reader-csv.csv")
    expect(readwise.recognizes(file)).toBe(false)
    expect((await failure(readwise, file))?.message).toBe(
      "The file is not a valid Readwise Reader export (CSV)."
    )
  })
})

describe("readwise", () => {
  const tagsOf = async (cell: string) => {
    const file = fileOf(
      `Title,URL,Document tags,Saved date\nA,https://a.example/,"${cell.replaceAll('"', '""')}",`
    )
    return (await bookmarksIn(readwise, file))[0]?.tags
  }
  for (const [cell, tags] of [
    ["[]", []],
    ["['a, b', 'c']", ["a, b", "c"]],
    ['["a", "b"]', ["a", "b"]],
    ["[a, b]", ["a", "b"]],
    ["['never closed, b]", ["never closed, b"]],
    ["['a' , 'b',]", ["a", "b"]]
  ] as const)
    test(`reads the tags ${cell}`, async () => expect(await tagsOf(cell)).toEqual(tags))
})

describe("readwiseHighlights", () => {
  test("reads the table that Readwise documents for imports", async () => {
    const file = fileOf(
      "Highlight,Title,Author,URL,Note,Location,Date\nWords,A page,Ann,https://a.example/,,3,2023-05-06 07:08:09"
    )
    expect(await bookmarksIn(readwiseHighlights, file)).toEqual([
      bookmark({
        place: 2,
        url: "https://a.example/",
        title: "A page",
        createdAt: "2023-05-06T07:08:09.000Z",
        highlights: [{ quote: "Words", note: "", colour: "yellow", createdAt: "2023-05-06T07:08:09.000Z" }]
      })
    ])
  })
})
