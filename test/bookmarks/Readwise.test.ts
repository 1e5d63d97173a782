import { describe, expect, test } from "bun:test"
import { readwise } from "../../src/bookmarks/Readwise.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile } from "./support/files.ts"

const createdAt = "2026-03-14T23:55:23.291Z"

describeData("bookmarks", "Readwise Reader's real tables", () => {
  test("reads several pages", async () =>
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
        createdAt
      }),
      bookmark({ place: 3, url: "https://notags.com", title: "Example Tag less Site", createdAt }),
      bookmark({ place: 4, url: "https://archived.com", title: "Archived Site", tags: ["tag1"], createdAt })
    ]))
  test("reads tags however they are quoted", async () => {
    const file = realFile("csv/karakeep-handles-complex-tag-formatting-in-readwise-reader-csv.csv")
    expect((await bookmarksIn(readwise, file)).map(({ tags }) => tags)).toEqual([
      ["test"],
      ["test", "test2", "it's crazy"],
      ["tag's", "another"],
      []
    ])
  })
  test("leaves out tags that are no list", async () =>
    expect(
      await bookmarksIn(readwise, realFile("csv/karakeep-handles-invalid-json-in-documenttags.csv"))
    ).toEqual([bookmark({ place: 2, url: "https://invalid.com", title: "Invalid Tags", createdAt })]))
  test("reports a row without an address", async () =>
    expect(await read(readwise, realFile("csv/karakeep-handles-empty-url.csv"))).toEqual({
      bookmarks: [],
      unreadable: [{ place: 2, reason: "It has no address." }]
    }))
  test("refuses a table without its columns", async () => {
    const file = realFile("csv/karakeep-throws-error-for-invalid-readwise-reader-csv.csv")
    expect(readwise.recognises(file)).toBe(false)
    expect((await failure(readwise, file))?.message).toBe("This is no Readwise Reader export (CSV).")
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
