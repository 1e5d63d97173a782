import { Effect } from "effect"
import type { Json } from "../../domain/Json.ts"
import { decoded, flag, names, parts, type ReadTime, stateOf, text } from "../Fields.ts"
import {
  asList,
  type Entry,
  type Format,
  listFormat,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"
import { highlightsIn } from "../Highlights.ts"
import { pageText } from "../PageText.ts"
import { hasAll, tableFormat } from "../Tables.ts"
import { child, childText, readXml, type XmlElement, xmlRoot } from "../Xml.ts"

const read = (item: Json, time: ReadTime): Entry => ({
  url: text(item["url"]),
  title: decoded(item["title"]),
  highlights: highlightsIn(item["annotations"], time, ["quote"]),
  tags: names(item["tags"]),
  createdAt: time(item["created_at"]),
  favorite: flag(item["is_starred"]) || flag(item["is_fav"]),
  state: stateOf({
    archived: flag(item["is_archived"]) || flag(item["is_read"]),
    unread: "is_archived" in item || "is_read" in item
  }),
  text: pageText(text(item["content"]))
})

/**
 * wallabag's export, from version 1 (`is_fav`) or version 2 (`is_starred`): a list of pages
 * (https://github.com/wallabag/wallabag, `src/Helper/EntriesExport.php` and `src/Entity/Entry.php`).
 */
export const wallabag = listFormat({
  name: "wallabag",
  label: "wallabag export (JSON)",
  guides: [
    {
      from: "wallabag",
      file: "JSON",
      how: "*All entries*, *Export*",
      keeps: "tags, annotations as highlights, date, starred as favorite, unread or archived, the page's text"
    }
  ],
  items: asList,
  own: (item) => "url" in item && ("is_starred" in item || ("is_fav" in item && "is_read" in item)),
  read
})

const XML_LABEL = "wallabag export (XML)"

/** Returns the values in a list of the serializer, which names each of them `entry`. */
const entriesIn = (element: XmlElement | undefined): ReadonlyArray<XmlElement> =>
  element?.children.filter(({ name }) => name === "entry") ?? []

/** Returns the fields of an entry as the JSON export has them. */
const fieldsOf = (entry: XmlElement): Json => ({
  ...Object.fromEntries(entry.children.map((field) => [field.name, field.text])),
  tags: entriesIn(child(entry, "tags")).map((tag) => tag.text || childText(tag, "label")),
  annotations: entriesIn(child(entry, "annotations")).map((annotation) => ({
    quote: childText(annotation, "quote"),
    text: childText(annotation, "text"),
    created_at: childText(annotation, "created_at")
  }))
})

const isXml: Format["recognizes"] = ({ json, text }) =>
  json === undefined &&
  xmlRoot(text) === "result" &&
  /<entry\b[\s\S]{0,2000}?<id\b/i.test(text.slice(0, 8_192))

/** wallabag's export of the same fields as XML. */
export const wallabagXml: Format = {
  name: "wallabag-xml",
  label: XML_LABEL,
  guides: [
    {
      from: "wallabag",
      file: "XML",
      how: "*All entries*, *Export*",
      keeps: "tags, annotations as highlights, date, starred as favorite, unread or archived, the page's text"
    }
  ],
  counts: "line",
  recognizes: isXml,
  read: Effect.fn("wallabagXml.read")(function* (file) {
    if (!isXml(file)) return yield* wrongFormatError(XML_LABEL)
    const time = yield* timeParser
    return sortReadings(
      entriesIn(readXml(file.text).children[0]).map((entry) => ({
        place: entry.line,
        said: read(fieldsOf(entry), time)
      }))
    )
  })
}

/** Matches the table's dates: the day first, the hour without the half of the day. */
const date = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/

/** wallabag's export as a table, which has neither states nor annotations. */
export const wallabagCsv = tableFormat({
  name: "wallabag-csv",
  label: "wallabag export (CSV)",
  guides: [
    {
      from: "wallabag",
      file: "CSV",
      how: "*All entries*, *Export*",
      keeps: "tags, date, the page's text; JSON keeps more"
    }
  ],
  own: (columns) => hasAll(columns, "title", "url", "content", "tags", "mimetype", "creationdate"),
  read: (cell, time) => ({
    url: cell("url"),
    title: decoded(cell("title")),
    tags: parts(cell("tags"), ","),
    createdAt: time(cell("creationdate").replace(date, "$3-$2-$1 $4")),
    text: pageText(cell("content"))
  })
})
