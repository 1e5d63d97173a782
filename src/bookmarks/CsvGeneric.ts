import { unguarded } from "./CsvWriter.ts"
import { flag, parts } from "./Fields.ts"
import { listed } from "./Listed.ts"
import { type Cell, tableFormat } from "./Tables.ts"

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
