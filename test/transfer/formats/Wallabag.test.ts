import { describe, expect, test } from "bun:test"
import type { Bookmark } from "../../../src/domain/Bookmark.ts"
import { wallabag, wallabagCsv, wallabagXml } from "../../../src/transfer/formats/SelfHosted.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, jsonFile, read, realFile, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

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
describe("wallabagXml", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(wallabagXml, sampleFile(samples["wallabag-xml"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 3,
          url: "https://a.example/?a=1&b=2",
          title: "A title",
          highlights: [{ quote: "a quote", note: "my comment", colour: "yellow", createdAt: null }],
          tags: ["foo", "b & r"],
          createdAt: "2016-09-08T09:55:58.000Z",
          favorite: true,
          state: "unread",
          text: "The text\nof it"
        }),
        bookmark({ place: 14, url: "https://b.example/", state: "archived" })
      ],
      unreadable: [{ place: 18, reason: "It has no address." }]
    }))
})

describe("wallabagCsv", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(wallabagCsv, sampleFile(samples["wallabag-csv"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/",
          title: "A; title",
          tags: ["foo", "bar baz"],
          createdAt: "2016-10-09T03:30:00.000Z",
          text: 'The "text"'
        }),
        bookmark({ place: 3, url: "https://b.example/" })
      ],
      unreadable: [{ place: 4, reason: "It has no address." }]
    }))
})
