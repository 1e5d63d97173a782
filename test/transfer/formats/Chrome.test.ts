import { describe, expect, test } from "bun:test"
import { chrome } from "../../../src/transfer/formats/Browsers.ts"
import { bookmark, bookmarksIn, jsonFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

describe("chrome", () => {
  test("reads the tree of a profile, with times counted from 1601", async () =>
    expect(await bookmarksIn(chrome, jsonFile(samples["chrome"]))).toEqual([
      bookmark({
        place: 1,
        url: "https://example.com/deep",
        title: "Deep",
        folders: ["Work"],
        createdAt: "2024-01-17T21:20:00.000Z"
      }),
      bookmark({
        place: 2,
        url: "https://example.com/top",
        title: "Top",
        createdAt: "2024-01-17T21:20:01.000Z"
      })
    ]))
})

describe("Opera's and Vivaldi's profiles", () => {
  const folder = (name: string, ...children: ReadonlyArray<unknown>) => ({ type: "folder", name, children })
  const link = (name: string) => ({ type: "url", name, url: `https://${name}.example/` })

  test("are read without their trash", async () =>
    expect(
      (
        await bookmarksIn(
          chrome,
          jsonFile({
            roots: {
              bookmark_bar: folder("Bookmarks bar", folder("Trash", link("kept"))),
              custom_root: {
                speedDial: folder("Speed Dial", link("dial")),
                trash: folder("Trash", link("gone")),
                unsorted: folder("Unsorted Bookmarks", link("unsorted"))
              },
              trash: folder("Papierkorb", link("gone")),
              other: folder("Other bookmarks")
            }
          })
        )
      ).map(({ folders, title }) => [title, folders])
    ).toEqual([
      ["kept", ["Trash"]],
      ["dial", []],
      ["unsorted", []]
    ]))

  test("are read with Vivaldi's descriptions as notes", async () => {
    const described = { ...link("a"), meta_info: { Description: "Mine", Nickname: "a" } }
    const [first] = await bookmarksIn(
      chrome,
      jsonFile({ roots: { bookmark_bar: folder("Bookmarks", described) } })
    )
    expect(first?.note).toBe("Mine")
  })
})
