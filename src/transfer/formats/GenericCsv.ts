import { Either, Schema } from "effect"
import { LinkState } from "../../domain/Link.ts"
import { headerDelimiter, type Row, tableRecords, unguarded } from "../Csv.ts"
import { fieldSynonyms, type LinkField, normalizeFieldName, vagueUrlNames } from "../FieldSynonyms.ts"
import { flag, isTime, parseBracketedList, parts, type ReadTime, stateOf } from "../Fields.ts"
import { splitPath } from "../Folders.ts"
import { type Entry, type Format, FormatError, unreadableReading } from "../Format.ts"

interface Layout {
  readonly delimiter: string
  /** Normalized by `normalizeFieldName`; undefined if the first row is a link already. */
  readonly columns: ReadonlyArray<string> | undefined
  readonly url: number | undefined
}

const SAMPLE = 100_000
const SAMPLE_ROWS = 50

/** Share of the rows that must have an address in the same column, and as many cells as the others. */
const MOST = 0.8

/** Delimiters of tables without known names, the least likely within a text first. */
const DELIMITERS = ["\t", ";", "|", ","]

const isWeb = (cell: string) => /^https?:\/\/\S+$/i.test(cell.trim())

const isBare = (cell: string) => /^(?:[a-z\d-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#]\S*)?$/i.test(cell)

const withScheme = (cell: string) => (isBare(cell) ? `https://${cell}` : cell)

const sampleOf = (text: string) =>
  text.length <= SAMPLE ? text : text.slice(0, text.lastIndexOf("\n", SAMPLE) + 1 || SAMPLE)

const sampleRows = (text: string, delimiter: string): ReadonlyArray<Row> =>
  Either.match(tableRecords(sampleOf(text), delimiter), {
    onLeft: () => [],
    onRight: ({ rows }) => rows.slice(0, SAMPLE_ROWS)
  })

/** A vague name needs an address below it. */
const hasUrlColumn = (columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>): boolean =>
  columns.length === 1
    ? columns[0] === fieldSynonyms.url[0]
    : columns.some(
        (name, at) =>
          fieldSynonyms.url.includes(name) &&
          (!vagueUrlNames.has(name) ||
            rows.some(({ cells }) => isWeb(cells[at] ?? "") || /^www\./i.test(cells[at]?.trim() ?? "")))
      )

const fromHeader = (text: string): Layout | undefined => {
  const delimiter = headerDelimiter(text)
  const [header, ...rows] = sampleRows(text, delimiter)
  const columns = header?.cells.map(normalizeFieldName) ?? []
  return hasUrlColumn(columns, rows) ? { delimiter, columns, url: undefined } : undefined
}

/** An address may contain delimiters. */
const isOneAddress = ({ cells }: Row, delimiter: string) =>
  isWeb(cells[0] ?? "") && cells.every((cell) => !/\s/.test(cell)) && delimiter !== "\t"

const fromContent = (text: string, delimiter: string): Layout | undefined => {
  if (delimiter === "|" && /^\s*\|/.test(text)) return undefined
  const rows = sampleRows(text, delimiter)
  const width = rows.at(-1)?.cells.length ?? 0
  const regular = rows.filter(({ cells }) => cells.length === width)
  if (rows.length < 2 || width < 2 || regular.length < rows.length * MOST) return undefined
  const [first, ...rest] = rows
  const url = Array.from({ length: width }, (_, at) => at).find(
    (at) => rest.filter(({ cells }) => isWeb(cells[at] ?? "")).length >= rest.length * MOST
  )
  if (first === undefined || url === undefined || rows.every((row) => isOneAddress(row, delimiter)))
    return undefined
  const hasHeader = !isWeb(first.cells[url] ?? "") && first.cells.some((cell) => cell.trim() !== "")
  return { delimiter, columns: hasHeader ? first.cells.map(normalizeFieldName) : undefined, url }
}

const layoutOf = (text: string): Layout | undefined => {
  const named = fromHeader(text)
  if (named !== undefined) return named
  for (const delimiter of DELIMITERS) {
    const layout = fromContent(text, delimiter)
    if (layout !== undefined) return layout
  }
  return undefined
}

/** Hashtags, a list in brackets, or split at the rarest delimiter, as a tag may have others. */
const tagsOf = (cell: string) => {
  if (/^#\S+(?:\s+#\S+)*$/.test(cell)) return parts(cell.replace(/\s+/g, " "), " ").map((tag) => tag.slice(1))
  return parseBracketedList(cell) ?? parts(cell, ["|", ";"].find((mark) => cell.includes(mark)) ?? ",")
}

type CellsOf = (field: LinkField) => ReadonlyArray<string>

const cellsOf = (columns: ReadonlyArray<string>, row: Row): CellsOf => {
  return (field) =>
    fieldSynonyms[field].flatMap((name) => {
      const cell = row.cells[columns.indexOf(name)]?.trim() ?? ""
      return cell === "" ? [] : [cell]
    })
}

const readNamed = (
  columns: ReadonlyArray<string>,
  row: Row,
  time: ReadTime,
  url: number | undefined
): Entry => {
  const cells = cellsOf(columns, row)
  const first = (field: LinkField) => cells(field)[0] ?? ""
  const addresses = url === undefined ? cells("url").map(withScheme) : [row.cells[url]?.trim() ?? ""]
  const status = (row.cells[columns.indexOf("status")] ?? "").trim().toLowerCase()
  return {
    url: addresses.find(isWeb) ?? addresses[0] ?? "",
    title: first("title"),
    note: first("note"),
    description: first("description"),
    tags: tagsOf(first("tags")),
    folders: splitPath(first("folder")),
    createdAt: time(first("created")),
    favorite: flag(first("favorite")),
    state: stateOf({
      archived: flag(first("archived")) || status === "archived",
      unread: flag(first("unread")) || status === "unread"
    })
  }
}

/** A time is when the link was saved, the first text its title, others its note. */
const readUnnamed = ({ cells }: Row, time: ReadTime, url: number): Entry => {
  const others = cells.filter((_, at) => at !== url).map((cell) => cell.trim())
  // A short number is a count or an id, not a time.
  const times = others.map((cell) => (/^\d{1,8}$/.test(cell) || !isTime(cell) ? null : time(cell)))
  const [title, ...notes] = others.filter(
    (cell, at) => times[at] === null && /\p{L}/u.test(cell) && !isWeb(cell)
  )
  return {
    url: cells[url]?.trim() ?? "",
    title: title ?? "",
    note: notes.join("\n"),
    createdAt: times.find((one) => one !== null) ?? null
  }
}

const isLinkbowerTable = (columns: ReadonlyArray<string>) => columns.includes("shareable")

const isState = Schema.is(LinkState)

/** In Linkbower's own table a collection is a single name. */
const readOwn = (columns: ReadonlyArray<string>, row: Row, time: ReadTime): Entry => {
  const cell = (name: string) => unguarded(row.cells[columns.indexOf(name)] ?? "")
  const collection = cell("collection")
  const state = cell("state")
  return {
    url: cell("url"),
    title: cell("title"),
    note: cell("note"),
    description: cell("description"),
    tags: tagsOf(cell("tags")),
    folders: collection === "" ? [] : [collection],
    createdAt: time(cell("createdat")),
    favorite: flag(cell("favorite")),
    ...(isState(state) ? { state } : {})
  }
}

/** Recognized by the names of columns in eleven languages, or by cells; includes Linkbower's own. */
export const genericCsv: Format = {
  name: "csv",
  label: "table of links (CSV)",
  guides: [
    "any table | CSV, with a header or with one column of addresses | a spreadsheet | columns for title, note, description, tags, folder, date and favorite, under many names in eleven languages"
  ],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && layoutOf(text) !== undefined,
  read: ({ json, text }, time) => {
    const layout = json === undefined ? layoutOf(text) : undefined
    if (layout === undefined) return undefined
    const { columns, delimiter, url } = layout
    const found = Either.merge(tableRecords(text, delimiter))
    if (found instanceof FormatError) return found
    const { rows, unreadable } = found
    const read = (row: Row): Entry => {
      if (columns === undefined) return readUnnamed(row, time, url ?? 0)
      return isLinkbowerTable(columns) ? readOwn(columns, row, time) : readNamed(columns, row, time, url)
    }
    const links = columns === undefined ? rows : rows.slice(1)
    return [
      ...links.map((row) => ({ place: row.line, said: read(row) })),
      ...unreadable.map(unreadableReading)
    ]
  }
}
