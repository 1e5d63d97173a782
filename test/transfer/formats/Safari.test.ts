import { describe, expect, test } from "bun:test"
import { safari } from "../../../src/transfer/formats/Browsers.ts"
import { bookmark, fileOf, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("safari", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(safari, sampleFile(samples["safari"]))).toEqual({
      bookmarks: [
        bookmark({ place: 1, url: "https://a.example/", title: "Café & Bar" }),
        bookmark({ place: 2, url: "https://b.example/", title: "Deep", folders: ["Work"] }),
        bookmark({
          place: 4,
          url: "https://c.example/",
          title: "Found title",
          description: "How it begins",
          createdAt: "2024-02-03T04:05:06.000Z",
          state: "unread"
        }),
        bookmark({
          place: 5,
          url: "https://d.example/",
          title: "Read",
          createdAt: "2024-02-04T00:00:00.000Z"
        })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("safari", () => {
  test("leaves other property lists alone", () =>
    expect(safari.recognizes(fileOf("<plist><dict><key>CFBundleName</key></dict></plist>"))).toBe(false))
})
