import { isObject, type Json } from "../../domain/Json.ts"
import { joinNotes } from "../../domain/Note.ts"
import { decoded, flag, list, names, parseBracketedList, parts, stateOf, text } from "../Fields.ts"
import { asList, listFormat } from "../Format.ts"
import { highlightsIn, highlightsInCell } from "../Highlights.ts"
import { pageText } from "../PageText.ts"
import { hasAll, tableFormat } from "../Tables.ts"

/** Splits the tags of a cell at commas or, without one, at white space; quotes hold the words of one tag together. */
const quotedTags = (cell: string): ReadonlyArray<string> => {
  const words = cell.match(cell.includes(",") ? /"[^"]*"|[^",]+/g : /"[^"]*"|[^"\s]+/g) ?? []
  return words
    .map((word) => word.replaceAll('"', "").trim())
    .filter((word) => word !== "" && word !== "no_tag")
}

const lines = (...texts: ReadonlyArray<string>) => texts.reduce(joinNotes, "")

/** Diigo's table: `title,url,tags,description,comments,annotations,created_at`. Its description is its owner's. */
export const diigoCsv = tableFormat({
  name: "diigo-csv",
  label: "Diigo export (CSV)",
  guides: [
    {
      from: "Diigo",
      file: "CSV",
      how: "*My tools*, *Export*",
      keeps: "tags, description and comments as the note, highlights, date"
    }
  ],
  own: (columns) => hasAll(columns, "title", "url", "tags", "comments", "annotations"),
  read: (cell, time) => ({
    url: cell("url"),
    title: decoded(cell("title")),
    note: lines(decoded(cell("description")), decoded(cell("comments"))),
    highlights: highlightsInCell(pageText(cell("annotations")), time),
    tags: quotedTags(cell("tags")),
    createdAt: time(cell("createdat", "created"))
  })
})

const diigoComments = (value: unknown): ReadonlyArray<string> =>
  list(value).map((one) => pageText(text(isObject(one) ? one["content"] : one)))

/** A list of bookmarks of Diigo's API (https://www.diigo.com/api_dev/docs). */
export const diigo = listFormat({
  name: "diigo",
  label: "list of Diigo's API (JSON)",
  guides: [
    {
      from: "Diigo",
      file: "the API's list (JSON)",
      how: "`GET /api/v2/bookmarks`",
      keeps: "tags, description and comments as the note, highlights, date, read later as unread"
    }
  ],
  items: asList,
  own: (item) => "url" in item && "desc" in item && ("readlater" in item || "annotations" in item),
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    note: lines(decoded(item["desc"]), ...diigoComments(item["comments"])),
    highlights: highlightsIn(item["annotations"], time),
    tags: quotedTags(text(item["tags"])),
    createdAt: time(item["created_at"]),
    state: flag(item["readlater"]) ? "unread" : "read"
  })
})

/** GoodLinks's export: a list of links. */
export const goodLinks = listFormat({
  name: "goodlinks",
  label: "GoodLinks export (JSON)",
  guides: [
    {
      from: "GoodLinks",
      file: "JSON",
      how: "*Settings*, *Export*",
      keeps: "tags, summary as description, highlights, date, starred as favorite, unread"
    }
  ],
  items: asList,
  own: (item) => "url" in item && "addedAt" in item && ("starred" in item || "readAt" in item),
  read: (item, time) => ({
    url: text(item["url"]) || text(item["originalURL"]),
    title: decoded(item["title"]),
    highlights: highlightsIn(item["highlights"], time),
    description: decoded(item["summary"]),
    tags: names(item["tags"]),
    createdAt: time(item["addedAt"]),
    favorite: flag(item["starred"]),
    state: time(item["readAt"]) === null ? "unread" : "read"
  })
})

/** Matter's table, whose time is that of the last change. */
export const matter = tableFormat({
  name: "matter",
  label: "Matter export (CSV)",
  guides: [
    {
      from: "Matter",
      file: "`_matter_history.csv`",
      how: "*Settings*, *Export data*",
      keeps: "tags, date, favorite, archived, unread"
    }
  ],
  own: (columns) => hasAll(columns, "url", "title", "inqueue", "favorited", "read"),
  read: (cell, time) => ({
    url: cell("url"),
    title: decoded(cell("title")),
    tags: parseBracketedList(cell("tags")) ?? parts(cell("tags"), cell("tags").includes(";") ? ";" : ","),
    createdAt: time(cell("lastinteractiondate")),
    favorite: flag(cell("favorited")),
    state: stateOf({ archived: /^(?:false|no|0)$/i.test(cell("inqueue")), unread: !flag(cell("read")) })
  })
})

/** mymind's table, in which only some of the cards have an address. */
export const mymind = tableFormat({
  name: "mymind",
  label: "mymind export (CSV)",
  guides: [
    {
      from: "mymind",
      file: "`cards.csv`",
      how: "*Account*, *Export*",
      keeps: "tags, note, date, text"
    }
  ],
  own: (columns) => hasAll(columns, "id", "type", "title", "url", "content", "note", "tags", "created"),
  read: (cell, time) =>
    cell("url") === ""
      ? "It is a text or a picture, not a link."
      : {
          url: cell("url"),
          title: decoded(cell("title")),
          note: cell("note"),
          tags: parts(cell("tags"), ","),
          createdAt: time(cell("created")),
          text: cell("content")
        }
})

/** Unmark's label for marks without one. */
const UNLABELED = "unlabeled"

const tagsOf = (value: unknown) => names(isObject(value) ? Object.values(value) : list(value))

/** Unmark's export: `export.marks`, as its documentation describes it (https://github.com/cdevroe/unmark). */
export const unmark = listFormat({
  name: "unmark",
  label: "Unmark export (JSON)",
  guides: [
    {
      from: "Unmark",
      file: "JSON",
      how: "*Settings*, *Export*",
      keeps: "label as folder, tags, notes, date, archived"
    }
  ],
  items: (json) => asList(isObject(json) && isObject(json["export"]) ? json["export"]["marks"] : undefined),
  own: (item) => "url" in item && "mark_id" in item,
  read: (item, time) => {
    const label = text(item["label_name"])
    return {
      url: text(item["url"]),
      title: decoded(item["mark_title"]) || decoded(item["title"]),
      note: text(item["notes"]),
      folders: label === "" || label.toLowerCase() === UNLABELED ? [] : [label],
      tags: tagsOf(item["tags"]),
      createdAt: time(item["created_on"]),
      state: text(item["archived_on"]) === "" ? "unread" : "archived"
    }
  }
})

/** Returns the name of a collection where the list has it, and not only its number. */
const collectionOf = (item: Json) => {
  const collection = isObject(item["collection"]) ? item["collection"] : {}
  const name = text(collection["title"]) || text(collection["name"])
  return name === "" || name === "Unsorted" ? [] : [name]
}

/** A list of Raindrop's API (https://developer.raindrop.io/v1/raindrops). */
export const raindropApi = listFormat({
  name: "raindrop-api",
  label: "list of Raindrop's API (JSON)",
  guides: [
    {
      from: "Raindrop.io",
      file: "the API's list (JSON)",
      how: "`GET /rest/v1/raindrops/0`",
      keeps: "tags, note, highlights, excerpt, date, favorite"
    }
  ],
  items: (json) => asList(isObject(json) ? json["items"] : json),
  own: (item) => "link" in item && "excerpt" in item && ("created" in item || "lastUpdate" in item),
  read: (item, time) => ({
    url: text(item["link"]),
    title: decoded(item["title"]),
    note: text(item["note"]),
    highlights: highlightsIn(item["highlights"], time),
    description: text(item["excerpt"]),
    tags: names(list(item["tags"])),
    folders: collectionOf(item),
    createdAt: time(item["created"]),
    favorite: flag(item["important"])
  })
})
