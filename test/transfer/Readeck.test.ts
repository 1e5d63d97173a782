import { describe, expect, test } from "bun:test"
import { readeck } from "../../src/transfer/Readeck.ts"
import { bookmark, read, sampleFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

describe("readeck", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(readeck, sampleFile(samples.readeck))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A & title",
          note: "a passage\nmy note",
          description: "What it is about",
          tags: ["Ünicode", "two words"],
          createdAt: "2024-03-04T05:06:07.123Z",
          favorite: true,
          state: "unread"
        }),
        bookmark({ place: 2, url: "https://b.example/", state: "archived" })
      ],
      unreadable: [
        { place: 3, reason: "It has no address." },
        { place: 4, reason: "It is a bare value, not an entry." }
      ]
    }))
})
