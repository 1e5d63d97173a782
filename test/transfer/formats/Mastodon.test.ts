import { describe, expect, test } from "bun:test"
import { mastodonArchive } from "../../../src/transfer/formats/Mastodon.ts"
import { bookmark, jsonFile, read } from "../support/files.ts"

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
