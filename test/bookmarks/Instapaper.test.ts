import { describe, expect, test } from "bun:test"
import { instapaper } from "../../src/bookmarks/Instapaper.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, fileOf, realFile } from "./support/files.ts"

describeData("bookmarks", "Instapaper's real table", () => {
  test("tells states from folders", async () => {
    const bookmarks = await bookmarksIn(instapaper, realFile("csv/instapaper.csv"))
    expect(bookmarks).toHaveLength(4)
    expect(bookmarks.map(({ favorite, folders }) => [favorite, folders])).toEqual([
      [false, []],
      [false, []],
      [true, []],
      [false, ["test_tag"]]
    ])
    expect(bookmarks[3]).toEqual(
      bookmark({
        place: 5,
        url: "https://www.20minutes.fr/high-tech/2077615-20170531-quoi-exactement-tweet-covfefe-donald-trump-persiste-signe",
        title: "Dis donc Donald Trump, c'est quoi exactement «covfefe»?",
        folders: ["test_tag"]
      })
    )
  })
})

describe("instapaper", () => {
  test("reads times and tags, and a selection as a note", async () =>
    expect(
      await bookmarksIn(
        instapaper,
        fileOf(
          'URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.example/,A &amp; B,"said, so",Unread,1763596800,"[""programming"", ""caf\\u00e9""]"\n'
        )
      )
    ).toEqual([
      bookmark({
        place: 2,
        url: "https://a.example/",
        title: "A & B",
        note: "said, so",
        tags: ["programming", "café"],
        createdAt: "2025-11-20T00:00:00.000Z"
      })
    ]))
})
