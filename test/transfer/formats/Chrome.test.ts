import { describe, expect, test } from "bun:test"
import { chrome } from "../../../src/transfer/formats/Browsers.ts"
import { bookmarksIn, jsonFile } from "../support/files.ts"

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
