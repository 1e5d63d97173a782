import { describe, expect, test } from "bun:test"
import { youTube } from "../../src/transfer/YouTube.ts"
import { bookmark, read, sampleFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

describe("youTube", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(youTube, sampleFile(samples.youtube))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
          createdAt: "2024-03-01T10:00:00.000Z"
        }),
        bookmark({ place: 3, url: "https://www.youtube.com/watch?v=-_aaaaaaaaa" })
      ],
      unreadable: [{ place: 4, reason: "It has no video ID." }]
    }))
})
