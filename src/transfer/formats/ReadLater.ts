import { flag, parseBracketedList, parts, text } from "../Fields.ts"
import { highlightsInMarkdown } from "../Highlights.ts"
import { pageText } from "../PageText.ts"
import { entities, type Item, listFormat, pageFormat, plain, tableFormat } from "../Rows.ts"

const isArchive = (field: string) => (item: Item) => /archive/i.test(text(item(field)))
const isUnread = (field: string) => (item: Item) => /^unread$/i.test(text(item(field)))

/** The table that Pocket exported until it was shut down: `title,url,time_added,tags,status`. */
export const pocketCsv = tableFormat({
  name: "pocket-csv",
  label: "Pocket export (CSV)",
  guide: "Pocket (shut down) | `part_….csv` | an export made in time | tags, date, unread or archived",
  marks: "title url timeadded tags status",
  fields: {
    url: "url",
    title: "title",
    tags: (item) => parts(text(item("tags")), "|"),
    createdAt: "timeadded",
    archived: isArchive("status"),
    unread: isUnread("status")
  }
})

/** Pocket's older export, `ril_export.html`: a list of unread pages and one of read pages. */
export const pocketHtml = pageFormat({
  name: "pocket-html",
  label: "Pocket export (HTML)",
  guide: "Pocket, older | `ril_export.html` | an export made in time | tags, date, unread or archived",
  recognizes: (start, text) => /<title>\s*Pocket Export/i.test(start) || /\btime_added\s*=/i.test(text),
  fields: {
    url: "href",
    title: plain("title"),
    tags: (item) => parts(text(item("tags")), ","),
    createdAt: "time_added",
    archived: isArchive("heading"),
    unread: isUnread("heading")
  }
})

/** Instapaper's built-in folders, which record a page's state. */
const states = new Set(["unread", "archive", "starred", ""])

const instapaperFolder = (field: string) => {
  const isState = (state: string) => (item: Item) => text(item(field)).toLowerCase() === state
  return {
    folders: (item: Item) => [text(item(field))].filter((name) => !states.has(name.toLowerCase())),
    favorite: isState("starred"),
    archived: isState("archive"),
    unread: isState("unread")
  }
}

/** A list in brackets, or else with commas. */
const tagsIn = (cell: string) => parseBracketedList(cell) ?? parts(cell, ",")

/** Instapaper's table: `URL,Title,Selection,Folder`, in later exports also `Timestamp,Tags` (tags as a JSON list). */
export const instapaper = tableFormat({
  name: "instapaper",
  label: "Instapaper export (CSV)",
  guide:
    "Instapaper | CSV | *Settings*, *Export* | folder, tags, selection as the note, date, *Starred* as favorite, *Unread* and *Archive*",
  marks: "url title selection folder",
  fields: {
    url: "url",
    title: "title",
    note: "selection",
    tags: (item) => tagsIn(text(item("tags"))),
    ...instapaperFolder("folder"),
    createdAt: "timestamp"
  }
})

/** Instapaper's older export: a page with a list of links below each folder's name. */
export const instapaperHtml = pageFormat({
  name: "instapaper-html",
  label: "Instapaper export (HTML)",
  guide:
    "Instapaper | HTML | *Settings*, *Export* | folder, *Starred* as favorite, *Unread* and *Archive*; CSV keeps more",
  recognizes: (start) =>
    /<title>\s*Instapaper: Export/i.test(start) && !/netscape-bookmark-file/i.test(start),
  fields: { url: "href", title: plain("title"), ...instapaperFolder("heading") }
})

/** The lists of stories in Medium's archive, `bookmarks/bookmarks-0001.html` and others, marked as microformats. */
export const medium = pageFormat({
  name: "medium",
  label: "Medium bookmarks (HTML)",
  guide: "Medium | the archive's `bookmarks/….html` | *Settings*, *Download your information* | date",
  recognizes: (_, text) =>
    /<a [^>]{0,200}class="h-cite\b/i.test(text.slice(0, 16_384)) &&
    !/class="[^"]{0,100}\be-content\b/i.test(text),
  isEntry: (item) => item("href") !== undefined,
  fields: { url: "href", title: plain("title"), createdAt: "time" }
})

/** The export of Readability, the reading list, until it was shut down. */
export const readability = listFormat({
  name: "readability",
  label: "Readability export (JSON)",
  guide:
    "Readability (shut down) | JSON | an export made in time | excerpt, date, favorite, archived or unread",
  items: ["bookmarks"],
  marks: "article__url",
  fields: {
    url: "article__url",
    title: "article__title",
    description: entities("article__excerpt"),
    createdAt: "date_added",
    favorite: "favorite",
    archived: "archive",
    unread: (item) => item("archive") !== undefined
  }
})

/** Omnivore's export, until it was shut down: a zip's `metadata_*.json`, each a list of pages. */
export const omnivore = listFormat({
  name: "omnivore",
  label: "Omnivore export (JSON)",
  guide:
    "Omnivore (shut down) | the zip, or `metadata_….json` in it | import the zip as it is | labels as tags, highlights, description, date, archived, unread until read to the end, the page's text",
  marks: "url savedAt slug|labels[]",
  fields: {
    url: "url",
    title: "title",
    highlights: (item, _, { companion }) => {
      const slug = text(item("slug"))
      return slug === "" ? [] : highlightsInMarkdown(companion(`highlights/${slug}.md`) ?? "")
    },
    description: entities("description"),
    tags: "labels",
    createdAt: "savedAt",
    archived: (item) => text(item("state")).toLowerCase() === "archived",
    /** `readingProgress` is a percentage. */
    unread: (item) => item("state") !== undefined && Number(text(item("readingProgress"))) < 100,
    text: (item, _, { companion }) => {
      const slug = text(item("slug"))
      return slug === "" ? "" : pageText(companion(`content/${slug}.html`) ?? "")
    }
  }
})

export const goodLinks = listFormat({
  name: "goodlinks",
  label: "GoodLinks export (JSON)",
  guide:
    "GoodLinks | JSON | *Settings*, *Export* | tags, summary as description, highlights, date, starred as favorite, unread",
  marks: "url addedAt starred|readAt",
  fields: {
    url: "url originalURL",
    title: "title",
    highlights: "highlights",
    description: entities("summary"),
    tags: "tags",
    createdAt: "addedAt",
    favorite: "starred",
    unread: (item, time) => time(item("readAt")) === null
  }
})

/** Matter's table, whose time is that of the last change. */
export const matter = tableFormat({
  name: "matter",
  label: "Matter export (CSV)",
  guide:
    "Matter | `_matter_history.csv` | *Settings*, *Export data* | tags, date, favorite, archived, unread",
  marks: "url title inqueue favorited read",
  fields: {
    url: "url",
    title: "title",
    tags: (item) => {
      const cell = text(item("tags"))
      return cell.includes(";") ? (parseBracketedList(cell) ?? parts(cell, ";")) : tagsIn(cell)
    },
    createdAt: "lastinteractiondate",
    favorite: "favorited",
    archived: (item) => /^(?:false|no|0)$/i.test(text(item("inqueue"))),
    unread: (item) => !flag(item("read"))
  }
})

/** The places of Readwise Reader in which pages wait to be read. */
const readwiseUnread = new Set(["new", "later", "shortlist"])

/** Readwise Reader's table. Drops tags that are not a list, because nothing shows where each one ends. */
export const readwise = tableFormat({
  name: "readwise",
  label: "Readwise Reader export (CSV)",
  guide: "Readwise Reader | CSV | its *Export* | tags, document note, date, archived or unread",
  marks: "title url documenttags saveddate",
  fields: {
    url: "url",
    title: plain("title"),
    note: "documentnote",
    tags: (item) => parseBracketedList(text(item("documenttags"))) ?? [],
    createdAt: "saveddate",
    archived: (item) => text(item("location")).toLowerCase() === "archive",
    unread: (item) => readwiseUnread.has(text(item("location")).toLowerCase())
  }
})
