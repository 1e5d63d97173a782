import { isObject } from "../../domain/Json.ts"
import { joinNotes } from "../../domain/Note.ts"
import { elements } from "../../domain/Xml.ts"
import { decoded, flag, list, parts, text } from "../Fields.ts"
import { highlightsInCell } from "../Highlights.ts"
import { pageText } from "../PageText.ts"
import {
  entities,
  hasColumns,
  type Item,
  listed,
  listFormat,
  plain,
  tableFormat,
  wordsIn,
  xmlFormat
} from "../Rows.ts"

/** The owner writes descriptions, so they become notes. */
export const delicious = listFormat({
  name: "delicious",
  label: "Delicious export (JSON)",
  guide: "Delicious (shut down) | JSON | an export made in time | tags, description as the note, date",
  marks: "url created tags[] private|others !shorturl",
  fields: { url: "url", title: "title", note: entities("description"), tags: "tags", createdAt: "created" }
})

/** The field names are Delicious's: `description` is the title and `extended` the note. */
export const pinboard = listFormat({
  name: "pinboard",
  label: "Pinboard export (JSON)",
  guide: "Pinboard | JSON | *Settings*, *Backup* | tags, description as the note, date, to read as unread",
  marks: "href time extended|toread",
  fields: {
    url: "href",
    title: "description",
    note: "extended",
    tags: wordsIn("tags"),
    createdAt: "time",
    unread: "toread"
  }
})

/** Posts of the API of Delicious, which Pinboard's API and backup keep (https://pinboard.in/api/#posts_all). */
export const postsXml = xmlFormat({
  name: "posts-xml",
  label: "Pinboard or Delicious export (XML)",
  guide:
    "Pinboard, Delicious (shut down) | XML | *Settings*, *Backup*, or the API's `posts/all` | tags, description as the note, date, to read as unread",
  root: "posts",
  marks: /<post\b|<posts\b[^>]*\/>/i,
  entries: (file) => elements(file, "post"),
  fields: {
    url: "@href",
    title: plain("@description"),
    note: "@extended",
    // Delicious wrote this for a post without a tag.
    tags: (item) => wordsIn("@tag")(item).filter((tag) => tag !== "system:unfiled"),
    createdAt: "@time",
    unread: "@toread"
  }
})

/** Splits at commas or, without one, at white space; quotes hold the words of one tag together. */
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
  guide: "Diigo | CSV | *My tools*, *Export* | tags, description and comments as the note, highlights, date",
  marks: "title url tags comments annotations",
  fields: {
    url: "url",
    title: "title",
    note: (item) => lines(decoded(item("description")), decoded(item("comments"))),
    highlights: (item, time) => highlightsInCell(pageText(text(item("annotations"))), time),
    tags: (item) => quotedTags(text(item("tags"))),
    createdAt: "createdat created"
  }
})

const diigoComments = (value: unknown): ReadonlyArray<string> =>
  list(value).map((one) => pageText(text(isObject(one) ? one["content"] : one)))

/** A list of bookmarks of Diigo's API (https://www.diigo.com/api_dev/docs). */
export const diigo = listFormat({
  name: "diigo",
  label: "list of Diigo's API (JSON)",
  guide:
    "Diigo | the API's list (JSON) | `GET /api/v2/bookmarks` | tags, description and comments as the note, highlights, date, read later as unread",
  marks: "url desc readlater|annotations",
  fields: {
    url: "url",
    title: "title",
    note: (item) => lines(decoded(item("desc")), ...diigoComments(item("comments"))),
    highlights: "annotations",
    tags: (item) => quotedTags(text(item("tags"))),
    createdAt: "created_at",
    unread: "readlater"
  }
})

/** mymind's table, in which only some of the cards have an address. */
export const mymind = tableFormat({
  name: "mymind",
  label: "mymind export (CSV)",
  guide: "mymind | `cards.csv` | *Account*, *Export* | tags, note, date, text",
  marks: "id type title url content note tags created",
  refuses: (item) => (item("url") === "" ? "It is a text or a picture, not a link." : undefined),
  fields: {
    url: "url",
    title: "title",
    note: "note",
    tags: "tags",
    createdAt: "created",
    text: plain("content")
  }
})

/** The columns of an export, and of the table that Raindrop documents for imports. */
const raindropColumns = new Set(
  "id title note excerpt description url folder tags created cover highlights favorite important".split(" ")
)

/** Only exports have excerpts; they nest by a slash between spaces, imports by any slash. */
const raindropFolders = (item: Item) => {
  const path = text(item("folder"))
  const isExport = item("excerpt") !== undefined
  return isExport && path === "Unsorted" ? [] : parts(path, isExport ? " / " : "/")
}

/** Raindrop's table: both its export and the table it documents for imports. */
export const raindrop = tableFormat({
  name: "raindrop",
  label: "Raindrop export (CSV)",
  guide:
    "Raindrop | CSV | *Settings*, *Backups* or *Export* | folders, tags, note, highlights, excerpt, date, favorite",
  marks: (columns) =>
    hasColumns("url folder title tags created excerpt|note")(columns) &&
    (columns.has("cover") || [...columns].every((name) => raindropColumns.has(name))),
  fields: {
    url: "url",
    title: plain("title"),
    note: "note",
    highlights: (item, time) => highlightsInCell(text(item("highlights")), time),
    description: "excerpt description",
    tags: (item) =>
      (text(item("tags")).match(/"[^"]*"|[^",]+/g) ?? [])
        .map((tag) => tag.replaceAll('"', "").trim())
        .filter((tag) => tag !== ""),
    folders: raindropFolders,
    createdAt: "created",
    favorite: (item) => flag(plain("favorite important")(item))
  }
})

/** A list of Raindrop's API (https://developer.raindrop.io/v1/raindrops), in which a collection may be only a number. */
export const raindropApi = listFormat({
  name: "raindrop-api",
  label: "list of Raindrop's API (JSON)",
  guide:
    "Raindrop.io | the API's list (JSON) | `GET /rest/v1/raindrops/0` | tags, note, highlights, excerpt, date, favorite",
  items: ["items", ""],
  marks: "link excerpt created|lastUpdate",
  fields: {
    url: "link",
    title: "title",
    note: "note",
    highlights: "highlights",
    description: "excerpt",
    tags: listed("tags"),
    folders: (item) =>
      [plain("collection.title collection.name")(item)].filter((name) => name !== "Unsorted"),
    createdAt: "created",
    favorite: "important"
  }
})
