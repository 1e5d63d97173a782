import { Effect, Either } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { joinNotes } from "../../domain/Note.ts"
import { decoded, flag, list, names, parts, stateOf, text } from "../Fields.ts"
import {
  asList,
  type Format,
  listFormat,
  listIn,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"
import { pageText } from "../PageText.ts"
import { childText, elements, readXml, xmlRoot } from "../Xml.ts"

/** Returns the address of the first of an article's links, which Google Reader's format lists by kind. */
const hrefIn = (links: unknown): string =>
  text(
    list(links)
      .filter(isObject)
      .find(({ href }) => text(href) !== "")?.["href"]
  )

/** Returns the names at the end of `user/…/label/NAME`; categories of other shapes are words of the feed's author. */
const labelsIn = (categories: ReadonlyArray<string>) =>
  categories.flatMap((category) => /^user\/[^/]*\/label\/(.+)$/.exec(category)?.[1] ?? [])

const hasState = (categories: ReadonlyArray<string>, state: string) =>
  categories.some(
    (category) => category.startsWith("user/") && category.endsWith(`/state/com.google/${state}`)
  )

/** Returns the text of an article's content, or of its summary. */
const contentOf = (item: Json): string => {
  const [content] = [item["content"], item["summary"]].filter(isObject)
  return pageText(text(content?.["content"]))
}

/** Joins the notes that a reader or those it shared the article with have written. */
const notesOf = (item: Json): string =>
  [...list(item["annotations"]), ...list(item["comments"])]
    .filter(isObject)
    .map((note) => decoded(note["content"]) || decoded(note["commentContent"]))
    .reduce(joinNotes, "")

/**
 * Lists of articles in Google Reader's form, which Inoreader, FreshRSS, The Old Reader and Feedly keep: `starred.json`
 * in an archive of theirs, or an answer of their API. FreshRSS writes it in `app/views/helpers/export/articles.phtml`
 * (https://github.com/FreshRSS/FreshRSS).
 */
export const googleReader = listFormat({
  name: "google-reader",
  label: "starred articles of a feed reader (JSON)",
  guides: [
    {
      from: "Inoreader, FreshRSS, The Old Reader, Feedly, Google Reader (shut down)",
      file: "`starred.json`",
      how: "the export of starred or saved articles",
      keeps: "labels as tags, annotations as the note, date, starred as favorite, unread, the article's text"
    }
  ],
  items: (json) => listIn(json, "items"),
  own: (item) =>
    (Array.isArray(item["alternate"]) || Array.isArray(item["canonical"])) &&
    ("origin" in item || "categories" in item || "published" in item || "crawlTimeMsec" in item),
  read: (item, time) => {
    const categories = list(item["categories"]).map(text)
    return {
      url: hrefIn(item["canonical"]) || text(item["canonicalUrl"]) || hrefIn(item["alternate"]),
      title: decoded(item["title"]),
      note: notesOf(item),
      tags: [...labelsIn(categories), ...names(list(item["tags"]))].filter(
        (tag) => !tag.startsWith("global.") && !tag.startsWith("user/")
      ),
      createdAt: time(
        item["starred"],
        item["actionTimestamp"],
        item["crawlTimeMsec"],
        item["timestampUsec"],
        item["crawled"],
        item["published"]
      ),
      favorite: hasState(categories, "starred"),
      state: hasState(categories, "unread") || item["unread"] === true ? "unread" : "read",
      text: contentOf(item)
    }
  }
})

/**
 * Feedbin's export of starred articles (https://github.com/feedbin/feedbin, `app/jobs/starred_entries_export.rb`), or a
 * list of its API. The time is when Feedbin found the article.
 */
export const feedbin = listFormat({
  name: "feedbin",
  label: "Feedbin starred articles (JSON)",
  guides: [
    {
      from: "Feedbin",
      file: "`starred.json`",
      how: "*Settings*, *Import & Export*",
      keeps: "date, starred as favorite, the article's text"
    }
  ],
  items: asList,
  own: (item) =>
    "url" in item && "content" in item && "author" in item && "published" in item && "created_at" in item,
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    description: pageText(text(item["summary"])),
    createdAt: time(item["created_at"], item["published"]),
    favorite: true,
    text: pageText(text(item["content"]))
  })
})

/** A list of entries of Miniflux's API (https://miniflux.app/docs/api.html#endpoint-get-entries). */
export const miniflux = listFormat({
  name: "miniflux",
  label: "list of Miniflux's API (JSON)",
  guides: [
    {
      from: "Miniflux",
      file: "the API's list (JSON)",
      how: "`GET /v1/entries?starred=true`",
      keeps: "tags, feed's category as folder, date, starred as favorite, unread, the article's text"
    }
  ],
  items: (json) => listIn(json, "entries"),
  own: (item) => "url" in item && "feed_id" in item && "status" in item,
  read: (item, time) => {
    const feed = isObject(item["feed"]) ? item["feed"] : {}
    const category = isObject(feed["category"]) ? text(feed["category"]["title"]) : ""
    return {
      url: text(item["url"]),
      title: decoded(item["title"]),
      tags: names(item["tags"]),
      folders: category === "" ? [] : [category],
      createdAt: time(item["created_at"], item["published_at"]),
      favorite: flag(item["starred"]),
      state: text(item["status"]) === "unread" ? "unread" : "read",
      text: pageText(text(item["content"]))
    }
  }
})

/** A list of saved stories of NewsBlur's API (https://www.newsblur.com/api#/reader/starred_stories). */
export const newsblur = listFormat({
  name: "newsblur",
  label: "NewsBlur saved stories (JSON)",
  guides: [
    {
      from: "NewsBlur",
      file: "saved stories (JSON)",
      how: "`GET /reader/starred_stories`",
      keeps: "tags, notes, date, saved as favorite, the story's text"
    }
  ],
  items: (json) => listIn(json, "stories"),
  own: (item) => "story_permalink" in item,
  read: (item, time) => ({
    url: text(item["story_permalink"]),
    title: decoded(item["story_title"]),
    note: text(item["user_notes"]),
    tags: names(item["user_tags"]),
    createdAt: time(item["starred_date"], item["starred_timestamp"], item["story_timestamp"]),
    favorite: true,
    text: pageText(text(item["story_content"]))
  })
})

const LABEL = "Tiny Tiny RSS articles (XML)"

const isArticles: Format["recognizes"] = ({ json, text }) =>
  json === undefined &&
  xmlRoot(text) === "articles" &&
  /schema-version|<article\b/i.test(text.slice(0, 8_192))

/** Returns the names in a cached list of labels, `[[id, name, colour, colour], …]` in JSON. */
const cachedLabels = (cache: string): ReadonlyArray<string> => {
  const labels = Either.getOrUndefined(Either.try((): unknown => JSON.parse(cache)))
  return list(labels).map((label) => text(list(label)[1]))
}

/**
 * Tiny Tiny RSS's export of starred and archived articles, written by its plugin `import_export`
 * (https://gitlab.tt-rss.org/tt-rss/plugins/ttrss-data-migration).
 */
export const tinyTinyRss: Format = {
  name: "tt-rss",
  label: LABEL,
  guides: [
    {
      from: "Tiny Tiny RSS",
      file: "XML",
      how: "*Preferences*, *Feeds*, *Import and export*",
      keeps: "tags, labels as tags, notes, date, starred as favorite, the article's text"
    }
  ],
  counts: "line",
  recognizes: isArticles,
  read: Effect.fn("tinyTinyRss.read")(function* (file) {
    if (!isArticles(file)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    const articles = [...elements(readXml(file.text), "article")]
    return sortReadings(
      articles.map((article) => {
        const said = (name: string) => childText(article, name)
        return {
          place: article.line,
          said: {
            url: said("link"),
            title: decoded(said("title")),
            note: said("note"),
            tags: [...parts(said("tag_cache"), ","), ...cachedLabels(said("label_cache"))],
            createdAt: time(said("date_entered"), said("updated")),
            favorite: flag(said("marked")),
            state: stateOf({ archived: false, unread: flag(said("unread")) }),
            text: pageText(said("content"))
          }
        }
      })
    )
  })
}
