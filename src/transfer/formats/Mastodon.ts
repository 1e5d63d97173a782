import { Effect } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { flag, list, names, postTitle, type ReadTime, text } from "../Fields.ts"
import {
  asList,
  type Format,
  listFormat,
  type Reading,
  type SourceFile,
  sortReadings,
  timeParser,
  wrongFormatError
} from "../Format.ts"
import { markupLinks, pageText } from "../PageText.ts"

const LABEL = "Mastodon archive (JSON)"

/** Returns the items of an ActivityStreams collection. */
const itemsOf = ({ json }: SourceFile): ReadonlyArray<unknown> | undefined =>
  isObject(json) && text(json["type"]) === "OrderedCollection" ? asList(json["orderedItems"]) : undefined

/** Returns the hashtags of a post, without the sign; a mention is not a tag. */
const hashtags = (post: Json) =>
  list(post["tag"])
    .filter(isObject)
    .filter((tag) => text(tag["type"]) === "Hashtag")
    .map((tag) => text(tag["name"]).replace(/^#/, ""))

/** Returns the addresses of people and hashtags, which a post's HTML links as well. */
const notLinks = (post: Json): ReadonlySet<string> =>
  new Set(
    list(post["tag"])
      .filter(isObject)
      .map((tag) => text(tag["href"]))
  )

/** Whether a link of a post leads to a person or a hashtag: Mastodon writes their names with a sign. */
const isMention = ({ label }: { readonly label: string }) => /^[@#]/.test(label)

/** Returns the bookmarks of an item: a kept or boosted post by its address, and the links in a post by the owner. */
const readingsOf = (item: unknown, place: number, time: ReadTime): ReadonlyArray<Reading> => {
  if (typeof item === "string") return [{ place, said: { url: item.trim() } }]
  if (!isObject(item)) return [{ place, said: "It is neither an address nor a post." }]
  const post = isObject(item["object"]) ? item["object"] : item
  const createdAt = time(item["published"])
  if (typeof item["object"] === "string")
    return text(item["type"]) === "Announce"
      ? [{ place, said: { url: text(item["object"]), createdAt } }]
      : []
  const content = text(post["content"])
  const skipped = notLinks(post)
  const own = {
    note: pageText(content),
    tags: hashtags(post),
    createdAt: time(post["published"]) ?? createdAt
  }
  return markupLinks(content)
    .filter((link) => !isMention(link) && !skipped.has(link.url))
    .map(({ url }) => ({ place, said: { ...own, url } }))
}

/**
 * The files of a Mastodon archive, as `app/services/backup_service.rb` (https://github.com/mastodon/mastodon) writes
 * them: `bookmarks.json` and `likes.json` list addresses of posts, `outbox.json` the owner's posts and boosts.
 */
export const mastodonArchive: Format = {
  name: "mastodon",
  label: LABEL,
  guides: [
    {
      from: "Mastodon",
      file: "`bookmarks.json`, `likes.json` and `outbox.json` in the archive, or `bookmarks.csv`",
      how: "*Preferences*, *Import and export*",
      keeps: "addresses; of your own posts their links, with the post as the note, hashtags, date"
    }
  ],
  counts: "item",
  recognizes: (file) => itemsOf(file) !== undefined,
  read: Effect.fn("mastodonArchive.read")(function* (file) {
    const items = itemsOf(file)
    if (items === undefined) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    return sortReadings(items.flatMap((item, index) => readingsOf(item, index + 1, time)))
  })
}

/** A list of posts of Mastodon's API (https://docs.joinmastodon.org/methods/bookmarks/). */
export const mastodonPosts = listFormat({
  name: "mastodon-posts",
  label: "list of Mastodon's API (JSON)",
  guides: [
    {
      from: "Mastodon",
      file: "the API's list (JSON)",
      how: "`GET /api/v1/bookmarks`",
      keeps: "the post's words as description, hashtags, date, favorite"
    }
  ],
  items: asList,
  own: (item) => isObject(item["account"]) && "content" in item && "url" in item && "visibility" in item,
  read: (item, time) => {
    const words = pageText(text(item["content"]))
    const account = isObject(item["account"]) ? item["account"] : {}
    const author = text(account["display_name"]) || text(account["acct"])
    return {
      url: text(item["url"]) || text(item["uri"]),
      title: postTitle(author, words),
      description: words,
      tags: names(list(item["tags"])),
      createdAt: time(item["created_at"]),
      favorite: flag(item["favourited"])
    }
  }
})
