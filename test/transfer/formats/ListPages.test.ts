import { describe, expect, test } from "bun:test"
import { instapaperHtml, medium } from "../../../src/transfer/formats/ReadLater.ts"
import { bookmark, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("instapaperHtml", () => {
  test("reads states and folders from the headings, and reports a link without an address", async () =>
    expect(await read(instapaperHtml, sampleFile(samples["instapaper-html"]))).toEqual({
      bookmarks: [
        bookmark({ place: 4, url: "https://a.example/?x=1&y=2", title: "A & B", state: "unread" }),
        bookmark({ place: 6, url: "https://b.example/", title: "B", folders: ["Recipes & more"] }),
        bookmark({ place: 7, url: "https://c.example/", state: "archived" })
      ],
      unreadable: [{ place: 5, reason: "It has no address." }]
    }))
})

describe("medium", () => {
  test("reads titles and times", async () =>
    expect(await read(medium, sampleFile(samples["medium"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://medium.com/p/1",
          title: "Story one",
          createdAt: "2023-07-27T16:50:00.000Z"
        }),
        bookmark({ place: 3, url: "https://medium.com/p/2", title: "Two" })
      ],
      unreadable: []
    }))
})
