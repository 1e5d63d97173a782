import { describe, expect, test } from "bun:test"
import { pocketHtml } from "../../src/bookmarks/PocketHtml.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile } from "./support/files.ts"

describeData("bookmarks/netscape/pocket-ril_export.html", "Pocket's own export", () => {
  const file = realFile("netscape/pocket-ril_export.html")
  test("is recognised", () => expect(pocketHtml.recognises(file)).toBe(true))
  test("is read with titles, times and tags", async () =>
    expect(await bookmarksIn(pocketHtml, file)).toEqual([
      bookmark({
        place: 11,
        url: "https://www.20minutes.fr/sport/4002755-20220928-tarn-lapins-ravagent-terrain-match-rugby-doit-etre-annule",
        title: "Tarn : Des lapins ravagent le terrain, le match de rugby doit être annulé",
        tags: ["ifttt", "new_entry_simple"],
        createdAt: "2023-07-06T07:31:35.000Z"
      }),
      bookmark({
        place: 12,
        url: "https://www.20minutes.fr/paris/4100740-20240715-jo-paris-2024-courir-capitale-maintenant-quais-fermes",
        title: "JO Paris 2024 : Où courir dans la capitale maintenant que les quais sont fermés ?",
        tags: ["ifttt", "new_entry_simple"],
        createdAt: "2023-07-06T07:10:12.000Z"
      })
    ]))
})

describe("Pocket HTML", () => {
  const page = (items: string) => fileOf(`<title>Pocket Export</title><h1>Unread</h1><ul>\n${items}\n</ul>`)

  test("gives the links of all lists, tags of several words among them", async () =>
    expect(
      await read(
        pocketHtml,
        page(
          `<li><a href="https://a.example/?x=1&amp;y=2" time_added="0" tags="machine learning">A &lt;b&gt;</a></li>
</ul><h1>Read Archive</h1><ul>
<li><a href="https://b.example/" time_added="1688628695" tags="">https://b.example/</a>
<li><a time_added="1688628695">nowhere</a>`
        )
      )
    ).toEqual({
      bookmarks: [
        bookmark({
          place: 2,
          url: "https://a.example/?x=1&y=2",
          title: "A <b>",
          tags: ["machine learning"]
        }),
        bookmark({ place: 4, url: "https://b.example/", createdAt: "2023-07-06T07:31:35.000Z" })
      ],
      unreadable: [{ place: 5, reason: "It has no address." }]
    }))

  test("is no other page", async () => {
    const other = fileOf("<!doctype html><ul><li><a href='https://a.example/'>A</a></ul>")
    expect(pocketHtml.recognises(other)).toBe(false)
    expect((await failure(pocketHtml, other))?.message).toBe("This is no Pocket export (HTML).")
  })
})
