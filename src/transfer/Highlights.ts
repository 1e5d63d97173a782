import type { BookmarkHighlight } from "../domain/Bookmark.ts"
import type { HighlightColour } from "../domain/Highlight.ts"
import { isObject, type Json } from "../domain/Json.ts"
import { list, type ReadTime, text } from "./Fields.ts"
import { pageText } from "./PageText.ts"

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

/** Yellow for an unknown name. */
export const colourOf = (name: unknown): HighlightColour => colours.get(text(name).toLowerCase()) ?? "yellow"

/** None if the passage is empty. */
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

const firstText = (item: Json, ...fields: ReadonlyArray<string>) =>
  fields.map((field) => pageText(text(item[field]))).find((found) => found !== "") ?? ""

const firstTime = (item: Json, time: ReadTime, ...fields: ReadonlyArray<string>) =>
  time(...fields.map((field) => item[field]))

const commentsOn = (item: Json) =>
  list(item["comments"])
    .map((one) => (isObject(one) ? firstText(one, "content", "text") : pageText(text(one))))
    .filter((comment) => comment !== "")

/** Passages or objects. `quoteFields` in order of preference: where the note is `text`, the passage is not. */
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

/** `Highlight:` begins one, `Note:`, `Color:` and `Created:` are about it; else each line is a passage. */
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

/** The paragraphs after a quotation are the note on it. */
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

interface Book {
  readonly title: string
  readonly author: string
  /** Amazon's number; empty if unknown. */
  readonly asin: string
}

/** Amazon's page if the number is known, else Open Library's search (https://openlibrary.org/dev/docs/api/search). */
export const addressOfBook = ({ asin, author, title }: Book): string => {
  if (/^[A-Z0-9]{10}$/.test(asin)) return `https://www.amazon.com/dp/${asin}`
  const wanted = new URLSearchParams({ title, ...(author === "" ? {} : { author }) })
  return `https://openlibrary.org/search?${wanted}`
}
