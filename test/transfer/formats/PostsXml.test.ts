import { describe, expect, test } from "bun:test"
import { postsXml } from "../../../src/transfer/formats/Services.ts"
import { bookmark, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("postsXml", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(postsXml, sampleFile(samples["posts-xml"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 3,
          url: "https://a.example/",
          title: 'A "title"',
          note: "Mine\nall",
          tags: ["one", "two:three"],
          createdAt: "2010-05-03T14:04:21.000Z",
          state: "unread"
        }),
        bookmark({ place: 4, url: "https://b.example/" })
      ],
      unreadable: [{ place: 5, reason: "It has no address." }]
    }))
})
