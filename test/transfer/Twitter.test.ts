import { describe, expect, test } from "bun:test"
import { twitterArchive, twitterCsv, twitterPosts } from "../../src/transfer/Twitter.ts"
import { bookmark, read, sampleFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

describe("twitterArchive", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(twitterArchive, sampleFile(samples["x-archive"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://twitter.com/i/web/status/20",
          title: "just setting up & more",
          description: "just setting up & more https://t.co/abc"
        }),
        bookmark({ place: 2, url: "https://x.com/i/web/status/21" })
      ],
      unreadable: [
        { place: 3, reason: "It has no address." },
        { place: 4, reason: "It is a bare value, not an entry." }
      ]
    }))
})

describe("twitterPosts", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(twitterPosts, sampleFile(samples["x-posts"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://x.com/jack/status/20",
          title: "@jack: Read",
          description: "Read https://a.example/page",
          createdAt: "2021-02-03T04:05:06.000Z"
        }),
        bookmark({ place: 2, url: "https://x.com/i/web/status/21", title: "Alone", description: "Alone" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("twitterCsv", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(twitterCsv, sampleFile(samples["x-csv"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://twitter.com/jack/status/20",
          title: "@jack: Words, and more",
          description: "Words, and\nmore",
          createdAt: "2024-01-02T01:04:05.000Z"
        })
      ],
      unreadable: [{ place: 4, reason: "It has no address." }]
    }))
})
