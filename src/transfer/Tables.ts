import { Effect } from "effect"
import { columnsOf, type Row, type Table, table, unguarded } from "./Csv.ts"
import { flag, listed, parts, type ReadTime, text } from "./Fields.ts"
import type { Format, SourceFile } from "./Format.ts"
import { type Entry, found, notThis, times } from "./Items.ts"

/** The first of these columns that the row has something in, trimmed; empty where there is none. */
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

/** A format that is a table, told by the names of its columns (written as `Csv.ts` does: lower case, letters and digits). */
export const tableFormat = (format: {
  readonly name: Format["name"]
  readonly label: string
  readonly own: (columns: ReadonlySet<string>) => boolean
  readonly read: (cell: Cell, time: ReadTime, columns: ReadonlySet<string>) => Entry | string
}): Format => {
  const recognises = ({ json, text }: SourceFile) =>
    json === undefined && format.own(new Set(columnsOf(text)))
  return {
    name: format.name,
    label: format.label,
    counts: "line",
    recognises,
    read: Effect.fnUntraced(function* (file) {
      if (!recognises(file)) return yield* notThis(format.label)
      const { columns, rows, unreadable } = yield* table(file.text)
      const names = new Set(columns)
      if (!format.own(names)) return yield* notThis(format.label)
      const time = yield* times
      const all = found(
        rows.map((row) => ({ place: row.line, said: format.read(cellOf(columns, row), time, names) }))
      )
      return { bookmarks: all.bookmarks, unreadable: [...all.unreadable, ...unreadable] }
    })
  }
}

/** Whether a table has all of these columns. */
export const hasAll = (columns: ReadonlySet<string>, ...wanted: ReadonlyArray<string>): boolean =>
  wanted.every((name) => columns.has(name))

/** What people and programs call a column, the clearest word first. */
const words = {
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

/** Between tags stands the rarest of these marks that the cell has: a tag may hold the others. */
const tagsOf = (cell: string) =>
  listed(cell) ?? parts(cell, ["|", ";"].find((mark) => cell.includes(mark)) ?? ",")

/** Only Linkbower's own table has this column. */
const isOurs = (columns: ReadonlySet<string>) => columns.has("shareable")

/** In a table of ours it is one name, whatever stands in it; elsewhere a path, where a slash between spaces counts first. */
const foldersOf = (cell: string, columns: ReadonlySet<string>) => {
  if (isOurs(columns)) return cell === "" ? [] : [cell]
  return parts(cell, cell.includes(" / ") ? " / " : "/")
}

/** A table of one column is only told from other text where the column says what it is without a doubt. */
const isAddress = (name: string, columns: number) =>
  words.url.slice(0, columns > 1 ? undefined : 1).includes(name)

/** Any table that has a column of addresses, told by its header; Linkbower's own among them. */
export const genericCsv = tableFormat({
  name: "csv",
  label: "table of links (CSV)",
  own: (columns) => [...columns].some((name) => isAddress(name, columns.size)),
  read: (raw, time, columns) => {
    const cell: Cell = isOurs(columns) ? (...names) => unguarded(raw(...names)) : raw
    return {
      url: cell(...words.url),
      title: cell(...words.title),
      note: cell(...words.note),
      description: cell(...words.description),
      tags: tagsOf(cell(...words.tags)),
      folders: foldersOf(cell(...words.folder), columns),
      createdAt: time(cell(...words.created)),
      favorite: flag(cell(...words.favorite))
    }
  }
})
