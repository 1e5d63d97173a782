import { describe, expect, test } from "bun:test"
import { xbel } from "../../../src/transfer/formats/Xbel.ts"
import { bookmark, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("xbel", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(xbel, sampleFile(samples["xbel"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 6,
          url: "https://a.example/?x=1&y=2",
          title: "A <b>",
          note: "Mine",
          createdAt: "2003-04-05T06:07:08.000Z"
        }),
        bookmark({
          place: 8,
          url: "https://b.example/",
          folders: ["Inner"],
          createdAt: "2005-03-18T01:58:31.000Z"
        })
      ],
      unreadable: [{ place: 13, reason: "It has no address." }]
    }))
})
