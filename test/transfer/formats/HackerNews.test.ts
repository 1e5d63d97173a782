import { describe, expect, test } from "bun:test"
import { hackerNews } from "../../../src/transfer/formats/Saved.ts"
import { bookmark, jsonFile, read } from "../support/files.ts"

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
