import { describe, expect, test } from "bun:test"
import { hackerNews } from "../../../src/transfer/formats/Saved.ts"
import { bookmark, jsonFile, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

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

describe("hackerNews", () => {
  test("reads what exporters and the search write", async () => {
    const links = {
      total: 1,
      links: [
        {
          author: "a",
          url: "https://a.example/",
          age: "2 days ago",
          title: "A",
          comments_url: "https://news.ycombinator.com/item?id=11740967",
          points: 79
        }
      ]
    }
    expect((await read(hackerNews, jsonFile(links))).bookmarks).toEqual([
      bookmark({
        place: 1,
        url: "https://a.example/",
        title: "A",
        note: "https://news.ycombinator.com/item?id=11740967"
      })
    ])
    const hits = {
      hits: [{ objectID: "7", title: "A", url: null, created_at_i: 1600000000, num_comments: 1 }]
    }
    expect((await read(hackerNews, jsonFile(hits))).bookmarks).toEqual([
      bookmark({
        place: 1,
        url: "https://news.ycombinator.com/item?id=7",
        title: "A",
        createdAt: "2020-09-13T12:26:40.000Z"
      })
    ])
  })
})
