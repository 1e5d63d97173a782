import { describe, expect, test } from "bun:test"
import { goodLinks, matter } from "../../../src/transfer/formats/ReadLater.ts"
import { unmark } from "../../../src/transfer/formats/SelfHosted.ts"
import { diigo, diigoCsv, mymind, raindropApi } from "../../../src/transfer/formats/Services.ts"
import { bookmark, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("diigo", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(diigo, sampleFile(samples["diigo"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          note: "Mine",
          highlights: [{ quote: "A passage", note: "on it", colour: "yellow", createdAt: null }],
          tags: ["one", "two words"],
          createdAt: "2012-04-05T06:07:08.000Z",
          state: "unread"
        }),
        bookmark({ place: 2, url: "https://b.example/" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("diigoCsv", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(diigoCsv, sampleFile(samples["diigo-csv"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/",
          title: "A, title",
          note: "My words\nA comment",
          highlights: [{ quote: "a passage", note: "", colour: "yellow", createdAt: null }],
          tags: ["one", "two", "three four"],
          createdAt: "2013-05-15T12:16:54.000Z"
        }),
        bookmark({ place: 3, url: "https://b.example/", title: "B" })
      ],
      unreadable: [{ place: 4, reason: "It has no address." }]
    }))
})

describe("goodLinks", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(goodLinks, sampleFile(samples["goodlinks"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          highlights: [{ quote: "a passage", note: "mine", colour: "yellow", createdAt: null }],
          description: "About it",
          tags: ["foo", "bar"],
          createdAt: "2023-11-14T22:13:20.250Z",
          favorite: true,
          state: "unread"
        }),
        bookmark({ place: 2, url: "https://b.example/", createdAt: "2020-09-13T12:26:40.000Z" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("matter", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(matter, sampleFile(samples["matter"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/",
          title: "A, title",
          tags: ["foo", "bar baz"],
          createdAt: "2023-04-05T06:07:08.000Z",
          favorite: true,
          state: "unread"
        }),
        bookmark({
          place: 3,
          url: "https://b.example/",
          title: "B",
          createdAt: "2023-04-06T00:00:00.000Z",
          state: "archived"
        }),
        bookmark({ place: 4, url: "https://c.example/", title: "C", tags: ["one"] })
      ],
      unreadable: [{ place: 5, reason: "It has no address." }]
    }))
})

describe("mymind", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(mymind, sampleFile(samples["mymind"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/",
          title: "A",
          note: "Mine",
          tags: ["foo", "bar"],
          createdAt: "2022-03-04T05:06:07.000Z",
          text: "The text, kept"
        }),
        bookmark({ place: 4, url: "https://c.example/" })
      ],
      unreadable: [{ place: 3, reason: "It is a text or a picture, not a link." }]
    }))
})

describe("unmark", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(unmark, sampleFile(samples["unmark"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          note: "Mine",
          tags: ["foo"],
          folders: ["Do"],
          createdAt: "2016-09-13T20:40:20.000Z",
          state: "unread"
        }),
        bookmark({
          place: 2,
          url: "https://b.example/",
          title: "Own title",
          createdAt: "2016-09-13T20:40:20.000Z",
          state: "archived"
        })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("raindropApi", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(raindropApi, sampleFile(samples["raindrop-api"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          note: "Mine",
          highlights: [{ quote: "a passage", note: "", colour: "yellow", createdAt: null }],
          description: "About it",
          tags: ["foo"],
          createdAt: "2021-02-03T04:05:06.000Z",
          favorite: true
        }),
        bookmark({ place: 2, url: "https://b.example/" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})
