import { parse } from "csv-parse/sync"
import { Either } from "effect"
import type { Unreadable } from "../domain/Bookmark.ts"
import type { PlainLink } from "../domain/ExportedLink.ts"
import { normalizeFieldName } from "./FieldSynonyms.ts"
import { FormatError } from "./Format.ts"

export interface Row {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

export interface Table {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** In characters; no header is longer. */
const HEADER = 10_000

const MAX_RESTARTS = 20

/** A text whose only breaks are escaped as `\n`, as in source code, is unescaped. */
const lineBreaks = (text: string) => {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
  return plain.trim().includes("\n") ? plain : plain.replaceAll("\\n", "\n")
}

const SEPARATOR_LINE = /^sep=.$/i

const headerLine = (text: string) => {
  const [first = "", second = ""] = lineBreaks(text.slice(0, HEADER)).trimStart().split("\n", 2)
  return SEPARATOR_LINE.test(first) ? second : first
}

const DELIMITERS = [",", ";", "\t", "|"]

const delimiterOf = (header: string): string => {
  const outside = header.replace(/"[^"]*"/g, "")
  const count = (delimiter: string) => outside.split(delimiter).length
  // A line of a Markdown table begins with its delimiter.
  const possible = outside.startsWith("|") ? DELIMITERS.slice(0, -1) : DELIMITERS
  return possible.reduce((best, one) => (count(one) > count(best) ? one : best))
}

export const headerDelimiter = (text: string): string => delimiterOf(headerLine(text))

export const columnsOf = (text: string): ReadonlyArray<string> => {
  const header = headerLine(text)
  return header
    .split(delimiterOf(header))
    .map((cell) => normalizeFieldName(cell.trim().replace(/^"(.*)"$/s, "$1")))
}

/** Parses the records up to the end, or up to one with a quotation mark that is never closed. */
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
      // A record may span several lines, and the parser reports the last of them.
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

interface Records {
  readonly rows: ReadonlyArray<Row>
  readonly unreadable: ReadonlyArray<Unreadable>
}

const readRecords = (text: string, delimiter: string): Records => {
  const whole = lineBreaks(text)
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
  const isRecord = ({ cells }: Row) =>
    cells.some((cell) => cell.trim() !== "") && !SEPARATOR_LINE.test(cells.join(delimiter))
  return { rows: rows.filter(isRecord), unreadable }
}

/** RFC 4180, leniently: an unreadable row loses no other; rows of empty cells are omitted. */
export const tableRecords = (text: string, delimiter: string): Either.Either<Records, FormatError> =>
  Either.try({
    try: () => readRecords(text, delimiter),
    catch: () => new FormatError({ message: "The table in this file cannot be read." })
  })

export const table = (text: string): Either.Either<Table, FormatError> =>
  Either.map(tableRecords(text, headerDelimiter(text)), ({ rows: [header, ...rows], unreadable }) => ({
    columns: header?.cells.map(normalizeFieldName) ?? [],
    rows,
    unreadable
  }))

/** RFC 4180; quoted also for white space at either end. */
const field = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** https://owasp.org/www-community/attacks/CSV_Injection; white space and apostrophes may precede the sign. */
const FORMULA = /^[\s']*(?:[=+\-@＝＋－＠]|[\t\r\n][\s']*[^\s'])/u

/** An apostrophe keeps a spreadsheet from running a text as a formula. */
const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Removes the guard and surrounding white space. */
export const unguarded = (cell: string): string =>
  (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell).trim()

const row = (fields: ReadonlyArray<string>): string =>
  `${fields.map((text) => field(guarded(text))).join(",")}\r\n`

/** Tags separated by commas, flags as `true` and `false`, an empty cell without a collection. */
const columns: ReadonlyArray<readonly [name: string, of: (link: PlainLink) => string]> = [
  ["url", ({ url }) => url],
  ["title", ({ title }) => title],
  ["note", ({ note }) => note],
  ["summary", ({ summary }) => summary],
  ["description", ({ description }) => description],
  ["tags", ({ tags }) => tags.join(",")],
  ["category", ({ category }) => category],
  ["collection", ({ collection }) => collection ?? ""],
  ["favorite", ({ favorite }) => String(favorite)],
  ["shareable", ({ shareable }) => String(shareable)],
  ["state", ({ state }) => state],
  ["created_at", ({ createdAt }) => createdAt],
  ["updated_at", ({ updatedAt }) => updatedAt]
]

/** The start of a table of links: a byte order mark, from which spreadsheets know UTF-8, and the header row. */
export const csvHead = `\ufeff${row(columns.map(([name]) => name))}`

export const csvLink = (link: PlainLink): string => row(columns.map(([, of]) => of(link)))
