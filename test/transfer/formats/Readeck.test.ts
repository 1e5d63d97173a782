import { describe, expect, test } from "bun:test"
import { readeck } from "../../../src/transfer/formats/SelfHosted.ts"
import { bookmark, jsonFile, read } from "../support/files.ts"

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
