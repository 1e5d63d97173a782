import { describe, expect, test } from "bun:test"
import {
  feedbin,
  googleReader,
  miniflux,
  newsblur,
  tinyTinyRss
} from "../../../src/transfer/formats/FeedReaders.ts"
import { bookmark, jsonFile, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("googleReader", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(googleReader, sampleFile(samples["google-reader"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/canonical",
          title: "A & B",
          note: "My remark",
          tags: ["To keep"],
          createdAt: "2014-05-13T16:53:20.000Z",
          favorite: true,
          text: "The article"
        }),
        bookmark({
          place: 2,
          url: "https://b.example/",
          createdAt: "2017-07-14T02:40:00.000Z",
          state: "unread",
          text: "Plain"
        })
      ],
      unreadable: [
        { place: 3, reason: "It has no address." },
        { place: 4, reason: "It is a bare value, not an entry." }
      ]
    }))
})

describe("feedbin", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(feedbin, sampleFile(samples["feedbin"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          createdAt: "2013-02-04T01:00:00.000Z",
          favorite: true,
          text: "The article"
        }),
        bookmark({ place: 2, url: "https://b.example/", favorite: true })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("miniflux", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(miniflux, sampleFile(samples["miniflux"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          tags: ["foo"],
          folders: ["Tech"],
          createdAt: "2020-01-02T00:00:00.000Z",
          favorite: true,
          state: "unread",
          text: "The article"
        }),
        bookmark({ place: 2, url: "https://b.example/" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("newsblur", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(newsblur, sampleFile(samples["newsblur"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          note: "Mine",
          tags: ["foo"],
          createdAt: "2020-03-04T05:06:07.000Z",
          favorite: true,
          text: "The story"
        }),
        bookmark({
          place: 2,
          url: "https://b.example/",
          createdAt: "2020-09-13T12:26:40.000Z",
          favorite: true
        })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("tinyTinyRss", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(tinyTinyRss, sampleFile(samples["tt-rss"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/one",
          title: "First & starred",
          note: "My note",
          tags: ["tech", "news", "To keep"],
          createdAt: "2021-05-01T13:45:00.000Z",
          favorite: true,
          text: "Body one"
        }),
        bookmark({ place: 9, url: "https://b.example/", title: "Second" })
      ],
      unreadable: [{ place: 10, reason: "It has no address." }]
    }))
})

describe("googleReader", () => {
  test("reads Inoreader's and Feedly's fields, and an empty list", async () => {
    const items = [
      {
        title: "A",
        starred: 1600000000,
        crawlTimeMsec: "1500000000000",
        categories: [],
        alternate: [{ href: "https://a.example/" }]
      },
      {
        title: "B",
        canonicalUrl: "https://b.example/",
        alternate: [{ href: "https://feed.example/b" }],
        actionTimestamp: 1600000000000,
        published: 1,
        unread: true,
        tags: [
          { id: "user/1/tag/global.saved", label: "" },
          { id: "user/1/tag/x", label: "Read Later" }
        ]
      }
    ]
    expect((await read(googleReader, jsonFile({ items }))).bookmarks).toEqual([
      bookmark({ place: 1, url: "https://a.example/", title: "A", createdAt: "2020-09-13T12:26:40.000Z" }),
      bookmark({
        place: 2,
        url: "https://b.example/",
        title: "B",
        tags: ["Read Later"],
        createdAt: "2020-09-13T12:26:40.000Z",
        state: "unread"
      })
    ])
    expect(await read(googleReader, jsonFile({ id: "user/-/state/com.google/starred", items: [] }))).toEqual({
      bookmarks: [],
      unreadable: []
    })
  })
})
