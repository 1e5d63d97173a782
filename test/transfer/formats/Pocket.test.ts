import { describe, expect, test } from "bun:test"
import { pocketCsv, pocketHtml } from "../../../src/transfer/formats/ReadLater.ts"
import { describeData } from "../../support/data.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile } from "../support/files.ts"

describeData("bookmarks", "real Pocket tables", () => {
  test("are read whole, also after a title of three lines", async () => {
    const bookmarks = await bookmarksIn(pocketCsv, realFile("csv/pocket-wallabag.csv"))
    expect(bookmarks).toHaveLength(7)
    expect(bookmarks[0]).toEqual(
      bookmark({
        place: 2,
        url: "http://youmightnotneedjquery.com/",
        title: "You Might Not Need jQuery",
        createdAt: "2020-09-17T06:06:28.000Z",
        state: "unread"
      })
    )
    expect(bookmarks[6]).toEqual(
      bookmark({
        place: 8,
        url: "https://reporterre.net/Des-abeilles-pour-resoudre-les-conflits-entre-les-humains-et-les-elephants",
        title: "Des abeilles pour résoudre les « conflits » entre les humains\n\net les élépha",
        createdAt: "2020-09-12T06:04:33.000Z",
        state: "unread"
      })
    )
  })
  test("are read with escaped line breaks", async () =>
    expect(
      await bookmarksIn(
        pocketCsv,
        realFile("csv/karakeep-sets-archived-true-for-items-with-status-archive.csv")
      )
    ).toEqual([
      bookmark({
        place: 2,
        url: "https://example.com",
        title: "Test",
        createdAt: "2009-02-13T23:31:30.000Z",
        state: "archived"
      })
    ]))
})

describe("pocketCsv", () => {
  test("reads tags between bars, and no title that repeats the address", async () =>
    expect(
      await bookmarksIn(
        pocketCsv,
        fileOf(
          "title,url,time_added,tags,status\r\nhttps://a.example/,https://a.example/,0,dev tools|c,unread\r\n"
        )
      )
    ).toEqual([bookmark({ place: 2, url: "https://a.example/", tags: ["dev tools", "c"], state: "unread" })]))
})

describeData("bookmarks/netscape/pocket-ril_export.html", "a real Pocket export", () => {
  const file = realFile("netscape/pocket-ril_export.html")
  test("is recognised", () => expect(pocketHtml.recognizes(file)).toBe(true))
  test("is read with titles, times and tags", async () =>
    expect(await bookmarksIn(pocketHtml, file)).toEqual([
      bookmark({
        place: 11,
        url: "https://www.20minutes.fr/sport/4002755-20220928-tarn-lapins-ravagent-terrain-match-rugby-doit-etre-annule",
        title: "Tarn : Des lapins ravagent le terrain, le match de rugby doit être annulé",
        tags: ["ifttt", "new_entry_simple"],
        createdAt: "2023-07-06T07:31:35.000Z",
        state: "unread"
      }),
      bookmark({
        place: 12,
        url: "https://www.20minutes.fr/paris/4100740-20240715-jo-paris-2024-courir-capitale-maintenant-quais-fermes",
        title: "JO Paris 2024 : Où courir dans la capitale maintenant que les quais sont fermés ?",
        tags: ["ifttt", "new_entry_simple"],
        createdAt: "2023-07-06T07:10:12.000Z",
        state: "unread"
      })
    ]))
})

describe("Pocket HTML", () => {
  const page = (items: string) => fileOf(`<title>Pocket Export</title><h1>Unread</h1><ul>\n${items}\n</ul>`)

  test("reads the links of all lists, with tags of several words", async () =>
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
          tags: ["machine learning"],
          state: "unread"
        }),
        bookmark({
          place: 4,
          url: "https://b.example/",
          createdAt: "2023-07-06T07:31:35.000Z",
          state: "archived"
        })
      ],
      unreadable: [{ place: 5, reason: "It has no address." }]
    }))

  test("rejects another page", async () => {
    const other = fileOf("<!doctype html><ul><li><a href='https://a.example/'>A</a></ul>")
    expect(pocketHtml.recognizes(other)).toBe(false)
    expect((await failure(pocketHtml, other))?.message).toBe("The file is not a valid Pocket export (HTML).")
  })
})
