import { describe, expect, test } from "bun:test"
import { readwise } from "../../../src/transfer/formats/ReadLater.ts"
import { readwiseApi, readwiseHighlights } from "../../../src/transfer/formats/Readwise.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

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
  test("makes one link of the highlights of a book or a page", async () =>
    expect(await read(readwiseHighlights, sampleFile(samples["readwise-highlights"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://www.amazon.com/dp/B00ABCDEFG",
          title: "A Book",
          tags: ["history", "war"],
          createdAt: "2023-05-06T07:08:09.000Z",
          highlights: [
            { quote: "First, passage", note: "why", colour: "pink", createdAt: "2023-05-06T07:08:09.000Z" },
            { quote: "Second", note: "", colour: "yellow", createdAt: "2023-05-07T07:08:09.000Z" }
          ]
        }),
        bookmark({
          place: 4,
          url: "https://openlibrary.org/search?title=Other&author=Ann+%26+Bob",
          title: "Other",
          highlights: [{ quote: "Third", note: "", colour: "yellow", createdAt: null }]
        })
      ],
      unreadable: [{ place: 5, reason: "It names neither a book nor an address." }]
    }))

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

describe("readwiseApi", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(readwiseApi, sampleFile(samples["readwise-api"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A page",
          note: "About it",
          tags: ["one"],
          createdAt: "2023-01-02T03:04:05.000Z",
          highlights: [
            { quote: "A passage", note: "mine", colour: "blue", createdAt: "2023-01-02T03:04:05.000Z" }
          ]
        }),
        bookmark({
          place: 2,
          url: "https://openlibrary.org/search?title=A+book&author=Bob",
          title: "A book"
        })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})
