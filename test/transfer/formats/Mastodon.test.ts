import { describe, expect, test } from "bun:test"
import { mastodonArchive, mastodonPosts } from "../../../src/transfer/formats/Mastodon.ts"
import { bookmark, jsonFile, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("mastodonArchive", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(mastodonArchive, sampleFile(samples["mastodon"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/page",
          note: "Read https://a.example/page by @bob #web",
          tags: ["web"],
          createdAt: "2022-11-05T06:07:08.000Z"
        }),
        bookmark({
          place: 2,
          url: "https://m.example/users/c/statuses/2",
          createdAt: "2022-11-06T00:00:00.000Z"
        }),
        bookmark({ place: 3, url: "https://m.example/users/d/statuses/3" })
      ],
      unreadable: [{ place: 4, reason: "It is neither an address nor a post." }]
    }))
})

describe("mastodonPosts", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(mastodonPosts, sampleFile(samples["mastodon-posts"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://m.example/@ann/1",
          title: "Ann: What I say",
          description: "What I say",
          tags: ["web"],
          createdAt: "2022-11-05T06:07:08.000Z",
          favorite: true
        })
      ],
      unreadable: [{ place: 2, reason: "It has no address." }]
    }))
})

describe("mastodonArchive", () => {
  test("reads the addresses of bookmarked posts, or none", async () => {
    const collection = { "@context": "x", id: "bookmarks.json", type: "OrderedCollection" }
    const urls = ["https://m.example/users/a/statuses/1", "https://n.example/notice/2"]
    expect((await read(mastodonArchive, jsonFile({ ...collection, orderedItems: urls }))).bookmarks).toEqual(
      urls.map((url, index) => bookmark({ place: index + 1, url }))
    )
    const empty = jsonFile({ ...collection, orderedItems: [] })
    expect(mastodonArchive.recognizes(empty)).toBe(true)
    expect((await read(mastodonArchive, empty)).bookmarks).toEqual([])
  })
})
