import { describe, expect, test } from "bun:test"
import { firefox } from "../../../src/transfer/formats/Browsers.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, jsonFile, read, realFile } from "../support/files.ts"

describeData("bookmarks", "a real Firefox backup", () => {
  test("is read whole, without the browser's own folders", async () =>
    expect(await bookmarksIn(firefox, realFile("json/firefox-backup-wallabag.json"))).toEqual([
      bookmark({
        place: 1,
        url: "https://www.20minutes.fr/sport/4002755-20220928-tarn-lapins-ravagent-terrain-match-rugby-doit-etre-annule",
        title: "Tarn : Des lapins ravagent le terrain, le match de rugby doit être annulé",
        tags: ["test", "tag"],
        createdAt: "2013-12-27T17:41:31.644Z"
      }),
      bookmark({
        place: 2,
        url: "https://www.20minutes.fr/paris/4100740-20240715-jo-paris-2024-courir-capitale-maintenant-quais-fermes",
        title: "JO Paris 2024 : Où courir dans la capitale maintenant que les quais sont fermés ?",
        createdAt: "2013-12-27T17:41:31.544Z"
      })
    ]))
})

const CONTAINER = "text/x-moz-place-container"
const folder = (title: string, children: ReadonlyArray<unknown>, more: object = {}) => ({
  title,
  type: CONTAINER,
  children,
  ...more
})
const mark = (uri: string, more: object = {}) => ({ type: "text/x-moz-place", uri, ...more })

describe("firefox", () => {
  test("reads folders, separators, descriptions and the root of tags", async () =>
    expect(
      await read(
        firefox,
        jsonFile(
          folder(
            "",
            [
              folder(
                "menu",
                [
                  folder("Work", [
                    mark("https://a.example/", {
                      title: "A",
                      annos: [{ name: "bookmarkProperties/description", value: "said" }]
                    }),
                    { type: "text/x-moz-place-separator" },
                    folder("Later", [mark("https://b.example/"), null])
                  ])
                ],
                { root: "bookmarksMenuFolder" }
              ),
              folder("Tags", [folder("old", [mark("https://b.example/")])], { root: "tagsFolder" })
            ],
            { root: "placesRoot" }
          )
        )
      )
    ).toEqual({
      bookmarks: [
        bookmark({ place: 1, url: "https://a.example/", title: "A", description: "said", folders: ["Work"] }),
        bookmark({ place: 2, url: "https://b.example/", folders: ["Work", "Later"], tags: ["old"] })
      ],
      unreadable: [{ place: 3, reason: "It is a bare value, not an entry." }]
    }))
})
