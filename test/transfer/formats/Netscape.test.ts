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

  test("of Chrome have folders, except for the bookmarks bar", async () =>
    expect((await real("calibr-chrome_bookmarks.html")).map(brief)).toEqual([
      ["", "First Level Bookmarks Bar bookmark", "http://yahoo.com/"],
      ["First level bookmark bar folder", "Bookmarks bar second level bookmark", "http://bing.com/"],
      ["First level other bookmarks folder", "Second level other bookmarks bookmark", "http://msn.com/"],
      ["", "First level other bookmarks bookmark", "http://reddit.com/"]
    ]))

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

  test("of Safari have folders without a list around them", async () =>
    expect(
      (await real("shaarli-nbp-safari_folded.html")).map(({ folders, place }) => [place, folders])
    ).toEqual([
      [8, []],
      [15, ["Github - Shaarli"]],
      [21, ["Autre Divers", "doc"]]
    ]))

  test("of Google have times in microseconds, and no folder without a label", async () => {
    const [first, , , , last] = await real("shaarli-nbp-google_bookmarks_nested.html")
    expect(first).toEqual(
      bookmark({
        place: 7,
        url: "https://www.wordhippo.com/",
        title: "WordHippo | Comprehensive Thesaurus for Synonyms and Antonyms",
        createdAt: "2018-01-09T16:34:57.780Z"
      })
    )
    expect(last?.createdAt).toBe("2018-07-24T14:24:22.578Z")
  })

  test("of linkding have times in every unit", async () => {
    const found = await real("linkding-simple.html")
    expect(found.map(({ createdAt }) => createdAt)).toEqual(Array(3).fill("2021-03-21T14:39:19.000Z"))
    expect(found.map(({ note, tags, title }) => [title, note, ...tags])).toEqual(
      [1, 2, 3].map((n) => [`test title ${n}`, `test description ${n}`, `tag${n}`])
    )
  })

  test("of LinkAce have tags and titles over several lines", async () =>
    expect((await real("linkace.html"))[0]).toEqual(
      bookmark({
        place: 10,
        url: "https://medium.com/accelerated-intelligence/the-5-hour-rule-if-youre-not-spending-5-hours-per-week-learning-you-re-being-irresponsible-791c3f18f5e6",
        title: "5-Hour Rule: If you’re not spending 5 hours per week learning, you’re being irresponsible",
        note: "Why did the busiest person in the world, former president Barack Obama, read an hour a day while in office? Why\n      has the best investor in history, Warren Buffett, invested 80% of his time in reading…",
        tags: ["article", "intelligence"],
        createdAt: "2019-04-28T12:54:51.000Z"
      })
    ))

  test("have nested folders, and tags of several words between commas", async () =>
    expect(
      (await real("shaarli-nbp-netscape_nested.html")).map((one) => [
        ...brief(one).slice(0, 2),
        one.tags,
        one.note
      ])
    ).toEqual([
      ["", "Nested 1", ["tag1", "tag2", "multi word"], ""],
      ["Folder1, the first,folder to encounter", "Nested 1-1", ["tag1", "tag2", "multi word"], ""],
      ["Folder1, the first,folder to encounter", "Nested 1-2", ["tag3", "tag4", "leaf multi word"], ""],
      ["Folder2", "Nested 2-1", [], "First link of the second section"],
      ["Folder2", "Nested 2-2", [], "Second link of the second section"],
      ["Folder3 / Folder3-1", "Nested 3-1", ["tag3"], ""],
      ["Folder3 / Folder3-1", "Nested 3-2", [], ""],
      ["", "Nested 2", ["tag4"], ""]
    ]))

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

  test("have notes with their line breaks and indentation", async () => {
    const [code] = await real("shaarli-nbp-shaarli_markdown.html")
    expect(code?.note.split("\n").slice(0, 8)).toEqual([
      "PHP stuff:",
      "",
      "    <?php",
      "    phpinfo();",
      "    ?>",
      "",
      "Python stuff:",
      ""
    ])
    const [, , , , , secret] = await real("shaarli-nbp-shaarli.html")
    expect(secret?.note).toBe("Shhhh! I'm a private link only YOU can see. You can delete me too.")
  })

  test("have pictures and links in a note, which are no bookmarks", async () =>
    expect((await real("shaarli-nbp-netscape_extended.html"))[0]?.note).toMatch(
      /^For 10 years, .* got away\.$/
    ))

  test("have a folder without a name", async () =>
    expect(
      (await real("karakeep-handles-empty-folder-names-by-replacing-with-unnamed.html"))[0]?.folders
    ).toEqual(["Named Folder", "Unnamed"]))

  test("have a bookmark twice, each with its note", async () =>
    expect(
      (await real("karakeep-merges-notes-from-duplicate-bookmarks.html")).map(({ note }) => note)
    ).toEqual(["First note", "Second note"]))

  test("have a bookmark without a date", async () =>
    expect((await real("karakeep-handles-bookmarks-without-add-date-attribute.html"))[0]).toEqual(
      bookmark({ place: 6, url: "https://example.com", title: "No Date Bookmark" })
    ))
})

const file = (body: string) => fileOf(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${body}\n</DL><p>`)
const found = (body: string) => bookmarksIn(netscape, file(body))

describe("Netscape files", () => {
  test("report a link without an address, and continue", async () =>
    expect(
      await read(
        netscape,
        file("<DT><A NAME='x'>nowhere</A>\n<DD>lost\n<DT><A HREF='https://a.example'>A</A>")
      )
    ).toEqual({
      bookmarks: [bookmark({ place: 5, url: "https://a.example", title: "A" })],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))

  test("have addresses and titles with entities, and no title that repeats the address", async () =>
    expect(
      await found(
        `<DT><A HREF="https://a.example/?x=1&amp;y=%C3%A4" TAGS="a &amp; b,c">A &lt;b&gt; &quot;c&quot; &#8211; &eacute;</A>
<DT><A HREF="https://b.example/">https://b.example/</A>
<DT><A HREF="javascript:alert(1)">A <b>bookmarklet</b><br>of two lines</A>`
      )
    ).toEqual([
      bookmark({
        place: 3,
        url: "https://a.example/?x=1&y=%C3%A4",
        title: 'A <b> "c" – é',
        tags: ["a & b", "c"]
      }),
      bookmark({ place: 4, url: "https://b.example/" }),
      bookmark({ place: 5, url: "javascript:alert(1)", title: "A bookmarklet of two lines" })
    ]))

  test("have notes in markup, read as lines of text", async () => {
    const [first] = await found(
      "<DT><A HREF=https://a.example>A</A><DD>one<br>two<p>three</p><p>four <i>five</i></p><ul><li>six<li>seven</ul>" +
        "see <a href='https://b.example'>eight</a><script>nine</script>\n<DD>ten"
    )
    expect(first?.note).toBe("one\ntwo\nthree\nfour five\nsix\nseven\nsee eight<script>nine</script>\nten")
  })

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

  test("have linkding's description and notes in their own fields", async () => {
    const [both, notes] = await found(
      `<DT><A HREF=https://a.example TAGS="x,linkding:bookmarks.archived">A</A>
<DD>What it is[linkding-notes]Mine
too[/linkding-notes]
<DT><A HREF=https://b.example TOREAD="1">B</A>
<DD>[linkding-notes]Mine alone[/linkding-notes]`
    )
    expect([both?.description, both?.note, both?.tags]).toEqual(["What it is", "Mine\ntoo", ["x"]])
    expect([notes?.description, notes?.note]).toEqual(["", "Mine alone"])
    expect([both?.state, notes?.state]).toEqual(["archived", "unread"])
  })

  test("skip a browser's folders by attribute, and at the top by name", async () => {
    const nested = (names: ReadonlyArray<string>) =>
      found(
        `${names.map((name) => `<DT><H3>${name}</H3><DL><p>`).join("")}<DT><A HREF=https://a.example>A</A>`
      ).then((all) => all[0]?.folders)
    expect(await nested(["Other Bookmarks", "Bookmarks bar", "Code", "Mobile bookmarks"])).toEqual([
      "Code",
      "Mobile bookmarks"
    ])
    for (const name of [
      "Lesezeichenleiste",
      "Weitere Lesezeichen",
      "Barre de favoris",
      "Autres marque-pages"
    ])
      expect(await nested([name, "Code"])).toEqual(["Code"])
    const [marked] = await found(
      `<H3>Code</H3><DL><H3 UNFILED_BOOKMARKS_FOLDER="true">Irgendwas</H3><DL><A HREF=https://a.example>A</A>`
    )
    expect(marked?.folders).toEqual(["Code"])
  })

  test("ignore a folder's description and the links in it", async () =>
    expect(
      await found(
        "<DT><A HREF=https://a.example>A</A><DT><H3>F</H3><DD>about <a href='https://x.example'>it</a><DL><DT><A HREF=https://b.example>B</A></DL>"
      )
    ).toEqual([
      bookmark({ place: 3, url: "https://a.example", title: "A" }),
      bookmark({ place: 3, url: "https://b.example", title: "B", folders: ["F"] })
    ]))

  test("need no closing tags and no DT", async () =>
    expect(
      (
        await found(
          "<A HREF=https://a.example ADD_DATE=1>A<A HREF=https://b.example ADD_DATE=1>B<DD>note<A HREF=https://c.example ADD_DATE=1>C<H3>F<DL><A HREF=https://d.example>D"
        )
      ).map((one) => [...brief(one), one.note])
    ).toEqual([
      ["", "A", "https://a.example", ""],
      ["", "B", "https://b.example", "note"],
      ["", "C", "https://c.example", ""],
      ["F", "D", "https://d.example", ""]
    ]))

  test("count lines with any line break", async () => {
    const text =
      "<!DOCTYPE NETSCAPE-Bookmark-file-1>\r\n<DL>\r<DT>\n<A\nHREF=https://a.example>A\r\nB</A>\r\n<DD>x\r\ny"
    expect(await bookmarksIn(netscape, fileOf(text))).toEqual([
      bookmark({ place: 4, url: "https://a.example", title: "A B", note: "x\ny" })
    ])
  })

  test("are recognized by their head or a list with links, and not inside JSON or CSV", () => {
    const list = "<dl><dt><a href='https://a.example'>A</a></dl>"
    expect(netscape.recognizes(fileOf("<!doctype netscape-bookmark-file-1>"))).toBe(true)
    expect(netscape.recognizes(fileOf(`<html>${list}`))).toBe(true)
    expect(netscape.recognizes(fileOf("<html><dl><dt>x</dl>"))).toBe(false)
    expect(netscape.recognizes(fileOf(`[{"content":"${list}"}]`))).toBe(false)
    expect(netscape.recognizes(fileOf(`url,content\nhttps://a.example,${list}`))).toBe(false)
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

describe("A browser's trash", () => {
  const list = (name: string, inner: string) => `<DT><H3>${name}</H3>\n<DL><p>${inner}</DL><p>\n`
  const link = (name: string) => `<DT><A HREF="https://${name}.example/">${name}</A>\n`

  test("is left out with the folders in it, at the top only", async () =>
    expect(
      (
        await found(
          link("first") +
            list("Papierkorb", link("gone") + list("Inner", link("gone")) + link("gone")) +
            list("Mine", list("Trash", link("kept"))) +
            link("last")
        )
      ).map(brief)
    ).toEqual([
      ["", "first", "https://first.example/"],
      ["Mine / Trash", "kept", "https://kept.example/"],
      ["", "last", "https://last.example/"]
    ]))
})

describe("A link without its time", () => {
  test("has that of its last change", async () => {
    const [one] = await found(
      '<DT><A HREF="https://a.example/" ADD_DATE="0" LAST_MODIFIED="1700000000">A</A>'
    )
    expect(one?.createdAt).toBe("2023-11-14T22:13:20.000Z")
  })
})
