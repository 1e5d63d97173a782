import { describe, expect, test } from "bun:test"
import { linkwarden } from "../../../src/transfer/formats/SelfHosted.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, jsonFile, read, realFile } from "../support/files.ts"

describeData("bookmarks", "a real Linkwarden export", () => {
  test("is read with nested collections", async () => {
    const bookmarks = await bookmarksIn(linkwarden, realFile("json/linkwarden.json"))
    expect(bookmarks.map(({ folders, title }) => [title, folders.join("/")])).toEqual([
      ["GitHub", "Tech"],
      ["React", "Tech/Frontend"],
      ["Next.js", "Tech/Frontend/Frameworks"],
      ["Hacker News", "News"],
      ["Example", "Work"],
      ["Example", "Personal"]
    ])
    expect(bookmarks[1]).toEqual(
      bookmark({
        place: 2,
        url: "https://react.dev",
        title: "React",
        tags: ["js", "ui"],
        folders: ["Tech", "Frontend"],
        createdAt: "2025-02-15T12:00:00.000Z"
      })
    )
  })
})

describe("linkwarden", () => {
  test("reads pinned, described and imported links, and reports other entries", async () =>
    expect(
      await read(
        linkwarden,
        jsonFile({
          name: "Ann",
          collections: [
            { id: 1, name: "Empty", links: [] },
            {
              id: 2,
              name: "Mine",
              parentId: null,
              links: [
                {
                  id: 10,
                  name: "https://a.example/",
                  type: "url",
                  description: "read it",
                  url: "https://a.example/",
                  tags: [{ id: 1, name: "x" }],
                  createdAt: "2025-01-01T00:00:00.000Z",
                  importDate: "2019-01-01T00:00:00.000Z"
                },
                { id: 11, name: "Scan", type: "pdf", url: null, tags: [] },
                "nonsense"
              ]
            }
          ],
          pinnedLinks: [{ id: 10, url: "https://a.example/" }]
        })
      )
    ).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://a.example/",
          note: "read it",
          tags: ["x"],
          folders: ["Mine"],
          createdAt: "2019-01-01T00:00:00.000Z",
          favorite: true
        })
      ],
      unreadable: [
        { place: 2, reason: "It has no address." },
        { place: 3, reason: "It is a bare value, not an entry." }
      ]
    }))
})

describe("linkwarden's own collection and texts", () => {
  test("file nothing, and keep the page's text", async () =>
    expect(
      await bookmarksIn(
        linkwarden,
        jsonFile({
          collections: [
            {
              id: 1,
              name: "Unorganized",
              parentId: null,
              links: [{ id: 1, url: "https://a.example/", textContent: "The page's own words" }]
            },
            { id: 2, name: "Unorganized", parentId: 3, links: [{ id: 2, url: "https://b.example/" }] },
            { id: 3, name: "Mine", parentId: null, links: null }
          ]
        })
      )
    ).toEqual([
      bookmark({ place: 1, url: "https://a.example/", text: "The page's own words" }),
      bookmark({ place: 2, url: "https://b.example/", folders: ["Mine", "Unorganized"] })
    ]))
})
