import { describe, expect, test } from "bun:test"
import { oneTab } from "../../../src/transfer/formats/Tabs.ts"
import { bookmark, failure, fileOf, read } from "../support/files.ts"

const file = fileOf(
  [
    "https://example.com/a | A page",
    "https://example.com/b?x=1 | Either | or",
    "",
    "https://example.com/c",
    "https://example.com/d | https://example.com/d",
    "chrome://extensions/ | Extensions",
    ""
  ].join("\r\n")
)

describe("OneTab", () => {
  test("is recognized by lines of addresses, most with a title", () => {
    expect(oneTab.recognizes(file)).toBe(true)
    expect(oneTab.recognizes(fileOf("https://a.example\nhttps://b.example\nhttps://c.example | C"))).toBe(
      false
    )
    expect(oneTab.recognizes(fileOf("Links | mine\nhttps://a.example | A"))).toBe(false)
    expect(oneTab.recognizes(fileOf("url | title\nhttps://a.example | A"))).toBe(false)
    expect(oneTab.recognizes(fileOf("\n"))).toBe(false)
  })

  test("returns a bookmark for each tab, with its line, across groups", async () =>
    expect(await read(oneTab, file)).toEqual({
      bookmarks: [
        bookmark({ place: 1, url: "https://example.com/a", title: "A page" }),
        bookmark({ place: 2, url: "https://example.com/b?x=1", title: "Either | or" }),
        bookmark({ place: 4, url: "https://example.com/c" }),
        bookmark({ place: 5, url: "https://example.com/d" }),
        bookmark({ place: 6, url: "chrome://extensions/", title: "Extensions" })
      ],
      unreadable: []
    }))

  test("reports a line without an address, and continues", async () =>
    expect(
      await read(oneTab, fileOf("https://a.example | A\nnothing here\nhttps://b.example | B"))
    ).toMatchObject({ bookmarks: [{ place: 1 }, { place: 3 }], unreadable: [{ place: 2 }] }))

  test("rejects a text without such lines", async () =>
    expect((await failure(oneTab, fileOf("nothing\nhere")))?.message).toBe(
      "The file is not a valid OneTab export."
    ))
})
