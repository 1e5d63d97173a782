import { describe, expect, test } from "bun:test"
import { evernote } from "../../../src/transfer/formats/Evernote.ts"
import { bookmark, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("evernote", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(evernote, sampleFile(samples["evernote"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 4,
          url: "https://a.example/page?x=1&y=2",
          title: "A clipped page",
          tags: ["reading", "Überblick"],
          createdAt: "2019-02-03T04:05:06.000Z",
          text: "First line & more\ninside"
        }),
        bookmark({ place: 12, url: "https://b.example/", title: "Bee", note: "Things to read" }),
        bookmark({ place: 12, url: "https://c.example/plain", note: "Things to read" })
      ],
      unreadable: [{ place: 17, reason: "The note “Shopping list” has no link." }]
    }))
})
