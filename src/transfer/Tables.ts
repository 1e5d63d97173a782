import { Effect, Schema } from "effect"
import { LinkState } from "../domain/Link.ts"
import { columnsOf, type Row, type Table, table, unguarded } from "./Csv.ts"
import { flag, parseBracketedList, parts, type ReadTime, text } from "./Fields.ts"
import {
  type Entry,
  type Format,
  type SourceFile,
  sortReadings,
  timeParser,
  wrongFormatError
} from "./Format.ts"

/** Returns the first non-empty cell of these columns, trimmed, or an empty string. */
export type Cell = (...columns: ReadonlyArray<string>) => string

const cellOf = (columns: Table["columns"], row: Row): Cell => {
  return (...wanted) => {
    for (const name of wanted) {
      const said = text(row.cells[columns.indexOf(name)])
      if (said !== "") return said
    }
    return ""
  }
}

/**
 * Creates a format whose files are tables, recognized by the names of their columns (as `Csv.ts` normalizes them: lower
 * case, letters and digits).
 */
export const tableFormat = (format: {
  readonly name: Format["name"]
  readonly label: string
  readonly guides: Format["guides"]
  readonly own: (columns: ReadonlySet<string>) => boolean
  readonly read: (cell: Cell, time: ReadTime, columns: ReadonlySet<string>) => Entry | string
}): Format => {
  const recognizes = ({ json, text }: SourceFile) =>
    json === undefined && format.own(new Set(columnsOf(text)))
  return {
    name: format.name,
    label: format.label,
    guides: format.guides,
    counts: "line",
    recognizes,
    read: Effect.fnUntraced(function* (file) {
      if (!recognizes(file)) return yield* wrongFormatError(format.label)
      const { columns, rows, unreadable } = yield* table(file.text)
      const names = new Set(columns)
      if (!format.own(names)) return yield* wrongFormatError(format.label)
      const time = yield* timeParser
      const all = sortReadings(
        rows.map((row) => ({ place: row.line, said: format.read(cellOf(columns, row), time, names) }))
      )
      return { bookmarks: all.bookmarks, unreadable: [...all.unreadable, ...unreadable] }
    })
  }
}

/** Whether a table has all these columns. */
export const hasAll = (columns: ReadonlySet<string>, ...wanted: ReadonlyArray<string>): boolean =>
  wanted.every((name) => columns.has(name))

/** Names that people and programs use for a column, the clearest first. */
const columnNames = {
  url: ["url", "link", "href", "uri", "address", "webaddress", "linkurl", "pageurl"],
  title: ["title", "name", "pagetitle", "linktitle"],
  note: ["note", "notes", "comment", "comments", "annotation"],
  description: ["description", "excerpt"],
  tags: ["tags", "tag", "labels", "label", "keywords", "keyword"],
  folder: ["folder", "folders", "collection", "collections", "list", "lists", "group", "folderpath", "path"],
  created:
    "createdat created creationdate createddate datecreated dateadded addedat addeddate added saved savedat saveddate datesaved timeadded adddate timestamp date time".split(
      " "
    ),
  favorite: "favorite favourite favorited isfavorite starred isstarred star important pinned".split(" ")
}

/** Splits tags at the first of `|`, `;` and `,` in the cell, rarest first, because a tag may contain the others. */
const tagsOf = (cell: string) =>
  parseBracketedList(cell) ?? parts(cell, ["|", ";"].find((mark) => cell.includes(mark)) ?? ",")

/** Whether Linkbower wrote the table: only its tables have this column. */
const isLinkbowerTable = (columns: ReadonlySet<string>) => columns.has("shareable")

/**
 * Returns the folders of a cell: in a Linkbower table a single name, elsewhere a path, split at slashes between spaces
 * if there are any, else at every slash.
 */
const foldersOf = (cell: string, columns: ReadonlySet<string>) => {
  if (isLinkbowerTable(columns)) return cell === "" ? [] : [cell]
  return parts(cell, cell.includes(" / ") ? " / " : "/")
}

const isState = Schema.is(LinkState)

/** Whether a column holds addresses; a single column needs an unambiguous name to be distinguished from other text. */
const isAddress = (name: string, columns: number) =>
  columnNames.url.slice(0, columns > 1 ? undefined : 1).includes(name)

/** Any table with a column of addresses, recognized by its header; includes Linkbower's own. */
export const genericCsv = tableFormat({
  name: "csv",
  label: "table of links (CSV)",
  guides: [
    {
      from: "any table",
      file: "CSV with a header",
      how: "a spreadsheet",
      keeps: "columns for title, note, description, tags, folder, date and favorite, under many names"
    }
  ],
  own: (columns) => [...columns].some((name) => isAddress(name, columns.size)),
  read: (raw, time, columns) => {
    const cell: Cell = isLinkbowerTable(columns) ? (...names) => unguarded(raw(...names)) : raw
    const state = isLinkbowerTable(columns) ? cell("state") : ""
    return {
      url: cell(...columnNames.url),
      title: cell(...columnNames.title),
      note: cell(...columnNames.note),
      description: cell(...columnNames.description),
      tags: tagsOf(cell(...columnNames.tags)),
      folders: foldersOf(cell(...columnNames.folder), columns),
      createdAt: time(cell(...columnNames.created)),
      favorite: flag(cell(...columnNames.favorite)),
      ...(isState(state) ? { state } : {})
    }
  }
})
