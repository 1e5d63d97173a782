import type { BookmarkHighlight } from "../../domain/Bookmark.ts"
import { names, type ReadTime, text } from "../Fields.ts"
import type { Entry, Format, Reading } from "../Format.ts"
import { addressOfBook, highlight, highlightsIn } from "../Highlights.ts"
import { entities, hasColumns, type Item, isTableWith, listed, listFormat, plain, readRows } from "../Rows.ts"

/** The page or book groups the rows. */
const sourceOf = (item: Item) => ({
  url: plain("url sourceurl")(item),
  title: plain("booktitle title")(item),
  author: plain("bookauthor author")(item),
  asin: plain("amazonbookid")(item)
})

const highlightOf = (item: Item, time: ReadTime) =>
  highlight(text(item("highlight")), {
    note: text(item("note")),
    colour: item("color"),
    createdAt: time(item("highlightedat"), item("date"))
  })

const isOfHighlights = hasColumns([
  "highlight booktitle bookauthor highlightedat",
  "highlight title author url location"
])

/** Null if no time is known. */
const earliest = (highlights: ReadonlyArray<BookmarkHighlight>) =>
  highlights.reduce<string | null>(
    (first, { createdAt }) =>
      first === null || (createdAt !== null && createdAt < first) ? createdAt : first,
    null
  )

/** A row each, exported or for imports; those of one book or page become one link, a book without an address. */
export const readwiseHighlights: Format = {
  name: "readwise-highlights",
  label: "Readwise highlights (CSV)",
  guides: [
    "Readwise | `readwise-data.csv` | *Account*, *Export*, *CSV* | highlights with their notes, colors and dates, one link for each book or page"
  ],
  counts: "line",
  recognizes: (file) => isTableWith(file, isOfHighlights),
  read: (file, time) =>
    readRows(file, isOfHighlights, (rows) => {
      const sources = new Map<
        string,
        { readonly place: number; readonly entry: Entry; readonly highlights: Array<BookmarkHighlight> }
      >()
      const others: Array<Reading> = []
      for (const { item, line } of rows) {
        const source = sourceOf(item)
        const { author, title, url } = source
        if (url === "" && title === "") {
          others.push({ place: line, said: "It names neither a book nor an address." })
          continue
        }
        const key = JSON.stringify([url, title, author])
        const found = highlightOf(item, time)
        const before = sources.get(key)
        if (before !== undefined) before.highlights.push(...found)
        else {
          const address = url === "" ? addressOfBook(source) : url
          const entry = { url: address, title, tags: names(text(item("documenttags"))) }
          sources.set(key, { place: line, entry, highlights: [...found] })
        }
      }
      const readings = [...sources.values()].map(({ entry, highlights, place }) => ({
        place,
        said: { ...entry, highlights, createdAt: earliest(highlights) }
      }))
      return [...readings, ...others]
    })
}

const sourceUrl = (item: Item): string => {
  const url = plain("source_url unique_url")(item)
  const title = entities("title readable_title")(item)
  const book = { title, author: text(item("author")), asin: text(item("asin")) }
  return url.startsWith("http") || title === "" ? url : addressOfBook(book)
}

const highlightsOf = (item: Item, time: ReadTime) => highlightsIn(item("highlights"), time, ["text"])

/** The answer of Readwise's export API (https://readwise.io/api_deets, *Highlight EXPORT*): pages and books. */
export const readwiseApi = listFormat({
  name: "readwise-api",
  label: "list of Readwise's API (JSON)",
  guide:
    "Readwise | the API's list (JSON) | `GET /api/v2/export/` | highlights with their notes, colors and dates, document note, tags",
  items: ["results", ""],
  marks: "user_book_id highlights[]",
  fields: {
    url: sourceUrl,
    title: "title readable_title",
    note: "document_note",
    tags: listed("book_tags"),
    highlights: highlightsOf,
    createdAt: (item, time) => earliest(highlightsOf(item, time))
  }
})
