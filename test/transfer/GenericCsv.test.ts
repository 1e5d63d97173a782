import { describe, expect, test } from "bun:test"
import { csvHead, csvLink } from "../../src/transfer/Csv.ts"
import { genericCsv } from "../../src/transfer/GenericCsv.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile } from "./support/files.ts"

describeData("bookmarks", "a real table of an unknown product", () => {
  test("is read by its column names", async () =>
    expect(
      await bookmarksIn(genericCsv, realFile("csv/karakeep-throws-error-for-invalid-readwise-reader-csv.csv"))
    ).toEqual([bookmark({ place: 2, url: "https://missing.com", title: "Missing Columns" })]))
})

describe("genericCsv", () => {
  test("recognizes columns by many names, in any case and order", async () =>
    expect(
      await bookmarksIn(
        genericCsv,
        fileOf(
          "\ufeffDate Added;Keywords;Comment;NAME;Link;List;Starred;Description\r\n2024-05-06 07:08;a|b, c;mine;A;https://a.example/;Work/Later;yes;of the page\r\n"
        )
      )
    ).toEqual([
      bookmark({
        place: 2,
        url: "https://a.example/",
        title: "A",
        note: "mine",
        description: "of the page",
        tags: ["a", "b, c"],
        folders: ["Work", "Later"],
        createdAt: "2024-05-06T07:08:00.000Z",
        favorite: true
      })
    ]))

  for (const [tags, wanted] of [
    ["a,b", ["a", "b"]],
    ["a; b c", ["a", "b c"]],
    ['["a","b"]', ["a", "b"]],
    ["", []]
  ] as const)
    test(`reads the tags ${tags}`, async () => {
      const file = fileOf(`url\ttags\nhttps://a.example/\t${tags}`)
      expect((await bookmarksIn(genericCsv, file))[0]?.tags).toEqual([...wanted])
    })

  test("uses the first column with a value", async () => {
    const file = fileOf("title,name,url\n,Second,https://a.example/")
    expect((await bookmarksIn(genericCsv, file))[0]?.title).toBe("Second")
  })

  test("reads Linkbower's own table", async () => {
    const link = {
      url: "https://a.example/",
      title: 'A "quoted", one',
      note: "first\nsecond",
      summary: "s",
      description: "d",
      tags: ["x", "y-z"],
      category: "article",
      collection: "CI/CD",
      favorite: true,
      shareable: false,
      state: "archived" as const,
      createdAt: "2024-05-06T07:08:09.123Z",
      updatedAt: "2025-05-06T07:08:09.123Z"
    }
    expect(
      await bookmarksIn(genericCsv, fileOf(csvHead + csvLink(link) + csvLink({ ...link, collection: null })))
    ).toEqual([
      bookmark({
        place: 2,
        url: link.url,
        title: link.title,
        note: link.note,
        description: "d",
        tags: ["x", "y-z"],
        folders: ["CI/CD"],
        createdAt: link.createdAt,
        favorite: true,
        state: "archived"
      }),
      bookmark({
        place: 4,
        url: link.url,
        title: link.title,
        note: link.note,
        description: "d",
        tags: ["x", "y-z"],
        createdAt: link.createdAt,
        favorite: true,
        state: "archived"
      })
    ])
  })

  test("reports rows without an address, and skips empty rows", async () => {
    const { bookmarks, unreadable } = await read(
      genericCsv,
      fileOf("url,title\nhttps://a.example/,A\n,B\n,\n\nhttps://c.example/,C")
    )
    expect(bookmarks.map(({ place }) => place)).toEqual([2, 6])
    expect(unreadable).toEqual([{ place: 3, reason: "It has no address." }])
  })

  test("reads rows shorter and longer than the header", async () => {
    const bookmarks = await bookmarksIn(
      genericCsv,
      fileOf("title,url\nA,https://a.example/,more\n\nB,https://b.example/")
    )
    expect(bookmarks.map(({ title }) => title)).toEqual(["A", "B"])
  })

  test("rejects a broken header, and finds one below empty lines", async () => {
    expect((await failure(genericCsv, fileOf('"url,title\nhttps://a.example/,A')))?.message).toBe(
      "The file is not a valid table of links (CSV)."
    )
    const below = fileOf("\n  \nurl,title\nhttps://a.example/,A")
    expect(await bookmarksIn(genericCsv, below)).toEqual([
      bookmark({ place: 4, url: "https://a.example/", title: "A" })
    ])
  })

  test("rejects a table without a column of addresses", async () => {
    const file = fileOf("name,age\nAnn,30")
    expect(genericCsv.recognizes(file)).toBe(false)
    expect((await failure(genericCsv, file))?.message).toBe("The file is not a valid table of links (CSV).")
  })
})
