import type { BookmarkHighlight } from "../../domain/Bookmark.ts"
import type { ReadTime } from "../Fields.ts"
import type { Format, SourceFile } from "../Format.ts"
import { addressOfBook, highlight } from "../Highlights.ts"

const SEPARATOR = /^={10}\s*$/m
const BEGINNING = 8_192

/** The second line of a clipping, in any language: what it is, where it is and when it was made, between bars. */
const ABOUT = /^\s*-\s*(.+?)\s*\|\s*(?:.*\|\s*)?(.+)$/
const MAX_LINE = 1_000
const TITLE = /^(.*?)(?:\s*[(（]([^()（）]*)[)）])?\s*$/

/** The names of notes and of bookmarks in the languages of the devices; all other clippings are highlights. */
const notes = /\b(?:note|notiz|nota|notitie|anteckning|notatka|not)\b|メモ|笔记|筆記|메모|заметка/iu
const bookmarks =
  /\b(?:bookmark|lesezeichen|marcador|signet|segnalibro|bladwijzer|bokmärke|zakładka)\b|ブックマーク|书签|書籤|북마크|закладка/iu

const recognizes = ({ json, text }: SourceFile): boolean => {
  if (json !== undefined) return false
  const [, second = ""] = text
    .slice(0, BEGINNING)
    .replace(/^\ufeff/, "")
    .split(/\r?\n/, 2)
  return SEPARATOR.test(text.slice(0, BEGINNING)) && ABOUT.test(second)
}

/** In English; other languages have no time that is read. */
const timeOf = (written: string, time: ReadTime): string | null =>
  time(
    written
      .replace(/^Added on\s+/i, "")
      .replace(/^\w+,\s*/, "")
      .replace(/^(\d{1,2}) ([A-Za-z]+) (\d{4})/, "$2 $1, $3")
      .replace(/\u202f/g, " ")
  )

interface Book {
  readonly place: number
  readonly title: string
  readonly author: string
  readonly highlights: Array<BookmarkHighlight>
}

const withNote = (before: BookmarkHighlight, note: string): BookmarkHighlight => ({
  ...before,
  note: before.note === "" ? note : `${before.note}\n${note}`
})

const booksIn = (text: string, time: ReadTime): ReadonlyArray<Book> => {
  const books = new Map<string, Book>()
  let line = 1
  for (const clipping of text.replace(/^\ufeff/, "").split(/^={10}[ \t]*\r?$/m)) {
    const lines = clipping.replace(/^\r?\n/, "").split(/\r?\n/)
    const place = line + (clipping.startsWith("\n") || clipping.startsWith("\r\n") ? 1 : 0)
    line += clipping.split("\n").length - 1
    const [heading = "", second = ""] = lines.slice(0, 2).map((one) => one.slice(0, MAX_LINE))
    const [, kind = "", when = ""] = ABOUT.exec(second) ?? []
    const passage = lines.slice(2).join("\n").trim()
    if (kind === "" || passage === "" || bookmarks.test(kind)) continue
    const [, title = "", author = ""] = TITLE.exec(heading.trim()) ?? []
    const key = heading.trim()
    const book = books.get(key) ?? { place, title, author, highlights: [] }
    books.set(key, book)
    const before = book.highlights.at(-1)
    if (notes.test(kind) && before !== undefined) book.highlights.splice(-1, 1, withNote(before, passage))
    else book.highlights.push(...highlight(passage, { createdAt: timeOf(when, time) }))
  }
  return [...books.values()].filter(({ title }) => title !== "")
}

/** `My Clippings.txt`: the clippings of one book become one link that leads to the book. */
export const kindle: Format = {
  name: "kindle",
  label: "Kindle clippings (text)",
  guides: [
    "Kindle | `My Clippings.txt` | connect the device by USB and open the folder *documents* | highlights with their notes and (in English) dates, one link for each book"
  ],
  counts: "line",
  recognizes,
  read: (file, time) => {
    if (!recognizes(file)) return undefined
    return booksIn(file.text, time).map(({ author, highlights, place, title }) => ({
      place,
      said: {
        url: addressOfBook({ title, author, asin: "" }),
        title: author === "" ? title : `${title} (${author})`,
        highlights,
        createdAt: highlights[0]?.createdAt ?? null
      }
    }))
  }
}
