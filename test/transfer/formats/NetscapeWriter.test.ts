import { describe, expect, test } from "bun:test"
import type { PlainLink } from "../../../src/domain/ExportedLink.ts"
import {
  netscape,
  netscapeFolder,
  netscapeFolderEnd,
  netscapeFoot,
  netscapeHead,
  netscapeLink
} from "../../../src/transfer/formats/Netscape.ts"
import { byTier } from "../../support/tier.ts"
import { exportedLink, randomExport } from "../support/exports.ts"
import { bookmarksIn, fileOf } from "../support/files.ts"

const NOW = "2026-01-02T03:04:05.678Z"

/** A file of these links, each collection's in its folder. */
const written = (links: ReadonlyArray<PlainLink>) => {
  const collections = new Set(links.map(({ collection }) => collection))
  const body = [...collections].flatMap((name) => {
    const own = links.filter(({ collection }) => collection === name).map(netscapeLink)
    return name === null ? own : [netscapeFolder(name), ...own, netscapeFolderEnd]
  })
  return [netscapeHead("My <links>", NOW), ...body, netscapeFoot].join("")
}

const toTheSecond = (time: string) => time.replace(/\.\d+Z$/, ".000Z")

/** The bookmark that the reader must return for a link. */
const wanted = ({ collection, createdAt, favorite, note, state, tags, title, url }: PlainLink) => ({
  url,
  title: title === url ? "" : title,
  note,
  description: "",
  tags,
  folders: collection === null ? [] : [collection],
  createdAt: toTheSecond(createdAt),
  favorite,
  state,
  text: "",
  highlights: []
})

const readBack = async (links: ReadonlyArray<PlainLink>) =>
  (await bookmarksIn(netscape, fileOf(written(links)))).map(({ place, ...said }) => said)

describe("A written Netscape file", () => {
  test("has the form that browsers import", () =>
    expect(
      written([
        exportedLink({
          url: 'https://a.example/?x=1&y="2"',
          title: "A <b>",
          note: "one\n  two & three",
          tags: ["x", "y-z"],
          collection: "Code & more",
          favorite: true,
          createdAt: "2024-05-06T07:08:09.999Z",
          updatedAt: "2024-05-07T00:00:00.000Z"
        }),
        exportedLink({
          url: "https://b.example/",
          title: "",
          shareable: true,
          createdAt: "2024-05-06T07:08:09.000Z"
        })
      ])
    ).toBe(`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This file holds bookmarks in the form that browsers import. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<META NAME="generator" CONTENT="Linkbower">
<META NAME="date" CONTENT="${NOW}">
<TITLE>My &#60;links&#62;</TITLE>
<H1>My &#60;links&#62;</H1>
<DL><p>
<DT><H3>Code &#38; more</H3>
<DL><p>
<DT><A HREF="https://a.example/?x=1&#38;y=&#34;2&#34;" ADD_DATE="1714979289" LAST_MODIFIED="1715040000" PRIVATE="1" TAGS="x,y-z" DATA-IMPORTANT="true">A &#60;b&#62;</A>
<DD>one
  two &#38; three
</DL><p>
<DT><A HREF="https://b.example/" ADD_DATE="1714979289" LAST_MODIFIED="1714979289" PRIVATE="0">https://b.example/</A>
</DL><p>
`))

  test("is read back with hostile text", async () => {
    const links = [
      "</DD><DT><A HREF='https://x.example'>x</A>",
      "</A></DL>",
      "&lt;b&gt; &amp;amp; &#x3c;",
      "\"'`",
      "<!-- -->",
      "<script>alert(1)</script>",
      "  two  spaces\tand a tab  ",
      "\n\n first\r\nsecond\r\n\n",
      "\u00a0\u2028x\u3000\ufeff",
      " ",
      "\n",
      "[linkding-notes]not linkding's[/linkding-notes]",
      "\u0085\u0080\u009f\u0001\u200f",
      "]]>",
      "a\\b"
    ].map((text, index) =>
      exportedLink({
        url: `https://example.org/${index}?${text.trim().replace(/\s/g, "+")}`,
        title: text,
        note: text,
        collection: text
      })
    )
    expect(await readBack(links)).toEqual(links.map(wanted))
  })

  test("is read back with collections named like a browser's folders", async () => {
    const links = ["Bookmarks bar", "Favorites", "Unnamed"].map((collection) => exportedLink({ collection }))
    expect(await readBack(links)).toEqual(links.map(wanted))
  })

  test("is read back for any library, except for fractions of seconds and titles that are addresses", async () => {
    for (let seed = 1; seed <= byTier(6, 30); seed++) {
      const links = randomExport(seed, 40).toSorted((a, b) =>
        String(a.collection) < String(b.collection) ? -1 : a.collection === b.collection ? 0 : 1
      )
      expect(await readBack(links)).toEqual(links.map(wanted))
    }
  })
})
