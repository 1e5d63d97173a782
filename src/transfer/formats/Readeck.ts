import { Option } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { decoded, flag, list, names, parseBracketedList, parts, stateOf, text } from "../Fields.ts"
import { listFormat } from "../Format.ts"
import { highlightsIn } from "../Highlights.ts"
import { pageText } from "../PageText.ts"
import { hasAll, tableFormat } from "../Tables.ts"

/** Returns a field by its name in the API, `is_marked`, or in the export, `IsMarked`. */
const field = (item: Json, name: string): unknown =>
  item[name] ??
  item[name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())] ??
  item[name.toUpperCase()]

/** Returns the address that was saved: that of the page after redirects, unless it is not known. */
const addressOf = (item: Json) => {
  const url = text(field(item, "url"))
  return Option.isSome(parseWebUrl(url)) ? url : text(field(item, "initial_url")) || url
}

/** Whether an item is a bookmark of the API, or of an export, each of which has a file `info.json` of its own. */
const isOwn = (item: Json) =>
  ("url" in item &&
    "is_marked" in item &&
    ("labels" in item || "read_progress" in item || "has_article" in item)) ||
  ("URL" in item && "UID" in item && ("IsMarked" in item || "IsArchived" in item || "DocumentType" in item))

/** Returns the name of the file with the page's text, in the folder `container` beside `info.json`. */
const articleOf = (item: Json): string => {
  const files = field(item, "files")
  const article = isObject(files) ? files["article"] : undefined
  return (isObject(article) ? text(field(article, "name")) : "") || "index.html"
}

/**
 * Readeck's bookmarks (https://codeberg.org/readeck/readeck): a list or a single one of its API (`internal/bookmarks`),
 * or a file `info.json` in its export (`internal/portability`), whose names are those of the program's structure. What
 * is not archived is unread there, until it has been read to the end.
 */
export const readeck = listFormat({
  name: "readeck",
  label: "Readeck bookmarks (JSON)",
  guides: [
    {
      from: "Readeck",
      file: "the zip of its export, or the API's list (JSON)",
      how: "`readeck export`, or `GET /api/bookmarks`",
      keeps:
        "labels as tags, highlights as the note, description, date, favorite, archived, unread until read to the end, the page's text"
    }
  ],
  items: (json) => (isObject(json) ? [json] : Array.isArray(json) ? json : undefined),
  own: isOwn,
  read: (item, time, { companion }) => ({
    url: addressOf(item),
    title: decoded(field(item, "title")),
    highlights: highlightsIn(field(item, "annotations"), time),
    description: text(field(item, "description")),
    tags: names(list(field(item, "labels"))),
    createdAt: time(field(item, "created")),
    favorite: flag(field(item, "is_marked")),
    state: stateOf({
      archived: flag(field(item, "is_archived")),
      unread: !(Number(text(field(item, "read_progress"))) >= 100)
    }),
    text:
      ("UID" in item ? pageText(companion(`container/${articleOf(item)}`) ?? "") : "") ||
      text(field(item, "text"))
  })
})

/**
 * Readeck's table (`internal/bookmarks/converter/csv.go`): labels are a list in JSON, and `null` without one. What is not
 * archived is unread there.
 */
export const readeckCsv = tableFormat({
  name: "readeck-csv",
  label: "Readeck export (CSV)",
  guides: [
    {
      from: "Readeck",
      file: "CSV",
      how: "its *Export*",
      keeps: "labels as tags, date, favorite, archived or unread; the zip keeps more"
    }
  ],
  own: (columns) => hasAll(columns, "url", "title", "created", "labels", "isarchived", "ismarked"),
  read: (cell, time) => ({
    url: cell("url"),
    title: cell("title"),
    tags: parseBracketedList(cell("labels")) ?? parts(cell("labels"), ","),
    createdAt: time(cell("created")),
    favorite: flag(cell("ismarked")),
    state: stateOf({ archived: flag(cell("isarchived")), unread: true })
  })
})
