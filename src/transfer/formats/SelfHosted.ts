import { Option } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { child, childText, type XmlElement } from "../../domain/Xml.ts"
import { decoded, flag, list, names, parseBracketedList, parts, text } from "../Fields.ts"
import { type Path, pathsById } from "../Folders.ts"
import type { SourceFile } from "../Format.ts"
import { highlightsIn } from "../Highlights.ts"
import {
  at,
  entities,
  html,
  type Item,
  listed,
  listFormat,
  plain,
  someItem,
  tableFormat,
  treeFormat,
  xmlFormat
} from "../Rows.ts"

/** linkding's REST API: a list of bookmarks, or a page with the bookmarks as `results`. */
export const linkding = listFormat({
  name: "linkding",
  label: "list of linkding's API (JSON)",
  guide:
    "linkding | the API's list (JSON) | `GET /api/bookmarks/` | tags, description, notes, date, unread, archived",
  items: ["results", ""],
  marks: "url tag_names[]",
  fields: {
    url: "url",
    title: plain("title website_title"),
    note: "notes",
    description: "description website_description",
    tags: "tag_names",
    createdAt: "date_added",
    archived: "is_archived",
    unread: "unread"
  }
})

const inLists = (listsOf: (item: Item) => ReadonlyArray<string>, tagsOf: typeof listsOf) => ({
  folders: (item: Item) => listsOf(item).slice(0, 1),
  tags: (item: Item) => [...tagsOf(item), ...listsOf(item).slice(1)]
})

const cellsIn = (column: string) => (item: Item) => parts(text(item(column)), ",")

/** All columns of the database, tags and lists as names with commas (https://github.com/Kovah/LinkAce). */
export const linkAceCsv = tableFormat({
  name: "linkace-csv",
  label: "LinkAce export (CSV)",
  guide:
    "LinkAce | CSV | *Export* | first list as folder, further lists and tags as tags, description as the note, date",
  marks: "url title tags lists visibility|isprivate|checkdisabled|userid",
  fields: {
    url: "url",
    title: "title",
    note: "description",
    ...inLists(cellsIn("lists"), cellsIn("tags")),
    createdAt: "createdat"
  }
})

/** A list of links of LinkAce's API (https://api-docs.linkace.org). */
export const linkAce = listFormat({
  name: "linkace",
  label: "list of LinkAce's API (JSON)",
  guide:
    "LinkAce | the API's list (JSON) | `GET /api/v2/links` | first list as folder, further lists and tags as tags, description as the note, date",
  items: ["data", ""],
  marks: ["url check_disabled", "url lists visibility|is_private"],
  fields: {
    url: "url",
    title: "title",
    note: "description",
    ...inLists(listed("lists"), listed("tags")),
    createdAt: "created_at"
  }
})

/** Whether a link is a note that Shaarli itself holds, which has no address outside. */
const isShaarliNote = (item: Item) => /^(?:\?|\/(?:shaare\/|\?))/.test(text(item("url")))

/** A list of links of Shaarli's API (https://shaarli.github.io/api-documentation/#links-links-collection-get). */
export const shaarli = listFormat({
  name: "shaarli",
  label: "list of Shaarli's API (JSON)",
  guide:
    "Shaarli | the API's list (JSON) | `GET /api/v1/links?limit=all` | tags, description as the note, date",
  marks: "url shorturl private",
  refuses: (item) => (isShaarliNote(item) ? "It is a note, not a link." : undefined),
  fields: {
    url: "url",
    title: "title",
    note: "description",
    tags: (item) => (Array.isArray(item("tags")) ? names(item("tags")) : parts(text(item("tags")), " ")),
    createdAt: "created"
  }
})

/** Bookmarks of Shiori (https://github.com/go-shiori/shiori, `internal/model/bookmark.go`), of its API or `shiori print -j`. */
export const shiori = listFormat({
  name: "shiori",
  label: "Shiori bookmarks (JSON)",
  guide: "Shiori | JSON | `shiori print -j`, or `GET /api/bookmarks` | tags, excerpt, date, the page's text",
  items: ["bookmarks", ""],
  marks: "url excerpt hasContent|imageURL|public",
  fields: {
    url: "url",
    title: "title",
    description: entities("excerpt"),
    tags: "tags",
    createdAt: "createdAt modifiedAt modified",
    text: (item) => text(item("content")) || html("html")(item)
  }
})

/** Unmark's export: `export.marks`, as its documentation describes it (https://github.com/cdevroe/unmark). */
export const unmark = listFormat({
  name: "unmark",
  label: "Unmark export (JSON)",
  guide: "Unmark | JSON | *Settings*, *Export* | label as folder, tags, notes, date, archived",
  items: ["export.marks"],
  marks: "url mark_id",
  fields: {
    url: "url",
    title: "mark_title title",
    note: "notes",
    folders: (item) => [text(item("label_name"))].filter((label) => label.toLowerCase() !== "unlabeled"),
    tags: (item) => {
      const tags = item("tags")
      return names(isObject(tags) ? Object.values(tags) : list(tags))
    },
    createdAt: "created_on",
    archived: (item) => text(item("archived_on")) !== "",
    unread: () => true
  }
})

/** `is_marked` in the API, `IsMarked` in the export. */
const readeckField = (item: Item, name: string): unknown =>
  item(name) ??
  item(name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())) ??
  item(name.toUpperCase())

const inReadeck =
  <Value>(name: string, read: (value: unknown) => Value) =>
  (item: Item) =>
    read(readeckField(item, name))

/** The address after redirects, unless only the saved one is known. */
const readeckUrl = (item: Item) => {
  const url = text(readeckField(item, "url"))
  return Option.isSome(parseWebUrl(url)) ? url : text(readeckField(item, "initial_url")) || url
}

/** In the folder `container` beside `info.json`. */
const readeckFile = (item: Item): string => {
  const article = at(readeckField(item, "files"), "article")
  return text(readeckField((name) => at(article, name), "name")) || "index.html"
}

/**
 * Readeck (https://codeberg.org/readeck/readeck): a list or a single bookmark of its API (`internal/bookmarks`), or
 * `info.json` in its export (`internal/portability`). A bookmark that is not archived is unread until it has been read
 * to the end.
 */
export const readeck = listFormat({
  name: "readeck",
  label: "Readeck bookmarks (JSON)",
  guide:
    "Readeck | the zip of its export, or the API's list (JSON) | `readeck export`, or `GET /api/bookmarks` | labels as tags, highlights as the note, description, date, favorite, archived, unread until read to the end, the page's text",
  items: (json) => (isObject(json) ? [json] : json),
  marks: ["url is_marked labels|read_progress|has_article", "URL UID IsMarked|IsArchived|DocumentType"],
  fields: {
    url: readeckUrl,
    title: inReadeck("title", decoded),
    highlights: (item, time) => highlightsIn(readeckField(item, "annotations"), time),
    description: inReadeck("description", text),
    tags: inReadeck("labels", (labels) => names(list(labels))),
    createdAt: (item, time) => time(readeckField(item, "created")),
    favorite: inReadeck("is_marked", flag),
    archived: inReadeck("is_archived", flag),
    unread: inReadeck("read_progress", (progress) => !(Number(text(progress)) >= 100)),
    text: (item, _, { companion }) => {
      const page = item("UID") === undefined ? undefined : companion(`container/${readeckFile(item)}`)
      return html("page")(() => page) || text(readeckField(item, "text"))
    }
  }
})

/** `internal/bookmarks/converter/csv.go`: labels are a list in JSON, and `null` without one. */
export const readeckCsv = tableFormat({
  name: "readeck-csv",
  label: "Readeck export (CSV)",
  guide:
    "Readeck | CSV | its *Export* | labels as tags, date, favorite, archived or unread; the zip keeps more",
  marks: "url title created labels isarchived ismarked",
  fields: {
    url: "url",
    title: "title",
    tags: (item) => parseBracketedList(text(item("labels"))) ?? parts(text(item("labels")), ","),
    createdAt: "created",
    favorite: "ismarked",
    archived: "isarchived",
    unread: () => true
  }
})

const wallabagGuide = (
  file: string,
  keeps = "tags, annotations as highlights, date, starred as favorite, unread or archived, the page's text"
) => `wallabag | ${file} | *All entries*, *Export* | ${keeps}`

const wallabagFields = {
  url: "url",
  title: "title",
  highlights: (item: Item, time: Parameters<typeof highlightsIn>[1]) =>
    highlightsIn(item("annotations"), time, ["quote"]),
  tags: "tags",
  createdAt: "created_at",
  favorite: "is_starred is_fav",
  archived: "is_archived is_read",
  unread: (item: Item) => item("is_archived") !== undefined || item("is_read") !== undefined,
  text: "content"
}

/**
 * wallabag's export, version 1 (`is_fav`) or 2 (`is_starred`): https://github.com/wallabag/wallabag,
 * `src/Helper/EntriesExport.php` and `src/Entity/Entry.php`.
 */
export const wallabag = listFormat({
  name: "wallabag",
  label: "wallabag export (JSON)",
  guide: wallabagGuide("JSON"),
  marks: ["url is_starred", "url is_fav is_read"],
  fields: wallabagFields
})

/** The serializer names each value of a list `entry`. */
const entriesIn = (element: XmlElement | undefined): ReadonlyArray<XmlElement> =>
  element?.children.filter(({ name }) => name === "entry") ?? []

const fieldsOf = (entry: XmlElement): Json => ({
  ...Object.fromEntries(entry.children.map((field) => [field.name, field.text])),
  tags: entriesIn(child(entry, "tags")).map((tag) => tag.text || childText(tag, "label")),
  annotations: entriesIn(child(entry, "annotations")).map((annotation) => ({
    quote: childText(annotation, "quote"),
    text: childText(annotation, "text"),
    created_at: childText(annotation, "created_at")
  }))
})

export const wallabagXml = xmlFormat({
  name: "wallabag-xml",
  label: "wallabag export (XML)",
  guide: wallabagGuide("XML"),
  root: "result",
  marks: /<entry\b[\s\S]{0,2000}?<id\b/i,
  entries: (file) => entriesIn(file.children[0]),
  item: (entry) => {
    const fields = fieldsOf(entry)
    return (field) => fields[field]
  },
  fields: wallabagFields
})

/** Matches the table's dates: the day first, the hour without the half of the day. */
const wallabagDate = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/

/** wallabag's export as a table, which has neither states nor annotations. */
export const wallabagCsv = tableFormat({
  name: "wallabag-csv",
  label: "wallabag export (CSV)",
  guide: wallabagGuide("CSV", "tags, date, the page's text; JSON keeps more"),
  marks: "title url content tags mimetype creationdate",
  fields: {
    url: "url",
    title: "title",
    tags: "tags",
    createdAt: (item, time) => time(text(item("creationdate")).replace(wallabagDate, "$3-$2-$1 $4")),
    text: "content"
  }
})

const karakeepLists = (json: unknown) =>
  pathsById(list(at(json, "lists")).filter((one) => isObject(one) && one["type"] !== "smart"))

/** The first list is the bookmark's folder, the others are tags. */
const karakeepPlace = (item: Json, paths: ReadonlyMap<string, Path>) => {
  const [folders = [], ...others] = list(item["lists"]).flatMap((id) => {
    const path = paths.get(text(id))
    return path === undefined ? [] : [path]
  })
  const outer = new Set(folders)
  const further = others.flatMap((path) => path.slice(-1)).filter((name) => !outer.has(name))
  return { folders, tags: [...names(item["tags"]), ...further] }
}

const karakeepRefusals: ReadonlyMap<string, string> = new Map([
  ["text", "It is a text, not a link."],
  ["asset", "It is a file, not a link."]
])

export const karakeep = treeFormat({
  name: "karakeep",
  label: "Karakeep export (JSON)",
  guide:
    "Karakeep | JSON | *Settings*, *Import / Export* | the first list that is not a search, tags, further lists as tags, note, highlights, date, favorite, archived",
  /** An export without bookmarks still has its lists. */
  recognizes: ({ json }) => {
    const bookmarks = at(json, "bookmarks")
    if (!Array.isArray(bookmarks)) return false
    return bookmarks.length === 0
      ? Array.isArray(at(json, "lists"))
      : someItem(bookmarks, (item) => "content" in item && Array.isArray(item["tags"]) && !("url" in item))
  },
  leaves: ({ json }) => {
    const paths = karakeepLists(json)
    return list(at(json, "bookmarks")).map((node) => {
      if (!isObject(node)) return { node, folders: [] }
      const { folders, tags } = karakeepPlace(node, paths)
      return { node: { ...node, tags }, folders }
    })
  },
  refuses: (item) => karakeepRefusals.get(text(item("content.type"))),
  fields: {
    url: "content.url",
    title: "title",
    note: "note",
    tags: "tags",
    createdAt: "createdAt",
    highlights: "highlights",
    favorite: "favourited",
    archived: "archived"
  }
})

const linkwardenCollections = ({ json }: SourceFile) => list(at(json, "collections"))

const linkwardenKey = (link: unknown) => text(at(link, "id")) || text(at(link, "url"))

/**
 * Linkwarden's export: collections with their links, each naming its parent; *Unorganized* is its own, for links
 * without one. The owner writes descriptions, so they become notes. If Linkwarden itself imported a link, the import's
 * time is the older one.
 */
export const linkwarden = treeFormat({
  name: "linkwarden",
  label: "Linkwarden export (JSON)",
  guide:
    "Linkwarden | JSON | *Settings*, *Account*, *Export data* | collections, tags, description as the note, date, pinned as favorite, the page's text",
  /** An export without a collection still has its list of pinned links. */
  recognizes: (file) =>
    someItem(linkwardenCollections(file), (collection) => Array.isArray(collection["links"])) ||
    (Array.isArray(at(file.json, "collections")) && Array.isArray(at(file.json, "pinnedLinks"))),
  leaves: (file) => {
    const collections = linkwardenCollections(file)
    const paths = pathsById(collections)
    const pinned = new Set(list(at(file.json, "pinnedLinks")).filter(isObject).map(linkwardenKey))
    return collections.flatMap((collection) => {
      const path = paths.get(text(at(collection, "id"))) ?? []
      const folders = path.length === 1 && path[0] === "Unorganized" ? [] : path
      return list(at(collection, "links")).map((link) => ({
        node: isObject(link) ? { ...link, isPinned: pinned.has(linkwardenKey(link)) } : link,
        folders
      }))
    })
  },
  fields: {
    url: "url",
    title: "name",
    note: "description",
    tags: "tags",
    createdAt: "importDate createdAt",
    favorite: "isPinned",
    text: plain("textContent")
  }
})
