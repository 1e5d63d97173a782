import { Effect } from "effect"
import { columnsOf, type Row, type Table, table } from "./Csv.ts"
import { text } from "./Fields.ts"
import type { Format, SourceFile } from "./Format.ts"
import { type Entry, found, notThis, times } from "./Items.ts"
import type { ReadTime } from "./Times.ts"

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
