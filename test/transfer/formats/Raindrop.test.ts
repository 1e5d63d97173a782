import { describe, expect, test } from "bun:test"
import { raindrop } from "../../../src/transfer/formats/Services.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, realFile } from "../support/files.ts"

const HEADER = "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite"
const rows = (...lines: ReadonlyArray<string>) => fileOf([HEADER, ...lines].join("\n"))

describeData("bookmarks", "real Raindrop tables", () => {
  test("are read whole", async () =>
    expect(await bookmarksIn(raindrop, realFile("csv/raindrop-a.csv"))).toEqual([
      bookmark({
        place: 2,
        url: "https://doc.rust-lang.org/rust-by-example/",
        title: "Rust by Example",
        description: "Learn Rust with examples",
        tags: ["rust", "programming"],
        folders: ["tutorials"],
        createdAt: "2024-03-15T09:30:00.000Z"
      }),
      bookmark({
        place: 3,
        url: "https://news.ycombinator.com/",
        title: "Hacker News",
        note: "my note",
        description: "Tech news aggregator",
        folders: ["news"],
        createdAt: "2024-04-01T12:00:00.000Z",
        favorite: true
      }),
      bookmark({
        place: 4,
        url: "https://example.com/quoted",
        title: 'Quoted "Title"',
        description: "An excerpt with, commas",
        tags: ["tag1", "tag2"],
        folders: ["misc"],
        createdAt: "2024-05-10T08:00:00.000Z"
      })
    ]))

  test("are read in the documented import form", async () =>
    expect(await bookmarksIn(raindrop, realFile("csv/raindrop-import-form.csv"))).toEqual([
      bookmark({
        place: 2,
        url: "http://google.com",
        title: "Google",
        note: "Note",
        tags: ["search", "app"],
        folders: ["Folder"],
        createdAt: "2021-08-26T12:15:25.000Z"
      }),
      bookmark({
        place: 3,
        url: "http://yahoo.com",
        title: "Yahoo",
        note: "Note",
        tags: ["search", "app"],
        folders: ["Folder", "Nested folder"],
        createdAt: "2021-08-26T12:15:25.000Z"
      })
    ]))
})

describe("raindrop", () => {
  test("keeps a slash in a collection's name, and reads Unsorted as no folder", async () => {
    const file = rows(
      "1,A,,,https://a.example/,Apps/Services / AI Tools,,2026-01-01T00:00:00.000Z,,,true",
      "2,B,,,https://b.example/,Unsorted,,,,,"
    )
    const folders = (await bookmarksIn(raindrop, file)).map((one) => one.folders)
    expect(folders).toEqual([["Apps/Services", "AI Tools"], []])
  })
  test("reads each line of the highlights as a passage", async () => {
    const file = rows('1,A,"one\ntwo",,https://a.example/,,,,,"marked\nalso marked",')
    const [found] = await bookmarksIn(raindrop, file)
    expect(found?.note).toBe("one\ntwo")
    expect(found?.highlights.map(({ quote }) => quote)).toEqual(["marked", "also marked"])
  })
  test("reads highlights with names of their parts", async () => {
    const cell = "Highlight:One line\nand another\nColor:red\nNote:why\nHighlight:Second"
    const [found] = await bookmarksIn(raindrop, rows(`1,A,,,https://a.example/,,,,,"${cell}",`))
    expect(found?.highlights).toEqual([
      { quote: "One line\nand another", note: "why", colour: "pink", createdAt: null },
      { quote: "Second", note: "", colour: "yellow", createdAt: null }
    ])
  })
  test("reads a quoted tag as one", async () => {
    const file = rows('1,A,,,https://a.example/,,"rust, ""a, b"", c ,",,,,')
    expect((await bookmarksIn(raindrop, file))[0]?.tags).toEqual(["rust", "a, b", "c"])
  })
  test("rejects a table with only some of its columns", async () => {
    const file = fileOf("url,title,folder\nhttps://a.example/,A,x")
    expect(raindrop.recognizes(file)).toBe(false)
    expect((await failure(raindrop, file))?.message).toBe("The file is not a valid Raindrop export (CSV).")
  })
})
