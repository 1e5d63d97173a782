import { Either } from "effect"
import { isObject } from "../../domain/Json.ts"
import { list, postTitle, type ReadTime, text } from "../Fields.ts"
import type { Format, Reading, SourceFile } from "../Format.ts"
import { at, entities, type Item, itemOf, listFormat, plain, tableFormat } from "../Rows.ts"

const linksOf = (post: Item) =>
  list(post("entities.urls"))
    .filter(isObject)
    .map((link) => ({
      short: text(link["url"]),
      url: text(link["unwound_url"]) || text(link["expanded_url"])
    }))
    .filter(({ url }) => /^https?:/i.test(url))

const wordsOf = (post: Item): string =>
  linksOf(post).reduce(
    (all, { short, url }) => (short === "" ? all : all.replaceAll(short, url)),
    entities("note_tweet.text full_text fullText text")(post)
  )

const authorOf = (post: Item): string =>
  plain(
    "screen_name username user.screen_name author.screen_name user.username author.username user.userName author.userName"
  )(post)

const urlOf = (post: Item): string => {
  const id = plain("tweetId id_str id")(post)
  const url = plain("expandedUrl url tweet_url")(post)
  return url === "" && /^\d+$/.test(id) ? `https://x.com/${authorOf(post) || "i/web"}/status/${id}` : url
}

const titleOf = (post: Item): string => {
  const author = authorOf(post)
  return postTitle(author === "" ? "" : `@${author}`, wordsOf(post))
}

const timeOf = (post: Item, time: ReadTime) => time(post("created_at"), post("createdAt"))

const assignment = /^\s*window\.YTD\.(\w+)\.part\d+\s*=\s*/

/** The kinds of an archive's files that hold addresses; the others are about the account. */
const kinds = new Set(["like", "bookmark", "bookmarks", "tweet", "tweets", "community_tweet", "note_tweet"])

const isArchiveFile = ({ text }: SourceFile) => kinds.has(assignment.exec(text.slice(0, 200))?.[1] ?? "")

/** A liked or kept post itself, and the links in a post by the account's owner. */
const readingsOf = (item: unknown, place: number, time: ReadTime): ReadonlyArray<Reading> => {
  if (!isObject(item)) return [{ place, said: "It is a bare value, not an entry." }]
  const kept = [item["like"], item["bookmark"]].find(isObject)
  if (kept !== undefined) {
    const post = itemOf(kept)
    const said = { url: urlOf(post), title: titleOf(post), description: wordsOf(post) }
    return [{ place, said: { ...said, createdAt: timeOf(post, time) } }]
  }
  const post = itemOf([item["tweet"], item["noteTweet"]].find(isObject) ?? item)
  const tags = list(post("entities.hashtags"))
    .filter(isObject)
    .map((tag) => text(tag["text"]))
  const own = { note: wordsOf(post), tags, createdAt: timeOf(post, time) }
  return linksOf(post).map(({ url }) => ({ place, said: { ...own, url } }))
}

/** `like.js`, bookmarks and `tweets.js`, each a list in `window.YTD.NAME.partN`. Likes have no date. */
export const twitterArchive: Format = {
  name: "x-archive",
  label: "X (Twitter) archive (JavaScript)",
  guides: [
    "X (Twitter) | `like.js` and `tweets.js` in the archive | *Settings*, *Your account*, *Download an archive of your data* | liked posts with their words as description; links in your posts with the post as the note, hashtags, date"
  ],
  counts: "item",
  recognizes: isArchiveFile,
  read: (file, time) => {
    if (!isArchiveFile(file)) return undefined
    const source = file.text.replace(assignment, "").replace(/;\s*$/, "")
    const items = Either.getOrUndefined(Either.try((): unknown => JSON.parse(source)))
    return Array.isArray(items)
      ? items.flatMap((item, index) => readingsOf(item, index + 1, time))
      : undefined
  }
}

/** An answer of the API names the authors apart. */
const postsIn = (json: unknown): unknown => {
  const posts = isObject(json) ? json["data"] : json
  const users = list(at(json, "includes.users")).filter(isObject)
  if (!Array.isArray(posts) || users.length === 0) return posts
  const names = new Map(users.map((user) => [text(user["id"]), text(user["username"])]))
  return posts.map((post: unknown) =>
    isObject(post) ? { ...post, username: names.get(text(post["author_id"])) ?? "" } : post
  )
}

const postsGuide = (file: string) =>
  `X (Twitter) bookmarks | ${file} such as twitter-web-exporter | the extension's export | the post's words as description, date`

/** X's API (https://docs.x.com/x-api/users/get-bookmarks) or https://github.com/prinsss/twitter-web-exporter. */
export const twitterPosts = listFormat({
  name: "x-posts",
  label: "list of X (Twitter) posts (JSON)",
  guide: postsGuide("JSON of the API or of an extension"),
  items: postsIn,
  marks: ["full_text id|id_str|screen_name", "text id author_id|edit_history_tweet_ids"],
  fields: { url: urlOf, title: titleOf, description: wordsOf, createdAt: timeOf }
})

export const twitterCsv = tableFormat({
  name: "x-csv",
  label: "list of X (Twitter) posts (CSV)",
  guide: postsGuide("CSV of an extension"),
  marks: "url screenname fulltext|content",
  fields: {
    url: "url",
    title: (item) =>
      postTitle(`@${text(item("screenname")).replace(/^@/, "")}`, entities("fulltext content")(item)),
    description: entities("fulltext content"),
    createdAt: "createdat date"
  }
})
