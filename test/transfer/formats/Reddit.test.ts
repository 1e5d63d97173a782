import { describe, expect, test } from "bun:test"
import { reddit, redditCsv } from "../../../src/transfer/formats/Saved.ts"
import { bookmark, jsonFile, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("reddit", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(reddit, sampleFile(samples["reddit"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/page",
          title: "A & B",
          note: "https://www.reddit.com/r/rust/comments/abc/a_b/",
          tags: ["rust", "news"],
          createdAt: "2020-09-13T12:26:40.000Z"
        }),
        bookmark({
          place: 2,
          url: "https://www.reddit.com/r/self/comments/def/text/",
          title: "Text",
          description: "What I say",
          tags: ["self"],
          createdAt: "2020-09-13T12:26:41.000Z"
        }),
        bookmark({
          place: 3,
          url: "https://www.reddit.com/r/x/comments/ghi/p/jkl/",
          title: "Its post",
          description: "A remark",
          tags: ["x"],
          createdAt: "2020-09-13T12:26:42.000Z"
        })
      ],
      unreadable: [{ place: 4, reason: "It has no address." }]
    }))
})

describe("redditCsv", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(redditCsv, sampleFile(samples["reddit-csv"]))).toEqual({
      bookmarks: [
        bookmark({ place: 2, url: "https://www.reddit.com/r/rust/comments/abc/some_title/" }),
        bookmark({ place: 3, url: "https://www.reddit.com/r/x/comments/def/other/" })
      ],
      unreadable: [{ place: 4, reason: "It has no address." }]
    }))
})

describe("reddit", () => {
  test("reads several pages of an answer", async () => {
    const page = (permalink: string) => ({
      kind: "Listing",
      data: { children: [{ kind: "t3", data: { permalink, subreddit: "x", is_self: true } }] }
    })
    expect(
      (await read(reddit, jsonFile([page("/r/x/1/"), page("/r/x/2/")]))).bookmarks.map(({ url }) => url)
    ).toEqual(["https://www.reddit.com/r/x/1/", "https://www.reddit.com/r/x/2/"])
  })
})
