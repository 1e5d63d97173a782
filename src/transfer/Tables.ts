import { Effect } from "effect"
import { columnsOf, type Row, type Table, table } from "./Csv.ts"
import { given, type ReadTime, text } from "./Fields.ts"
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
      const said = given(text(row.cells[columns.indexOf(name)]))
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
