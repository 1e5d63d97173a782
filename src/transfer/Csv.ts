import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import type { Unreadable } from "../domain/Bookmark.ts"
import type { PlainLink } from "../domain/ExportedLink.ts"
import { FormatError } from "./Format.ts"

/** A record of a table, with the line it begins on. */
export interface Row {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** A table's records below its header. */
export interface Table {
  /** The columns' names, each as `columnName` writes it. */
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** More of a file than any header. */
const HEADER = 10_000

/** How often reading starts anew after a quotation mark that is never closed. */
const MAX_RESTARTS = 20

/** A column's name without case, spaces and punctuation: `Time added` and `time_added` are one. */
const columnName = (raw: string) =>
  raw
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** Text with one kind of line break; where every break is written as `\n`, as in a program's source, those are meant. */
const lineBreaks = (text: string) => {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
  return plain.trim().includes("\n") ? plain : plain.replaceAll("\\n", "\n")
}

const headerLine = (text: string) => lineBreaks(text.slice(0, HEADER)).trimStart().split("\n", 1)[0] ?? ""

/** What separates the cells, told by the header. */
const delimiterOf = (header: string): string => {
  const outside = header.replace(/"[^"]*"/g, "")
  const count = (delimiter: string) => outside.split(delimiter).length
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** The columns a table would have by the first line of the text; total. */
export const columnsOf = (text: string): ReadonlyArray<string> => {
  const header = headerLine(text)
  return header.split(delimiterOf(header)).map((cell) => columnName(cell.trim().replace(/^"(.*)"$/s, "$1")))
}

/** The records up to the end, or up to one with a quotation mark that is never closed. */
const records = (text: string, delimiter: string, firstLine: number) => {
  const rows: Array<Row> = []
  let [line, empty, broken] = [0, 0, false]
  parse(text, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: "\n",
    skip_records_with_error: true,
    on_record: (cells, { empty_lines, lines }) => {
      // A record may have several lines, and the parser counts the last of them.
      rows.push({ line: firstLine + line + empty_lines - empty, cells })
      line = lines
      empty = empty_lines
      return null
    },
    on_skip: () => {
      broken = true
      return undefined
    }
  })
  return { rows, lines: line, broken }
}

const readTable = (text: string): Table => {
  const whole = lineBreaks(text)
  const delimiter = delimiterOf(headerLine(text))
  const rows: Array<Row> = []
  const unreadable: Array<Unreadable> = []
  let [rest, firstLine] = [whole, 1]
  for (let restart = 0; rest !== ""; restart++) {
    const read = records(rest, delimiter, firstLine)
    for (const row of read.rows) rows.push(row)
    if (!read.broken) break
    const lines = rest.split("\n")
    const at = lines.findIndex((line, index) => index >= read.lines && line !== "")
    const last = restart === MAX_RESTARTS
    unreadable.push({
      place: firstLine + at,
      reason: `A quotation mark is opened in this row and never closed${last ? "; nothing below it was read" : ""}.`
    })
    rest = last ? "" : lines.slice(at + 1).join("\n")
    firstLine += at + 1
  }
  const [header, ...body] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""))
  return { columns: header?.cells.map(columnName) ?? [], rows: body, unreadable }
}

/**
 * A table with a header, its cells separated by commas, semicolons or tabs (RFC 4180, read tolerantly).
 *
 * A row that cannot be read is reported, and loses no other; rows of empty cells alone are left out.
 */
export const table = (text: string): Effect.Effect<Table, FormatError> =>
  Effect.try({
    try: () => readTable(text),
    catch: () => new FormatError({ message: "The table in this file cannot be read." })
  })

/** A field of a row (RFC 4180): in quotes where something in it would be read as the table's own. */
const field = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * The beginnings of a formula (https://owasp.org/www-community/attacks/CSV_Injection): a sign, or a tab or a line break
 * before any text. White space, which readers drop, and apostrophes may precede them, so that a guarded text can be told
 * from one that only looks guarded.
 */
const FORMULA = /^[\s']*(?:[=+\-@＝＋－＠]|[\t\r\n][\s']*[^\s'])/u

/** A text that no spreadsheet runs as a formula: one that could be is given a leading apostrophe. */
const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text of an exported cell, without its guard and without the white space around it. */
export const unguarded = (cell: string): string =>
  (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell).trim()

const row = (fields: ReadonlyArray<string>): string =>
  `${fields.map((text) => field(guarded(text))).join(",")}\r\n`

/** The first row of a table of links: the names of its columns. */
export const csvHead = row([
  "url",
  "title",
  "note",
  "summary",
  "description",
  "tags",
  "category",
  "collection",
  "favorite",
  "shareable",
  "created_at",
  "updated_at"
])

/**
 * A link as a row under `csvHead`: tags between commas, flags as `true` and `false`, no collection as nothing, texts
 * that a spreadsheet would run as a formula behind an apostrophe.
 */
export const csvLink = (link: PlainLink): string =>
  row([
    link.url,
    link.title,
    link.note,
    link.summary,
    link.description,
    link.tags.join(","),
    link.category,
    link.collection ?? "",
    String(link.favorite),
    String(link.shareable),
    link.createdAt,
    link.updatedAt
  ])
