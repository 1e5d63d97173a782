import { describe, expect, test } from "bun:test"
import { hackerNews } from "../../src/transfer/HackerNews.ts"
import { bookmark, read, sampleFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

describe("hackerNews", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(hackerNews, sampleFile(samples["hacker-news"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "My YC app",
          note: "https://news.ycombinator.com/item?id=8863",
          createdAt: "2007-04-04T19:16:40.000Z"
        }),
        bookmark({
          place: 2,
          url: "https://news.ycombinator.com/item?id=121003",
          title: "Ask HN: Arc",
          description: "or HN: the Next",
          createdAt: "2008-02-22T02:33:40.000Z"
        }),
        bookmark({ place: 3, url: "https://news.ycombinator.com/item?id=42", title: "Ask HN: This" })
      ],
      unreadable: [
        { place: 4, reason: "It has no address." },
        { place: 5, reason: "It is a bare value, not an entry." }
      ]
    }))
})
