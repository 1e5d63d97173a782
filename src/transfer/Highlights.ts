import type { BookmarkHighlight } from "../domain/Bookmark.ts"
import type { HighlightColour } from "../domain/Highlight.ts"
import { isObject, type Json } from "../domain/Json.ts"
import { list, type ReadTime, text } from "./Fields.ts"
import { pageText } from "./PageText.ts"

/** Highlights in the files of other programs. */

/** The colours of other programs, by the one here that is closest. */
const colours: ReadonlyMap<string, HighlightColour> = new Map([
  ["green", "green"],
  ["teal", "green"],
  ["blue", "blue"],
  ["cyan", "blue"],
  ["purple", "blue"],
  ["indigo", "blue"],
  ["pink", "pink"],
  ["red", "pink"],
  ["magenta", "pink"]
])

/** Returns the closest colour to one that a program names; yellow if it is none of these. */
export const colourOf = (name: unknown): HighlightColour => colours.get(text(name).toLowerCase()) ?? "yellow"

/** Returns a highlight, or none if its passage is empty. */
export const highlight = (
  quote: string,
  about: { readonly note?: string; readonly colour?: unknown; readonly createdAt?: string | null } = {}
): ReadonlyArray<BookmarkHighlight> =>
  quote.trim() === ""
    ? []
    : [
        {
          quote: quote.trim(),
          note: about.note?.trim() ?? "",
          colour: colourOf(about.colour),
          createdAt: about.createdAt ?? null
        }
      ]

/** Returns the first of these fields that is a text, without markup. */
const firstText = (item: Json, ...fields: ReadonlyArray<string>) =>
  fields.map((field) => pageText(text(item[field]))).find((found) => found !== "") ?? ""

const firstTime = (item: Json, time: ReadTime, ...fields: ReadonlyArray<string>) =>
  time(...fields.map((field) => item[field]))

/** Returns the comments on a passage, each a text or an object with its text. */
const commentsOn = (item: Json) =>
  list(item["comments"])
    .map((one) => (isObject(one) ? firstText(one, "content", "text") : pageText(text(one))))
    .filter((comment) => comment !== "")

/**
 * Returns the highlights in a JSON list, whose entries are passages or objects. `quoteFields` are the names of the
 * passage's field, in the order of preference; where a program calls the note `text`, the passage has another name.
 */
export const highlightsIn = (
  value: unknown,
  time: ReadTime,
  quoteFields: ReadonlyArray<string> = ["quote", "content", "text"]
): ReadonlyArray<BookmarkHighlight> =>
  list(value).flatMap((one) => {
    if (!isObject(one)) return typeof one === "string" ? highlight(pageText(one)) : []
    const noteFields = ["note", "annotation", "text"].filter((field) => !quoteFields.includes(field))
    return highlight(firstText(one, ...quoteFields), {
      note: [firstText(one, ...noteFields), ...commentsOn(one)].filter((part) => part !== "").join("\n"),
      colour: one["color"] ?? one["colour"],
      createdAt: firstTime(one, time, "createdAt", "created_at", "created", "highlighted_at", "updated_at")
    })
  })

const label = /^(highlight|note|colou?r|created)\s*:\s*/i

/**
 * Returns the highlights in a table's cell. A line that begins with `Highlight:` begins one, and lines that begin with
 * `Note:`, `Color:` or `Created:` are about it; where no line has such a name, each line is a passage.
 */
export const highlightsInCell = (cell: string, time: ReadTime): ReadonlyArray<BookmarkHighlight> => {
  const lines = cell.split("\n")
  if (!lines.some((line) => /^highlight\s*:/i.test(line))) return lines.flatMap((line) => highlight(line))
  const found: Array<Record<string, string>> = []
  let field = "highlight"
  for (const line of lines) {
    const name = label.exec(line)?.[1]?.toLowerCase()
    if (name === "highlight") found.push({})
    field = name === undefined ? field : name.replace("colour", "color")
    const current = found.at(-1)
    if (current === undefined) continue
    const said = line.replace(label, "")
    const before = current[field]
    current[field] = before === undefined ? said : `${before}\n${said}`
  }
  return found.flatMap(({ color, created, highlight: quote = "", note = "" }) =>
    highlight(quote, { note, colour: color, createdAt: time(created) })
  )
}

/** Returns the quotations of a Markdown text; the paragraphs after each are the note on it. */
export const highlightsInMarkdown = (markdown: string): ReadonlyArray<BookmarkHighlight> => {
  const found: Array<{ quote: string; note: string }> = []
  let isQuote = false
  for (const line of markdown.split(/\r?\n/)) {
    const quoted = /^\s{0,3}>\s?(.*)$/.exec(line)?.[1]
    if (quoted !== undefined && !isQuote) found.push({ quote: quoted, note: "" })
    else {
      const current = found.at(-1)
      if (current !== undefined && quoted !== undefined) current.quote += `\n${quoted}`
      else if (current !== undefined && !/^#{1,6}\s/.test(line)) current.note += `${line}\n`
    }
    isQuote = quoted !== undefined
  }
  return found.flatMap(({ note, quote }) => highlight(quote, { note }))
}

/** What a program knows about a book that has no address. */
interface Book {
  readonly title: string
  readonly author: string
  /** Amazon's number of the book; empty if unknown. */
  readonly asin: string
}

/**
 * Returns a web address for a book: its page in Amazon's shop if the number is known, else Open Library's search for it
 * (https://openlibrary.org/dev/docs/api/search).
 */
export const addressOfBook = ({ asin, author, title }: Book): string => {
  if (/^[A-Z0-9]{10}$/.test(asin)) return `https://www.amazon.com/dp/${asin}`
  const wanted = new URLSearchParams({ title, ...(author === "" ? {} : { author }) })
  return `https://openlibrary.org/search?${wanted}`
}
