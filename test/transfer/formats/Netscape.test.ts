import { describe, expect, test } from "bun:test"
import type { Bookmark } from "../../../src/domain/Bookmark.ts"
import { netscape } from "../../../src/transfer/formats/Netscape.ts"
import { describeData, json } from "../../support/data.ts"
import { byTier } from "../../support/tier.ts"
import { bookmark, bookmarksIn, failure, fileOf, read, realFile } from "../support/files.ts"

/** The number of links in each real file, counted by hand: its `A` tags outside descriptions. */
const counts: Record<string, number> = {
  "big-flat1000.html": 1000,
  "calibr-chrome_bookmarks.html": 4,
  "calibr-netscape.html": 6,
  "flyingwolfox.html": 2,
  "karakeep-handles-bookmarks-without-add-date-attribute.html": 1,
  "karakeep-handles-empty-folder-names-by-replacing-with-unnamed.html": 1,
  "karakeep-merges-notes-from-duplicate-bookmarks.html": 2,
  "karakeep-parses-a-simple-bookmark-file-with-single-bookmark.html": 1,
  "karakeep-parses-bookmarks-at-root-level-no-folders.html": 2,
  "karakeep-parses-multiple-bookmarks-in-different-folders.html": 3,
  "linkace.html": 5,
  "linkding-simple.html": 3,
  "shaarli-nbp-chromium_flat.html": 9,
  "shaarli-nbp-chromium_nested.html": 18,
  "shaarli-nbp-firefox_flat.html": 24,
  "shaarli-nbp-firefox_nested.html": 24,
  "shaarli-nbp-google_bookmarks_nested.html": 6,
  "shaarli-nbp-netscape_extended.html": 1,
  "shaarli-nbp-netscape_nested.html": 8,
  "shaarli-nbp-safari_folded.html": 3,
  "shaarli-nbp-shaarli.html": 6,
  "shaarli-nbp-shaarli_markdown.html": 3,
  "shaarli-nbp-shaarli_with_whitespace_tags.html": 1
}

/** Files of the folder that are empty or of another format. */
const others = [
  "karakeep-throws-error-for-non-netscape-bookmark-files.html",
  "pocket-ril_export.html",
  "shaarli-nbp-empty.html"
]

const real = (name: string) => bookmarksIn(netscape, realFile(`netscape/${name}`))

const brief = ({ folders, title, url }: Bookmark) => [folders.join(" / "), title, url]

interface ExpectedNode {
  readonly url?: string
  readonly title: string
  readonly add_date?: string
  readonly children?: ReadonlyArray<ExpectedNode>
}

/** The links that another parser found, in the order of the file, in which the root's own links come last. */
const expectedLinks = (nodes: ReadonlyArray<ExpectedNode>): ReadonlyArray<ExpectedNode> =>
  nodes.flatMap((node) => (node.children === undefined ? [node] : expectedLinks(node.children)))

describeData("bookmarks/netscape", "Real Netscape files", () => {
  test("are all listed here", () => {
    const files = json<ReadonlyArray<{ readonly file: string }>>("bookmarks/index.json")
      .map(({ file }) => file)
      .filter((file) => file.startsWith("netscape/") && file.endsWith(".html"))
    expect(files.toSorted()).toEqual(
      [...Object.keys(counts), ...others].map((name) => `netscape/${name}`).toSorted()
    )
  })

  for (const [name, count] of Object.entries(counts))
    test(`include ${name}, which holds ${count}`, async () => {
      const file = realFile(`netscape/${name}`)
      expect(netscape.recognizes(file)).toBe(true)
      const { bookmarks, unreadable } = await read(netscape, file)
      expect([bookmarks.length, unreadable]).toEqual([count, []])
      const lines = file.text.split("\n")
      for (const { place } of bookmarks) expect(lines[place - 1]).toMatch(/<a\b/i)
    })

  for (const name of others)
    test(`exclude ${name}`, async () => {
      const file = realFile(`netscape/${name}`)
      expect(netscape.recognizes(file)).toBe(false)
      expect((await failure(netscape, file))?.message).toBe(
        "The file is not a valid Netscape bookmark file (HTML)."
      )
    })

  for (const name of ["calibr-chrome_bookmarks", "calibr-netscape"])
    test(`give the same links of ${name}.html as another parser`, async () => {
      const expected = expectedLinks(json(`bookmarks/netscape/${name}.expected.json`))
      expect(
        (await real(`${name}.html`)).map(({ createdAt, title, url }) => [url, title, createdAt])
      ).toEqual(
        expected.map(({ add_date, title, url }) => [
          url ?? "",
          title,
          add_date === undefined ? null : new Date(Number(add_date) * 1_000).toISOString()
        ])
      )
    })

  test("of Firefox have tags, notes and the browser's own queries", async () => {
    const found = await real("shaarli-nbp-firefox_nested.html")
    expect(found[0]).toEqual(
      bookmark({
        place: 10,
        url: "place:folder=BOOKMARKS_MENU&folder=UNFILED_BOOKMARKS&folder=TOOLBAR&queryType=1&sort=12&maxResults=10&excludeQueries=1",
        title: "Recently saved",
        createdAt: "2016-04-10T13:29:16.000Z"
      })
    )
    expect(found.find(({ url }) => url === "http://hginit.com/")).toEqual(
      bookmark({
        place: 33,
        url: "http://hginit.com/",
        title: "Hg Init: a Mercurial tutorial by Joel Spolsky",
        note: "A friendly introduction to the Mercurial DVCS by Joel Spolsky",
        tags: ["hg", "mercurial", "version", "control", "scm", "python", "tutorial"],
        folders: ["Dev"],
        createdAt: "2016-05-19T19:39:07.000Z"
      })
    )
    const folders = new Set(found.map((one) => one.folders.join(" / ")))
    expect([...folders]).toEqual(["", "Comics", "Dev", "Dev / PHP", "FLOSS", "Games"])
  })

  test("have tags between spaces if there is no comma", async () => {
    const [first, second, third] = await real("big-flat1000.html")
    expect([first?.tags, first?.createdAt]).toEqual([[], "1977-06-20T04:35:17.000Z"])
    expect(second).toEqual(
      bookmark({
        place: 9,
        url: "https://www.mcconnell.com/terms.html",
        title: "Away best the tax any.",
        note: "Study difficult skin mean drive assume. Much same staff across kind.\nField over home quite recognize. Say week success church south radio ability. Technology another himself model bad too.",
        tags: ["water", "quality", "election", "whole", "example"],
        createdAt: "2016-07-14T07:44:00.000Z"
      })
    )
    expect(third?.tags).toEqual(["too"])
  })
})

const file = (body: string) => fileOf(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${body}\n</DL><p>`)
const found = (body: string) => bookmarksIn(netscape, file(body))

describe("Netscape files", () => {
  for (const raw of [
    ...["The <script> element", "<textarea>", "<title>Why</title>", "<xmp> and <plaintext>", "a </a> tag"],
    ...[
      "<!-- begun",
      "ended -->",
      "the <dl>, <dt> and <dd> tags",
      "the <h3> tag",
      '<input type="text> quoted',
      "a <b",
      "<"
    ],
    ...[
      "Vec<T>",
      "<?php",
      "<![CDATA[ x",
      "</script>",
      "<script>x</script>",
      "<!DOCTYPE html>",
      '<a name="x"> here'
    ]
  ])
    test(`have ${raw} in a title, a note and a folder's name as text, and lose no link after it`, async () => {
      const links = await found(`<DT><A HREF="https://a.example/" ADD_DATE="1">${raw}</A>
<DD>${raw}
<DT><H3>${raw}</H3>
<DL><p>
<DT><A HREF="https://b.example/" ADD_DATE="1">B</A>
</DL><p>
<DT><A HREF="https://c.example/" ADD_DATE="1">C</A>`)
      expect(links.map((one) => [...brief(one), one.note])).toEqual([
        ["", raw, "https://a.example/", raw],
        [raw, "B", "https://b.example/", ""],
        ["", "C", "https://c.example/", ""]
      ])
    })

  test("take time and depth in proportion to their size", async () => {
    const many = byTier(30_000, 200_000)
    for (const part of [
      "<DL>",
      "<H3>a</H3><DL>",
      "<DD>x",
      "<p>",
      "<x>",
      "</DL>",
      "<a href='",
      "<!--",
      "&am",
      " "
    ]) {
      const body = `<DT><A HREF=https://a.example>A</A><DD>${part.repeat(many)}`
      expect((await read(netscape, file(body))).bookmarks[0]?.title).toBe("A")
    }
    const deep = await found(`${"<H3>a</H3><DL>".repeat(many)}<A HREF=https://a.example>A</A>`)
    expect(deep[0]?.folders.length).toBe(64)
  })
})
