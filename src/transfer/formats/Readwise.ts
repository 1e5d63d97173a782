import { Effect } from "effect"
import type { BookmarkHighlight } from "../../domain/Bookmark.ts"
import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, list, names, parseBracketedList, type ReadTime, stateOf, text } from "../Fields.ts"
import {
  asList,
  type Entry,
  type Format,
  listFormat,
  type Reading,
  sortReadings,
  timeParser
} from "../Format.ts"
import { addressOfBook, highlight, highlightsIn } from "../Highlights.ts"
import { type Cell, hasAll, isTableWith, readRows, tableFormat } from "../Tables.ts"

/** The places of Readwise Reader in which pages wait to be read. */
const readwiseUnread = new Set(["new", "later", "shortlist"])

/** Readwise Reader's table. Drops tags that are not a list, because nothing shows where each one ends. */
export const readwise = tableFormat({
  name: "readwise",
  label: "Readwise Reader export (CSV)",
  guides: [
    {
      from: "Readwise Reader",
      file: "CSV",
      how: "its *Export*",
      keeps: "tags, document note, date, archived or unread"
    }
  ],
  own: (columns) => hasAll(columns, "title", "url", "documenttags", "saveddate"),
  read: (cell, time) => ({
    url: cell("url"),
    title: cell("title"),
    note: cell("documentnote"),
    tags: parseBracketedList(cell("documenttags")) ?? [],
    createdAt: time(cell("saveddate")),
    state: stateOf({
      archived: cell("location").toLowerCase() === "archive",
      unread: readwiseUnread.has(cell("location").toLowerCase())
    })
  })
})

/** What groups the rows of a table of highlights: the page or book that they are in. */
const sourceOf = (cell: Cell) => ({
  url: cell("url", "sourceurl"),
  title: cell("booktitle", "title"),
  author: cell("bookauthor", "author"),
  asin: cell("amazonbookid")
})

const highlightOf = (cell: Cell, time: ReadTime) =>
  highlight(cell("highlight"), {
    note: cell("note"),
    colour: cell("color"),
    createdAt: time(cell("highlightedat", "date"))
  })

const isOfHighlights = (columns: ReadonlySet<string>) =>
  columns.has("highlight") &&
  (hasAll(columns, "booktitle", "bookauthor", "highlightedat") ||
    hasAll(columns, "title", "author", "url", "location"))

const HIGHLIGHTS_LABEL = "Readwise highlights (CSV)"

/**
 * Readwise's table of highlights, a row each, and the table that it documents for imports. Highlights of one book or page
 * become one link; a book has no address there, so its link leads to the book.
 */
export const readwiseHighlights: Format = {
  name: "readwise-highlights",
  label: HIGHLIGHTS_LABEL,
  guides: [
    {
      from: "Readwise",
      file: "`readwise-data.csv`",
      how: "*Account*, *Export*, *CSV*",
      keeps: "highlights with their notes, colors and dates, one link for each book or page"
    }
  ],
  counts: "line",
  recognizes: (file) => isTableWith(file, isOfHighlights),
  read: Effect.fn("readwiseHighlights.read")(function* (file) {
    const { rows, unreadable } = yield* readRows(file, isOfHighlights, HIGHLIGHTS_LABEL)
    const time = yield* timeParser
    const sources = new Map<
      string,
      { readonly place: number; readonly entry: Entry; readonly highlights: Array<BookmarkHighlight> }
    >()
    const others: Array<Reading> = []
    for (const { cell, line } of rows) {
      const source = sourceOf(cell)
      const { author, title, url } = source
      if (url === "" && title === "") {
        others.push({ place: line, said: "It names neither a book nor an address." })
        continue
      }
      const key = JSON.stringify([url, title, author])
      const found = highlightOf(cell, time)
      const before = sources.get(key)
      if (before !== undefined) before.highlights.push(...found)
      else {
        const address = url === "" ? addressOfBook(source) : url
        const entry = { url: address, title, tags: names(cell("documenttags")) }
        sources.set(key, { place: line, entry, highlights: [...found] })
      }
    }
    const readings = [...sources.values()].map(({ entry, highlights, place }) => ({
      place,
      said: { ...entry, highlights, createdAt: earliest(highlights) }
    }))
    const all = sortReadings([...readings, ...others])
    return { bookmarks: all.bookmarks, unreadable: [...all.unreadable, ...unreadable] }
  })
}

/** Returns when the first of these highlights was made; null if no time is known. */
const earliest = (highlights: ReadonlyArray<BookmarkHighlight>) =>
  highlights.reduce<string | null>(
    (first, { createdAt }) =>
      first === null || (createdAt !== null && createdAt < first) ? createdAt : first,
    null
  )

const readSource = (item: Json, time: ReadTime): Entry => {
  const title = decoded(item["title"]) || decoded(item["readable_title"])
  const url = text(item["source_url"]) || text(item["unique_url"])
  const book = { title, author: text(item["author"]), asin: text(item["asin"]) }
  const highlights = highlightsIn(item["highlights"], time, ["text"])
  return {
    url: url.startsWith("http") || title === "" ? url : addressOfBook(book),
    title,
    note: text(item["document_note"]),
    tags: names(list(item["book_tags"])),
    highlights,
    createdAt: earliest(highlights)
  }
}

/** The answer of Readwise's export API (https://readwise.io/api_deets, *Highlight EXPORT*): pages and books. */
export const readwiseApi = listFormat({
  name: "readwise-api",
  label: "list of Readwise's API (JSON)",
  guides: [
    {
      from: "Readwise",
      file: "the API's list (JSON)",
      how: "`GET /api/v2/export/`",
      keeps: "highlights with their notes, colors and dates, document note, tags"
    }
  ],
  items: (json) => asList(isObject(json) ? json["results"] : json),
  own: (item) => "user_book_id" in item && Array.isArray(item["highlights"]),
  read: readSource
})
