import { describe, expect, test } from "bun:test"
import { pocketCsv } from "../../src/bookmarks/PocketCsv.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, fileOf, realFile } from "./support/files.ts"

describeData("bookmarks", "Pocket's real tables", () => {
  test("reads all seven pages, also the one after a title of three lines", async () => {
    const bookmarks = await bookmarksIn(pocketCsv, realFile("csv/pocket-wallabag.csv"))
    expect(bookmarks).toHaveLength(7)
    expect(bookmarks[0]).toEqual(
      bookmark({
        place: 2,
        url: "http://youmightnotneedjquery.com/",
        title: "You Might Not Need jQuery",
        createdAt: "2020-09-17T06:06:28.000Z"
      })
    )
    expect(bookmarks[6]).toEqual(
      bookmark({
        place: 8,
        url: "https://reporterre.net/Des-abeilles-pour-resoudre-les-conflits-entre-les-humains-et-les-elephants",
        title: "Des abeilles pour résoudre les « conflits » entre les humains\n\net les élépha",
        createdAt: "2020-09-12T06:04:33.000Z"
      })
    )
  })
  test("reads a file whose line breaks were written as in a program", async () =>
    expect(
      await bookmarksIn(
        pocketCsv,
        realFile("csv/karakeep-sets-archived-true-for-items-with-status-archive.csv")
      )
    ).toEqual([
      bookmark({ place: 2, url: "https://example.com", title: "Test", createdAt: "2009-02-13T23:31:30.000Z" })
    ]))
})

describe("pocketCsv", () => {
  test("reads tags between bars, and no title where it is the address", async () =>
    expect(
      await bookmarksIn(
        pocketCsv,
        fileOf(
          "title,url,time_added,tags,status\r\nhttps://a.example/,https://a.example/,0,dev tools|c,unread\r\n"
        )
      )
    ).toEqual([bookmark({ place: 2, url: "https://a.example/", tags: ["dev tools", "c"] })]))
})
