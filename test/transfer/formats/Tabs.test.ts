import { describe, expect, test } from "bun:test"
import { sessionBuddy, tabSessionManager, toby } from "../../../src/transfer/formats/Tabs.ts"
import { bookmark, jsonFile, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("tabSessionManager", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(tabSessionManager, sampleFile(samples["tab-session-manager"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          tags: ["work"],
          folders: ["Research"],
          createdAt: "2020-09-13T12:26:40.000Z"
        }),
        bookmark({
          place: 2,
          url: "https://b.example/?q=1",
          title: "B",
          tags: ["work"],
          folders: ["Research"],
          createdAt: "2020-09-13T12:26:40.000Z"
        })
      ],
      unreadable: [
        { place: 3, reason: "It is a page of the browser, not a link." },
        { place: 4, reason: "It is a bare value, not an entry." },
        { place: 5, reason: "It is a bare value, not an entry." }
      ]
    }))
})

describe("sessionBuddy", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(sessionBuddy, sampleFile(samples["session-buddy"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A",
          folders: ["Project", "Window"],
          createdAt: "2022-04-15T05:20:00.000Z"
        }),
        bookmark({
          place: 3,
          url: "https://b.example/",
          title: "B",
          folders: ["Project"],
          createdAt: "2022-08-08T23:06:40.000Z"
        }),
        bookmark({ place: 5, url: "https://c.example/", title: "C", createdAt: "2020-01-02T03:04:05.000Z" })
      ],
      unreadable: [
        { place: 2, reason: "It has no address." },
        { place: 4, reason: "It is a bare value, not an entry." }
      ]
    }))
})

describe("toby", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(toby, sampleFile(samples["toby"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "My A",
          note: "Mine",
          tags: ["work"],
          folders: ["Read"]
        }),
        bookmark({ place: 2, url: "https://b.example/", title: "B", tags: ["work"], folders: ["Read"] })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})

describe("toby", () => {
  test("reads lists within groups", async () =>
    expect(
      (
        await read(
          toby,
          jsonFile({
            version: 4,
            groups: [
              {
                name: "Space",
                lists: [{ title: "Read", cards: [{ title: "A", url: "https://a.example/" }] }]
              }
            ]
          })
        )
      ).bookmarks
    ).toEqual([bookmark({ place: 1, url: "https://a.example/", title: "A", folders: ["Space", "Read"] })]))
})
