import type { Json } from "../../domain/Json.ts"
import { decoded, list, names, parts, text } from "../Fields.ts"
import { asList, listFormat, listIn } from "../Format.ts"
import { pageText } from "../PageText.ts"
import { hasAll, tableFormat } from "../Tables.ts"

/** Returns the first of a link's lists as its folder, and the others as tags beside its own. */
const inLists = (lists: ReadonlyArray<string>, tags: ReadonlyArray<string>) => ({
  folders: lists.slice(0, 1),
  tags: [...tags, ...lists.slice(1)]
})

/**
 * LinkAce's table of links (https://github.com/Kovah/LinkAce, `ExportController.php`): all columns of the database, and
 * the names of tags and lists separated by commas.
 */
export const linkAceCsv = tableFormat({
  name: "linkace-csv",
  label: "LinkAce export (CSV)",
  guides: [
    {
      from: "LinkAce",
      file: "CSV",
      how: "*Export*",
      keeps: "first list as folder, further lists and tags as tags, description as the note, date"
    }
  ],
  own: (columns) =>
    hasAll(columns, "url", "title", "tags", "lists") &&
    ["visibility", "isprivate", "checkdisabled", "userid"].some((name) => columns.has(name)),
  read: (cell, time) => ({
    url: cell("url"),
    title: decoded(cell("title")),
    note: cell("description"),
    ...inLists(parts(cell("lists"), ","), parts(cell("tags"), ",")),
    createdAt: time(cell("createdat"))
  })
})

/** A list of links of LinkAce's API (https://api-docs.linkace.org). */
export const linkAce = listFormat({
  name: "linkace",
  label: "list of LinkAce's API (JSON)",
  guides: [
    {
      from: "LinkAce",
      file: "the API's list (JSON)",
      how: "`GET /api/v2/links`",
      keeps: "first list as folder, further lists and tags as tags, description as the note, date"
    }
  ],
  items: (json) => listIn(json, "data") ?? asList(json),
  own: (item) =>
    "url" in item &&
    ("check_disabled" in item || ("lists" in item && ("visibility" in item || "is_private" in item))),
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    note: text(item["description"]),
    ...inLists(names(list(item["lists"])), names(list(item["tags"]))),
    createdAt: time(item["created_at"])
  })
})

/** Returns the address of a link; a note that Shaarli itself holds has none outside. */
const shaarliUrl = (item: Json) => {
  const url = text(item["url"])
  return /^(?:\?|\/(?:shaare\/|\?))/.test(url) ? "" : url
}

/** A list of links of Shaarli's API (https://shaarli.github.io/api-documentation/#links-links-collection-get). */
export const shaarli = listFormat({
  name: "shaarli",
  label: "list of Shaarli's API (JSON)",
  guides: [
    {
      from: "Shaarli",
      file: "the API's list (JSON)",
      how: "`GET /api/v1/links?limit=all`",
      keeps: "tags, description as the note, date"
    }
  ],
  items: asList,
  own: (item) => "url" in item && "shorturl" in item && "private" in item,
  read: (item, time) =>
    text(item["url"]) !== "" && shaarliUrl(item) === ""
      ? "It is a note, not a link."
      : {
          url: shaarliUrl(item),
          title: decoded(item["title"]),
          note: text(item["description"]),
          tags: Array.isArray(item["tags"]) ? names(item["tags"]) : parts(text(item["tags"]), " "),
          createdAt: time(item["created"])
        }
})

/** Bookmarks of Shiori (https://github.com/go-shiori/shiori, `internal/model/bookmark.go`), of its API or `shiori print -j`. */
export const shiori = listFormat({
  name: "shiori",
  label: "Shiori bookmarks (JSON)",
  guides: [
    {
      from: "Shiori",
      file: "JSON",
      how: "`shiori print -j`, or `GET /api/bookmarks`",
      keeps: "tags, excerpt, date, the page's text"
    }
  ],
  items: (json) => listIn(json, "bookmarks") ?? asList(json),
  own: (item) =>
    "url" in item && "excerpt" in item && ("hasContent" in item || "imageURL" in item || "public" in item),
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    description: decoded(item["excerpt"]),
    tags: names(item["tags"]),
    createdAt: time(item["createdAt"], item["modifiedAt"], item["modified"]),
    text: text(item["content"]) || pageText(text(item["html"]))
  })
})
