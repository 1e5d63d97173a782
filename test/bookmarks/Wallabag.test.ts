import { describe, expect, test } from "bun:test"
import { wallabag } from "../../src/bookmarks/Wallabag.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, jsonFile, realFile } from "./support/files.ts"

describeData("bookmarks", "wallabag's real exports", () => {
  test("reads the first version's", async () =>
    expect(await bookmarksIn(wallabag, realFile("json/wallabag-v1.json"))).toEqual([
      bookmark({
        place: 1,
        url: "http://www.framablog.org/index.php/post/2014/02/05/Framabag-service-libre-gratuit-interview-developpeur",
        title: "Framabag, un nouveau service libre et gratuit",
        tags: ["Framabag"]
      }),
      bookmark({ place: 2, url: "https://github.com/wallabag/wallabag", title: "wallabag/wallabag" })
    ]))
  test("reads the second version's", async () =>
    expect(await bookmarksIn(wallabag, realFile("json/wallabag-v2-read.json"))).toEqual([
      bookmark({
        place: 1,
        url: "https://blog.wikimedia.org/2016/02/10/anne-frank-diary-removal/",
        title:
          "Wikimedia Foundation removes The Diary of Anne Frank due to copyright law requirements « Wikimedia blog",
        createdAt: "2016-09-08T09:55:58.000Z"
      }),
      bookmark({
        place: 2,
        url: "https://tails.boum.org/news/version_2.0.1/index.en.html",
        title: "Tails - Tails 2.0.1 is out",
        createdAt: "2016-09-08T09:55:58.000Z"
      })
    ]))
})

describe("wallabag", () => {
  for (const starred of [1, "1", true])
    test(`takes ${JSON.stringify(starred)} for a star`, async () => {
      const file = jsonFile([{ url: "https://a.example/", is_archived: 0, is_starred: starred }])
      expect((await bookmarksIn(wallabag, file))[0]?.favorite).toBe(true)
    })
  test("puts what was marked and written into the note, and reads tags as the API gives them", async () =>
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
      bookmark({ place: 1, url: "https://a.example/", note: "marked\nagreed\nagain", tags: ["Deep Work"] })
    ]))
})
