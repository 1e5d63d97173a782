import { flag, parts } from "../Fields.ts"
import { highlightsInCell } from "../Highlights.ts"
import { hasAll, tableFormat } from "../Tables.ts"

/** The columns of an export, and of the table that Raindrop documents for imports. */
const known = new Set(
  "id title note excerpt description url folder tags created cover highlights favorite important".split(" ")
)

const isExport = (columns: ReadonlySet<string>) => columns.has("excerpt")

/**
 * Splits a path of nested collections: an export separates them by a slash between spaces, because a name may contain a
 * slash; an import by any slash.
 */
const foldersOf = (path: string, columns: ReadonlySet<string>) =>
  isExport(columns) && path === "Unsorted" ? [] : parts(path, isExport(columns) ? " / " : "/")

const tagsOf = (cell: string) =>
  (cell.match(/"[^"]*"|[^",]+/g) ?? [])
    .map((tag) => tag.replaceAll('"', "").trim())
    .filter((tag) => tag !== "")

/** Raindrop's table: both its export and the table it documents for imports. */
export const raindrop = tableFormat({
  name: "raindrop",
  label: "Raindrop export (CSV)",
  guides: [
    {
      from: "Raindrop",
      file: "CSV",
      how: "*Settings*, *Backups* or *Export*",
      keeps: "folders, tags, note, highlights, excerpt, date, favorite"
    }
  ],
  own: (columns) =>
    hasAll(columns, "url", "folder", "title", "tags", "created") &&
    (isExport(columns) || columns.has("note")) &&
    (columns.has("cover") || [...columns].every((name) => known.has(name))),
  read: (cell, time, columns) => ({
    url: cell("url"),
    title: cell("title"),
    note: cell("note"),
    highlights: highlightsInCell(cell("highlights"), time),
    description: cell("excerpt", "description"),
    tags: tagsOf(cell("tags")),
    folders: foldersOf(cell("folder"), columns),
    createdAt: time(cell("created")),
    favorite: flag(cell("favorite", "important"))
  })
})
