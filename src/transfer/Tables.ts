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

/** A table of a format, row by row. */
interface ReadRows {
  readonly rows: ReadonlyArray<{ readonly line: number; readonly cell: Cell }>
  readonly columns: ReadonlySet<string>
  readonly unreadable: Table["unreadable"]
}

type OwnColumns = (columns: ReadonlySet<string>) => boolean

/** Whether a file is a table with columns of these names. Cheap: reads only its first line. */
export const isTableWith = ({ json, text }: SourceFile, own: OwnColumns): boolean =>
  json === undefined && own(new Set(columnsOf(text)))

/** Reads a table with columns of these names, for formats whose rows are not one link each. */
export const readRows = Effect.fnUntraced(function* (file: SourceFile, own: OwnColumns, label: string) {
  if (!isTableWith(file, own)) return yield* wrongFormatError(label)
  const { columns, rows, unreadable } = yield* table(file.text)
  const names = new Set(columns)
  if (!own(names)) return yield* wrongFormatError(label)
  const read: ReadRows = {
    rows: rows.map((row) => ({ line: row.line, cell: cellOf(columns, row) })),
    columns: names,
    unreadable
  }
  return read
})

/**
 * Creates a format whose files are tables, recognized by the names of their columns (as `Csv.ts` normalizes them: lower
 * case, letters and digits).
 */
export const tableFormat = (format: {
  readonly name: Format["name"]
  readonly label: string
  readonly guides: Format["guides"]
  readonly own: OwnColumns
  readonly read: (cell: Cell, time: ReadTime, columns: ReadonlySet<string>) => Entry | string
}): Format => ({
  name: format.name,
  label: format.label,
  guides: format.guides,
  counts: "line",
  recognizes: (file) => isTableWith(file, format.own),
  read: Effect.fnUntraced(function* (file) {
    const { columns, rows, unreadable } = yield* readRows(file, format.own, format.label)
    const time = yield* timeParser
    const all = sortReadings(
      rows.map(({ cell, line }) => ({ place: line, said: format.read(cell, time, columns) }))
    )
    return { bookmarks: all.bookmarks, unreadable: [...all.unreadable, ...unreadable] }
  })
})

/** Whether a table has all these columns. */
export const hasAll = (columns: ReadonlySet<string>, ...wanted: ReadonlyArray<string>): boolean =>
  wanted.every((name) => columns.has(name))
