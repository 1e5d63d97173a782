import { Either } from "effect"
import { isObject } from "../../domain/Json.ts"
import { joinNotes } from "../../domain/Note.ts"
import { elements } from "../../domain/Xml.ts"
import { decoded, list, parts, text } from "../Fields.ts"
import { at, html, type Item, listed, listFormat, xmlFormat } from "../Rows.ts"

const hrefIn = (links: unknown): string =>
  list(links)
    .map((link) => text(at(link, "href")))
    .find((href) => href !== "") ?? ""

const categoriesOf = (item: Item) => list(item("categories")).map(text)

/** Returns the names at the end of `user/…/label/NAME`; categories of other shapes are words of the feed's author. */
const labelsIn = (categories: ReadonlyArray<string>) =>
  categories.flatMap((category) => /^user\/[^/]*\/label\/(.+)$/.exec(category)?.[1] ?? [])

const hasState = (item: Item, state: string) =>
  categoriesOf(item).some(
    (category) => category.startsWith("user/") && category.endsWith(`/state/com.google/${state}`)
  )

const notesOf = (item: Item): string =>
  [...list(item("annotations")), ...list(item("comments"))]
    .filter(isObject)
    .map((note) => decoded(note["content"]) || decoded(note["commentContent"]))
    .reduce(joinNotes, "")

/**
 * Articles in Google Reader's form, which Inoreader, FreshRSS, The Old Reader and Feedly keep: `starred.json`, or an
 * answer of their API. FreshRSS writes it in `app/views/helpers/export/articles.phtml`
 * (https://github.com/FreshRSS/FreshRSS).
 */
export const googleReader = listFormat({
  name: "google-reader",
  label: "starred articles of a feed reader (JSON)",
  guide:
    "Inoreader, FreshRSS, The Old Reader, Feedly, Google Reader (shut down) | `starred.json` | the export of starred or saved articles | labels as tags, annotations as the note, date, starred as favorite, unread, the article's text",
  items: ["items"],
  marks: "alternate[]|canonical[] origin|categories|published|crawlTimeMsec",
  fields: {
    url: (item) => hrefIn(item("canonical")) || text(item("canonicalUrl")) || hrefIn(item("alternate")),
    title: "title",
    note: notesOf,
    tags: (item) =>
      [...labelsIn(categoriesOf(item)), ...listed("tags")(item)].filter(
        (tag) => !tag.startsWith("global.") && !tag.startsWith("user/")
      ),
    createdAt: "starred actionTimestamp crawlTimeMsec timestampUsec crawled published",
    favorite: (item) => hasState(item, "starred"),
    unread: (item) => hasState(item, "unread") || item("unread") === true,
    text: (item) => html(isObject(item("content")) ? "content.content" : "summary.content")(item)
  }
})

export const feedbin = listFormat({
  name: "feedbin",
  label: "Feedbin starred articles (JSON)",
  guide:
    "Feedbin | `starred.json` | *Settings*, *Import & Export* | date, starred as favorite, the article's text",
  marks: "url content author published created_at",
  fields: {
    url: "url",
    title: "title",
    description: html("summary"),
    createdAt: "created_at published",
    favorite: () => true,
    text: "content"
  }
})

/** A list of entries of Miniflux's API (https://miniflux.app/docs/api.html#endpoint-get-entries). */
export const miniflux = listFormat({
  name: "miniflux",
  label: "list of Miniflux's API (JSON)",
  guide:
    "Miniflux | the API's list (JSON) | `GET /v1/entries?starred=true` | tags, feed's category as folder, date, starred as favorite, unread, the article's text",
  items: ["entries"],
  marks: "url feed_id status",
  fields: {
    url: "url",
    title: "title",
    tags: "tags",
    folders: "feed.category.title",
    createdAt: "created_at published_at",
    favorite: "starred",
    unread: (item) => text(item("status")) === "unread",
    text: "content"
  }
})

/** A list of saved stories of NewsBlur's API (https://www.newsblur.com/api#/reader/starred_stories). */
export const newsblur = listFormat({
  name: "newsblur",
  label: "NewsBlur saved stories (JSON)",
  guide:
    "NewsBlur | saved stories (JSON) | `GET /reader/starred_stories` | tags, notes, date, saved as favorite, the story's text",
  items: ["stories"],
  marks: "story_permalink",
  fields: {
    url: "story_permalink",
    title: "story_title",
    note: "user_notes",
    tags: "user_tags",
    createdAt: "starred_date starred_timestamp story_timestamp",
    favorite: () => true,
    text: "story_content"
  }
})

/** A cached list of labels: `[[id, name, colour, colour], …]` in JSON. */
const cachedLabels = (cache: string): ReadonlyArray<string> => {
  const labels = Either.getOrUndefined(Either.try((): unknown => JSON.parse(cache)))
  return list(labels).map((label) => text(list(label)[1]))
}

/** Written by the plugin `import_export` (https://gitlab.tt-rss.org/tt-rss/plugins/ttrss-data-migration). */
export const tinyTinyRss = xmlFormat({
  name: "tt-rss",
  label: "Tiny Tiny RSS articles (XML)",
  guide:
    "Tiny Tiny RSS | XML | *Preferences*, *Feeds*, *Import and export* | tags, labels as tags, notes, date, starred as favorite, the article's text",
  root: "articles",
  marks: /schema-version|<article\b/i,
  entries: (file) => elements(file, "article"),
  fields: {
    url: "link",
    title: "title",
    note: "note",
    tags: (item) => [...parts(text(item("tag_cache")), ","), ...cachedLabels(text(item("label_cache")))],
    createdAt: "date_entered updated",
    favorite: "marked",
    unread: "unread",
    text: "content"
  }
})
