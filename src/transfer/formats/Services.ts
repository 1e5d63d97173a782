import type { Json } from "../../domain/Json.ts"
import { decoded, flag, names, parseBracketedList, parts, stateOf, text } from "../Fields.ts"
import { asList, listFormat, listIn } from "../Format.ts"
import { highlightsInMarkdown } from "../Highlights.ts"
import { pageText } from "../PageText.ts"
import { hasAll, tableFormat } from "../Tables.ts"

/** Delicious's JSON export; its description of a page is written by the owner, so it becomes the note. */
export const delicious = listFormat({
  name: "delicious",
  label: "Delicious export (JSON)",
  guides: [
    {
      from: "Delicious (shut down)",
      file: "JSON",
      how: "an export made in time",
      keeps: "tags, description as the note, date"
    }
  ],
  items: asList,
  own: (item) =>
    "url" in item &&
    "created" in item &&
    Array.isArray(item["tags"]) &&
    ("private" in item || "others" in item) &&
    !("shorturl" in item),
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    note: decoded(item["description"]),
    tags: names(item["tags"]),
    createdAt: time(item["created"])
  })
})

/** Instapaper's built-in folders, which record a page's state. */
const states = new Set(["unread", "archive", "starred"])

/** Instapaper's table: `URL,Title,Selection,Folder`, in later exports also `Timestamp,Tags` (tags as a JSON list). */
export const instapaper = tableFormat({
  name: "instapaper",
  label: "Instapaper export (CSV)",
  guides: [
    {
      from: "Instapaper",
      file: "CSV",
      how: "*Settings*, *Export*",
      keeps: "folder, tags, selection as the note, date, *Starred* as favorite, *Unread* and *Archive*"
    }
  ],
  own: (columns) => hasAll(columns, "url", "title", "selection", "folder"),
  read: (cell, time) => {
    const folder = cell("folder")
    const state = folder.toLowerCase()
    const tags = cell("tags")
    return {
      url: cell("url"),
      title: decoded(cell("title")),
      note: cell("selection"),
      tags: parseBracketedList(tags) ?? parts(tags, ","),
      folders: folder === "" || states.has(state) ? [] : [folder],
      createdAt: time(cell("timestamp")),
      favorite: state === "starred",
      state: stateOf({ archived: state === "archive", unread: state === "unread" })
    }
  }
})

/** A response of linkding's REST API: a list of bookmarks, or a page with the bookmarks as `results`. */
export const linkding = listFormat({
  name: "linkding",
  label: "list of linkding's API (JSON)",
  guides: [
    {
      from: "linkding",
      file: "the API's list (JSON)",
      how: "`GET /api/bookmarks/`",
      keeps: "tags, description, notes, date, unread, archived"
    }
  ],
  items: (json) => listIn(json, "results") ?? asList(json),
  own: (item) => "url" in item && Array.isArray(item["tag_names"]),
  read: (item, time) => ({
    url: text(item["url"]),
    title: text(item["title"]) || text(item["website_title"]),
    note: text(item["notes"]),
    description: text(item["description"]) || text(item["website_description"]),
    tags: names(item["tag_names"]),
    createdAt: time(item["date_added"]),
    state: stateOf({ archived: flag(item["is_archived"]), unread: flag(item["unread"]) })
  })
})

/** Returns the state of an Omnivore page: `readingProgress` is a percentage. */
const omnivoreState = (item: Json) =>
  stateOf({
    archived: text(item["state"]).toLowerCase() === "archived",
    unread: "state" in item && Number(text(item["readingProgress"])) < 100
  })

/** Omnivore's export, until it was shut down: a zip's `metadata_*.json`, each a list of pages. */
export const omnivore = listFormat({
  name: "omnivore",
  label: "Omnivore export (JSON)",
  guides: [
    {
      from: "Omnivore (shut down)",
      file: "the zip, or `metadata_….json` in it",
      how: "import the zip as it is",
      keeps:
        "labels as tags, highlights, description, date, archived, unread until read to the end, the page's text"
    }
  ],
  items: asList,
  own: (item) => "url" in item && "savedAt" in item && ("slug" in item || Array.isArray(item["labels"])),
  read: (item, time, { companion }) => {
    const slug = text(item["slug"])
    return {
      url: text(item["url"]),
      title: decoded(item["title"]),
      highlights: slug === "" ? [] : highlightsInMarkdown(companion(`highlights/${slug}.md`) ?? ""),
      description: decoded(item["description"]),
      tags: names(item["labels"]),
      createdAt: time(item["savedAt"]),
      state: omnivoreState(item),
      text: slug === "" ? "" : pageText(companion(`content/${slug}.html`) ?? "")
    }
  }
})

/** Pinboard's JSON export, with field names from Delicious: `description` is the title and `extended` the note. */
export const pinboard = listFormat({
  name: "pinboard",
  label: "Pinboard export (JSON)",
  guides: [
    {
      from: "Pinboard",
      file: "JSON",
      how: "*Settings*, *Backup*",
      keeps: "tags, description as the note, date, to read as unread"
    }
  ],
  items: asList,
  own: (item) => "href" in item && "time" in item && ("extended" in item || "toread" in item),
  read: (item, time) => ({
    url: text(item["href"]),
    title: decoded(item["description"]),
    note: text(item["extended"]),
    tags: text(item["tags"])
      .split(/\s+/)
      .filter((tag) => tag !== ""),
    createdAt: time(item["time"]),
    state: flag(item["toread"]) ? "unread" : "read"
  })
})

/** The export of Readability, the reading list, until it was shut down. */
export const readability = listFormat({
  name: "readability",
  label: "Readability export (JSON)",
  guides: [
    {
      from: "Readability (shut down)",
      file: "JSON",
      how: "an export made in time",
      keeps: "excerpt, date, favorite, archived or unread"
    }
  ],
  items: (json) => listIn(json, "bookmarks"),
  own: (item) => "article__url" in item,
  read: (item, time) => ({
    url: text(item["article__url"]),
    title: decoded(item["article__title"]),
    description: decoded(item["article__excerpt"]),
    createdAt: time(item["date_added"]),
    favorite: flag(item["favorite"]),
    state: stateOf({ archived: flag(item["archive"]), unread: "archive" in item })
  })
})
