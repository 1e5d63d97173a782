import { describe, expect, test } from "bun:test"
import { twitterArchive, twitterPosts } from "../../../src/transfer/formats/Twitter.ts"
import { bookmark, failure, fileOf, jsonFile, read } from "../support/files.ts"

describe("twitterArchive", () => {
  test("reads the links in the owner's posts, with the addresses that they stand for", async () =>
    expect(
      await read(
        twitterArchive,
        fileOf(
          `window.YTD.tweets.part0 = ${JSON.stringify([
            {
              tweet: {
                id_str: "1",
                created_at: "Wed Oct 10 20:19:24 +0000 2018",
                full_text: "Good: https://t.co/a by @x #web",
                entities: {
                  hashtags: [{ text: "web" }],
                  urls: [{ url: "https://t.co/a", expanded_url: "https://a.example/page" }]
                }
              }
            },
            { tweet: { id_str: "2", full_text: "No link", entities: { urls: [] } } },
            { tweet: { id_str: "3", full_text: "No entities" } }
          ])};`
        )
      )
    ).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/page",
          note: "Good: https://a.example/page by @x #web",
          tags: ["web"],
          createdAt: "2018-10-10T20:19:24.000Z"
        })
      ],
      unreadable: []
    }))

  test("rejects a file about the account, and a broken one", async () => {
    expect(twitterArchive.recognizes(fileOf('window.YTD.account.part0 = [{"account":{}}]'))).toBe(false)
    for (const text of ["window.YTD.like.part0 = [", "window.YTD.like.part0 = {}"])
      expect((await failure(twitterArchive, fileOf(text)))?.message).toBe(
        "The file is not a valid X (Twitter) archive (JavaScript)."
      )
    expect(await read(twitterArchive, fileOf("window.YTD.like.part0 = [ ]\n"))).toEqual({
      bookmarks: [],
      unreadable: []
    })
  })
})

describe("twitterPosts", () => {
  test("reads what extensions save", async () =>
    expect(
      (
        await read(
          twitterPosts,
          jsonFile([
            {
              id: "20",
              created_at: "2024-01-02 03:04:05 +02:00",
              full_text: "Words &amp; more",
              screen_name: "jack",
              url: "https://twitter.com/jack/status/20"
            }
          ])
        )
      ).bookmarks
    ).toEqual([
      bookmark({
        place: 1,
        url: "https://twitter.com/jack/status/20",
        title: "@jack: Words & more",
        description: "Words & more",
        createdAt: "2024-01-02T01:04:05.000Z"
      })
    ]))
})
