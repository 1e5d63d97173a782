import { describe, expect, test } from "bun:test"
import { linkAce, linkAceCsv, shaarli, shiori } from "../../../src/transfer/formats/SelfHosted.ts"
import { bookmark, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("linkAceCsv", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(linkAceCsv, sampleFile(samples["linkace-csv"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/",
          title: "A, title",
          note: "My, words",
          tags: ["foo", "bar", "Second list"],
          folders: ["Reading"],
          createdAt: "2023-01-02T03:04:05.000Z"
        }),
        bookmark({ place: 3, url: "https://b.example/", title: "B" })
      ],
      unreadable: [{ place: 4, reason: "It has no address." }]
    }))
})

describe("linkAce", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(linkAce, sampleFile(samples["linkace"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          note: "Mine",
          tags: ["foo", "Second"],
          folders: ["Reading"],
          createdAt: "2023-01-02T03:04:05.000Z"
        }),
        bookmark({ place: 2, url: "https://b.example/" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("shaarli", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(shaarli, sampleFile(samples["shaarli"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          note: "My **words**",
          tags: ["foo", "bar-baz"],
          createdAt: "2015-05-05T09:30:00.000Z"
        }),
        bookmark({ place: 3, url: "https://b.example/", tags: ["one", "two"] })
      ],
      unreadable: [{ place: 2, reason: "It is a note, not a link." }]
    }))
})

describe("shiori", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(shiori, sampleFile(samples["shiori"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          description: "About it",
          tags: ["foo"],
          createdAt: "2023-06-07T08:09:10.000Z",
          text: "The page's own words"
        }),
        bookmark({ place: 2, url: "https://b.example/", createdAt: "2020-01-01T00:00:00.000Z" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})
