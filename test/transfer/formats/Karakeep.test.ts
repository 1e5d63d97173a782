import { describe, expect, test } from "bun:test"
import { karakeep } from "../../../src/transfer/formats/SelfHosted.ts"
import exported from "../samples/karakeep.json"
import { bookmark, jsonFile, read } from "../support/files.ts"

describe("karakeep", () => {
  test("reads links into the first of their lists, and reports other entries", async () =>
    expect(await read(karakeep, jsonFile(exported))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://bun.sh/",
          title: "Bun & friends",
          note: "fast",
          tags: ["runtime", "js"],
          folders: ["Code", "Runtimes"],
          createdAt: "2025-01-01T00:00:00.000Z"
        }),
        bookmark({
          place: 2,
          url: "https://example.com/plain",
          createdAt: "2025-01-02T00:00:00.000Z",
          state: "archived"
        })
      ],
      unreadable: [
        { place: 3, reason: "It is a text, not a link." },
        { place: 4, reason: "It has no address." }
      ]
    }))

  test("reads an export without lists, and one without bookmarks", async () => {
    const { lists, ...older } = exported
    expect((await read(karakeep, jsonFile(older))).bookmarks[0]?.folders).toEqual([])
    expect(await read(karakeep, jsonFile({ bookmarks: [], lists }))).toEqual({
      bookmarks: [],
      unreadable: []
    })
  })
})

describe("a bookmark in several lists", () => {
  test("is in the first of them, with the others as tags", async () => {
    const [first] = exported.bookmarks
    const lists = [
      { id: "a", name: "Code", parentId: null },
      { id: "b", name: "Deep", parentId: "a" },
      { id: "c", name: "Later", parentId: null }
    ]
    const file = jsonFile({ bookmarks: [{ ...first, lists: ["b", "a", "c", "gone"] }], lists })
    expect((await read(karakeep, file)).bookmarks).toMatchObject([
      { folders: ["Code", "Deep"], tags: ["runtime", "js", "Later"] }
    ])
  })
})
