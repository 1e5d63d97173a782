import { Effect, Either } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, list, postTitle, type ReadTime, text } from "../Fields.ts"
import {
  asList,
  type Entry,
  type Format,
  listFormat,
  type Reading,
  type SourceFile,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"
import { hasAll, tableFormat } from "../Tables.ts"

/** Returns the links that a post's entities list, each with the address as it is in the text. */
const linksOf = (post: Json) => {
  const entities = isObject(post["entities"]) ? post["entities"] : {}
  return list(entities["urls"])
    .filter(isObject)
    .map((link) => ({
      short: text(link["url"]),
      url: text(link["unwound_url"]) || text(link["expanded_url"])
    }))
    .filter(({ url }) => /^https?:/i.test(url))
}

/** Returns a post's text with the addresses that it stands for instead of the short ones. */
const wordsOf = (post: Json): string => {
  const note = isObject(post["note_tweet"]) ? text(post["note_tweet"]["text"]) : ""
  const said = decoded(note || post["full_text"] || post["fullText"] || post["text"])
  return linksOf(post).reduce(
    (all, { short, url }) => (short === "" ? all : all.replaceAll(short, url)),
    said
  )
}

const idOf = (post: Json) => text(post["tweetId"]) || text(post["id_str"]) || text(post["id"])

const postEntry = (post: Json, time: ReadTime, author: string): Entry => {
  const id = idOf(post)
  const words = wordsOf(post)
  return {
    url:
      text(post["expandedUrl"]) ||
      text(post["url"]) ||
      text(post["tweet_url"]) ||
      (/^\d+$/.test(id) ? `https://x.com/${author === "" ? "i/web" : author}/status/${id}` : ""),
    title: postTitle(author === "" ? "" : `@${author}`, words),
    description: words,
    createdAt: time(post["created_at"], post["createdAt"])
  }
}

const LABEL = "X (Twitter) archive (JavaScript)"

const assignment = /^\s*window\.YTD\.(\w+)\.part\d+\s*=\s*/

const kindOf = ({ text }: SourceFile): string => assignment.exec(text.slice(0, 200))?.[1] ?? ""

/** The kinds of an archive's files that hold addresses; the others are about the account. */
const kinds = new Set(["like", "bookmark", "bookmarks", "tweet", "tweets", "community_tweet", "note_tweet"])

const recognizes = (file: SourceFile) => kinds.has(kindOf(file))

/** Returns the bookmarks of an item: a liked or kept post itself, and the links in a post by the account's owner. */
const readingsOf = (item: unknown, place: number, time: ReadTime): ReadonlyArray<Reading> => {
  if (!isObject(item)) return [{ place, said: "It is a bare value, not an entry." }]
  const [kept] = [item["like"], item["bookmark"]].filter(isObject)
  if (kept !== undefined) return [{ place, said: postEntry(kept, time, "") }]
  const [own = item] = [item["tweet"], item["noteTweet"]].filter(isObject)
  const words = wordsOf(own)
  const createdAt = time(own["created_at"], own["createdAt"])
  const tags = list(isObject(own["entities"]) ? own["entities"]["hashtags"] : undefined)
    .filter(isObject)
    .map((tag) => text(tag["text"]))
  return linksOf(own).map(({ url }) => ({ place, said: { url, note: words, tags, createdAt } }))
}

/**
 * A file of an X archive: `like.js` and bookmarks, whose posts are the bookmarks, or `tweets.js`, whose links are. Each
 * assigns a list to `window.YTD.NAME.partN`. Liked posts have no date.
 */
export const twitterArchive: Format = {
  name: "x-archive",
  label: LABEL,
  guides: [
    {
      from: "X (Twitter)",
      file: "`like.js` and `tweets.js` in the archive",
      how: "*Settings*, *Your account*, *Download an archive of your data*",
      keeps:
        "liked posts with their words as description; links in your posts with the post as the note, hashtags, date"
    }
  ],
  counts: "item",
  recognizes,
  read: Effect.fn("twitterArchive.read")(function* (file) {
    if (!recognizes(file)) return yield* wrongFormatError(LABEL)
    const source = file.text.replace(assignment, "").replace(/;\s*$/, "")
    const items = yield* Either.mapLeft(
      Either.try((): unknown => JSON.parse(source)),
      () => wrongFormatError(LABEL)
    )
    if (!Array.isArray(items)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    return sortReadings(items.flatMap((item, index) => readingsOf(item, index + 1, time)))
  })
}

const authorOf = (post: Json): string => {
  const [user] = [post["user"], post["author"]].filter(isObject)
  return (
    text(post["screen_name"]) ||
    text(post["username"]) ||
    text(user?.["screen_name"]) ||
    text(user?.["username"]) ||
    text(user?.["userName"])
  )
}

/** Returns the posts in a list, or in an answer of the API, which names their authors apart. */
const postsIn = (json: unknown): ReadonlyArray<unknown> | undefined => {
  const posts = isObject(json) ? asList(json["data"]) : asList(json)
  const included = isObject(json) && isObject(json["includes"]) ? list(json["includes"]["users"]) : []
  if (posts === undefined || included.length === 0) return posts
  const names = new Map(included.filter(isObject).map((user) => [text(user["id"]), text(user["username"])]))
  return posts.map((post) =>
    isObject(post) ? { ...post, username: names.get(text(post["author_id"])) ?? "" } : post
  )
}

/**
 * Posts as X's API lists bookmarks (https://docs.x.com/x-api/users/get-bookmarks), or as twitter-web-exporter
 * (https://github.com/prinsss/twitter-web-exporter) and similar extensions save them.
 */
export const twitterPosts = listFormat({
  name: "x-posts",
  label: "list of X (Twitter) posts (JSON)",
  guides: [
    {
      from: "X (Twitter) bookmarks",
      file: "JSON of the API or of an extension such as twitter-web-exporter",
      how: "the extension's export",
      keeps: "the post's words as description, date"
    }
  ],
  items: postsIn,
  own: (item) =>
    ("full_text" in item && ("id" in item || "id_str" in item || "screen_name" in item)) ||
    ("text" in item && "id" in item && ("author_id" in item || "edit_history_tweet_ids" in item)),
  read: (item, time) => postEntry(item, time, authorOf(item))
})

/** The same posts as a table of twitter-web-exporter. */
export const twitterCsv = tableFormat({
  name: "x-csv",
  label: "list of X (Twitter) posts (CSV)",
  guides: [
    {
      from: "X (Twitter) bookmarks",
      file: "CSV of an extension such as twitter-web-exporter",
      how: "the extension's export",
      keeps: "the post's words as description, date"
    }
  ],
  own: (columns) =>
    hasAll(columns, "url", "screenname") && (columns.has("fulltext") || columns.has("content")),
  read: (cell, time) => {
    const words = decoded(cell("fulltext", "content"))
    return {
      url: cell("url"),
      title: postTitle(`@${cell("screenname").replace(/^@/, "")}`, words),
      description: words,
      createdAt: time(cell("createdat", "date"))
    }
  }
})
