import { describe, expect, test } from "bun:test"
import { pinboard } from "../../src/bookmarks/Pinboard.ts"
import { bookmark, bookmarksIn, jsonFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

describe("pinboard", () => {
  test("reads the description as the title and what extends it as the note", async () =>
    expect(await bookmarksIn(pinboard, jsonFile(samples.pinboard))).toEqual([
      bookmark({
        place: 1,
        url: "https://pinboard.in/tour/",
        title: "Pinboard's tour",
        note: "Take it",
        tags: ["bookmarks", "services", "to:try"],
        createdAt: "2014-05-03T14:04:21.000Z"
      }),
      bookmark({ place: 2, url: "https://example.com/untitled", createdAt: "2015-01-01T00:00:00.000Z" })
    ]))
})
