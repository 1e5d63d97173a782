import { describe, expect, test } from "bun:test"
import { googleReader } from "../../../src/transfer/formats/FeedReaders.ts"
import { bookmark, jsonFile, read } from "../support/files.ts"

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
