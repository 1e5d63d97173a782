import { describe, expect, test } from "bun:test"
import { readeck, readeckCsv } from "../../../src/transfer/formats/SelfHosted.ts"
import { bookmark, jsonFile, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("readeck", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(readeck, sampleFile(samples["readeck"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          title: "A & title",
          highlights: [{ quote: "a passage", note: "my note", colour: "yellow", createdAt: null }],
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

describe("readeck", () => {
  test("reads a file of the export, which has the names of the program's structure and the page's text", async () => {
    const file = jsonFile({
      ID: 3,
      UID: "abc",
      UserID: 1,
      Created: "2024-03-04T05:06:07.123456789+01:00",
      Updated: "2024-03-05T00:00:00Z",
      State: 0,
      URL: "https://a.example/",
      Title: "A",
      Site: "a.example",
      Authors: null,
      DocumentType: "article",
      Description: "About",
      Text: "The page's own words",
      Labels: ["foo"],
      IsArchived: false,
      IsMarked: true,
      ReadProgress: 100
    })
    expect(readeck.recognizes(file)).toBe(true)
    expect((await read(readeck, file)).bookmarks).toEqual([
      bookmark({
        place: 1,
        url: "https://a.example/",
        title: "A",
        description: "About",
        tags: ["foo"],
        createdAt: "2024-03-04T04:06:07.123Z",
        favorite: true,
        text: "The page's own words"
      })
    ])
  })
})

describe("readeck's export", () => {
  test("has the page's text in a file of its own", async () => {
    const info = {
      UID: "abc",
      URL: "https://a.example/",
      IsMarked: false,
      Files: { article: { name: "page.html" } }
    }
    const companion = (path: string) => (path === "container/page.html" ? "<p>One</p><p>Two</p>" : undefined)
    expect((await read(readeck, { ...jsonFile(info), companion })).bookmarks).toMatchObject([
      { text: "One\nTwo" }
    ])
  })
})

describe("readeckCsv", () => {
  test("reads every field, and no tag where there is none", async () =>
    expect(await read(readeckCsv, sampleFile(samples["readeck-csv"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/",
          title: "A, title",
          tags: ["foo", "two words"],
          createdAt: "2024-03-04T05:06:07.000Z",
          favorite: true,
          state: "unread"
        }),
        bookmark({ place: 3, url: "https://b.example/", state: "archived" })
      ],
      unreadable: [{ place: 4, reason: "It has no address." }]
    }))
})
