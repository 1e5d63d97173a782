import { describe, expect, test } from "bun:test"
import type { Bookmark } from "../../../src/domain/Bookmark.ts"
import { wallabag } from "../../../src/transfer/formats/SelfHosted.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, jsonFile, realFile } from "../support/files.ts"

/** The bookmarks without the text of their pages. */
const withoutText = (bookmarks: ReadonlyArray<Bookmark>) => bookmarks.map((one) => ({ ...one, text: "" }))

describeData("bookmarks", "real wallabag exports", () => {
  test("are read from version 1", async () =>
    expect(withoutText(await bookmarksIn(wallabag, realFile("json/wallabag-v1.json")))).toEqual([
      bookmark({
        place: 1,
        url: "http://www.framablog.org/index.php/post/2014/02/05/Framabag-service-libre-gratuit-interview-developpeur",
        title: "Framabag, un nouveau service libre et gratuit",
        tags: ["Framabag"],
        state: "unread"
      }),
      bookmark({
        place: 2,
        url: "https://github.com/wallabag/wallabag",
        title: "wallabag/wallabag",
        state: "archived"
      })
    ]))
  test("are read from version 2", async () =>
    expect(withoutText(await bookmarksIn(wallabag, realFile("json/wallabag-v2-read.json")))).toEqual([
      bookmark({
        place: 1,
        url: "https://blog.wikimedia.org/2016/02/10/anne-frank-diary-removal/",
        title:
          "Wikimedia Foundation removes The Diary of Anne Frank due to copyright law requirements « Wikimedia blog",
        createdAt: "2016-09-08T09:55:58.000Z",
        state: "archived"
      }),
      bookmark({
        place: 2,
        url: "https://tails.boum.org/news/version_2.0.1/index.en.html",
        title: "Tails - Tails 2.0.1 is out",
        createdAt: "2016-09-08T09:55:58.000Z",
        state: "unread"
      })
    ]))
  test("are read with the text of the pages", async () => {
    const [page] = await bookmarksIn(wallabag, realFile("json/wallabag-v2-read.json"))
    expect(page?.text).toStartWith(
      "Anne Frank in 1940. Photo by Collectie Anne Frank Stichting Amsterdam, public domain.\nToday, in an unfortunate example"
    )
    expect(page?.text).not.toMatch(/[<>]|&amp;/)
  })
})

describe("wallabag", () => {
  for (const starred of [1, "1", true])
    test(`reads ${JSON.stringify(starred)} as a star`, async () => {
      const file = jsonFile([{ url: "https://a.example/", is_archived: 0, is_starred: starred }])
      expect((await bookmarksIn(wallabag, file))[0]?.favorite).toBe(true)
    })
  test("reads annotations as highlights, and tags as the API returns them", async () =>
    expect(
      await bookmarksIn(
        wallabag,
        jsonFile([
          {
            url: "https://a.example/",
            is_starred: "0",
            tags: [{ id: 1, label: "Deep Work", slug: "deep-work" }],
            annotations: [{ quote: "marked", text: "agreed" }, { quote: "again", text: null }, 5]
          }
        ])
      )
    ).toEqual([
      bookmark({
        place: 1,
        url: "https://a.example/",
        highlights: [
          { quote: "marked", note: "agreed", colour: "yellow", createdAt: null },
          { quote: "again", note: "", colour: "yellow", createdAt: null }
        ],
        tags: ["Deep Work"]
      })
    ]))
})
