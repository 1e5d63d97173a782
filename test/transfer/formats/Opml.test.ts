import { describe, expect, test } from "bun:test"
import { opml } from "../../../src/transfer/formats/Opml.ts"
import { bookmark, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("opml", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(opml, sampleFile(samples["opml"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 7,
          url: "https://a.example/",
          title: "Le Monde — Une",
          note: "Feed: https://a.example/feed.xml",
          description: "Toute l’actualité",
          tags: ["press", "world/france"],
          folders: ["News"],
          createdAt: "2013-03-05T10:00:00.000Z"
        }),
        bookmark({ place: 9, url: "https://b.example/rss", title: "Only a feed", folders: ["News", "Deep"] }),
        bookmark({ place: 13, url: "https://c.example/リンク", title: "日本" }),
        bookmark({ place: 14, url: "https://d.example/", title: "the page" }),
        bookmark({ place: 14, url: "https://e.example/x" }),
        bookmark({ place: 14, url: "https://f.example/" })
      ],
      unreadable: [{ place: 11, reason: "It has no address." }]
    }))
})
