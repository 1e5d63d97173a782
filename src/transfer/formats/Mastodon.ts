import { isObject, type Json } from "../../domain/Json.ts"
import { list, postTitle, type ReadTime, text } from "../Fields.ts"
import type { Format, Reading, SourceFile } from "../Format.ts"
import { markupLinks, pageText } from "../PageText.ts"
import { at, html, listed, listFormat, plain } from "../Rows.ts"

const itemsOf = ({ json }: SourceFile): ReadonlyArray<unknown> | undefined => {
  const items = text(at(json, "type")) === "OrderedCollection" ? at(json, "orderedItems") : undefined
  return Array.isArray(items) ? items : undefined
}

/** Tags have no sign; a mention is not a tag. */
const hashtags = (post: Json) =>
  list(post["tag"])
    .filter(isObject)
    .filter((tag) => text(tag["type"]) === "Hashtag")
    .map((tag) => text(tag["name"]).replace(/^#/, ""))

const notLinks = (post: Json): ReadonlySet<string> =>
  new Set(
    list(post["tag"])
      .filter(isObject)
      .map((tag) => text(tag["href"]))
  )

/** Whether a link of a post leads to a person or a hashtag: Mastodon writes their names with a sign. */
const isMention = ({ label }: { readonly label: string }) => /^[@#]/.test(label)

/** A kept or boosted post by its address, and the links in a post by the owner. */
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

/** `app/services/backup_service.rb` of https://github.com/mastodon/mastodon; `outbox.json` has posts and boosts. */
export const mastodonArchive: Format = {
  name: "mastodon",
  label: "Mastodon archive (JSON)",
  guides: [
    "Mastodon | `bookmarks.json`, `likes.json` and `outbox.json` in the archive, or `bookmarks.csv` | *Preferences*, *Import and export* | addresses; of your own posts their links, with the post as the note, hashtags, date"
  ],
  counts: "item",
  recognizes: (file) => itemsOf(file) !== undefined,
  read: (file, time) => itemsOf(file)?.flatMap((item, index) => readingsOf(item, index + 1, time))
}

/** A list of posts of Mastodon's API (https://docs.joinmastodon.org/methods/bookmarks/). */
export const mastodonPosts = listFormat({
  name: "mastodon-posts",
  label: "list of Mastodon's API (JSON)",
  guide:
    "Mastodon | the API's list (JSON) | `GET /api/v1/bookmarks` | the post's words as description, hashtags, date, favorite",
  marks: "account{} content url visibility",
  fields: {
    url: "url uri",
    title: (item) => postTitle(plain("account.display_name account.acct")(item), html("content")(item)),
    description: html("content"),
    tags: listed("tags"),
    createdAt: "created_at",
    favorite: "favourited"
  }
})
