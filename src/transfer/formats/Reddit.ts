import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, postTitle, text } from "../Fields.ts"
import { listFormat } from "../Format.ts"
import { hasAll, tableFormat } from "../Tables.ts"

const SITE = "https://www.reddit.com"

/** Completes an address that Reddit writes without its host. */
const absolute = (address: string) => (address.startsWith("/") ? `${SITE}${address}` : address)

/** Returns the things in an answer of the API: a listing, several pages of it, or the things alone. */
const thingsIn = (json: unknown): ReadonlyArray<unknown> | undefined => {
  const pages = Array.isArray(json) ? json : [json]
  const things = pages.flatMap((page) =>
    isObject(page) && isObject(page["data"]) && Array.isArray(page["data"]["children"])
      ? page["data"]["children"]
      : [page]
  )
  return things.length === 1 && things[0] === json ? undefined : things
}

const dataOf = (thing: Json): Json => (isObject(thing["data"]) ? thing["data"] : thing)

/** Returns a label of the subreddit and of the post's own label in it. */
const tagsOf = (data: Json) =>
  [text(data["subreddit"]), text(data["link_flair_text"])].filter((tag) => tag !== "")

/** Returns the address of the page that a post links; empty for a post of text, of pictures or for a comment. */
const pageOf = (data: Json): string => {
  const url = absolute(text(data["url_overridden_by_dest"]) || text(data["url"]))
  const isOwn = data["is_self"] === true || url === absolute(text(data["permalink"]))
  return isOwn || !/^https?:/i.test(url) ? "" : url
}

/**
 * Saved posts and comments as Reddit's API lists them (https://www.reddit.com/dev/api#GET_user_{username}_saved). The
 * bookmark is the page that a post links, with the discussion in the note, and the post itself if it links none.
 */
export const reddit = listFormat({
  name: "reddit",
  label: "list of Reddit's API (JSON)",
  guides: [
    {
      from: "Reddit",
      file: "the API's list (JSON)",
      how: "`/user/NAME/saved.json`",
      keeps: "the linked page with the discussion's address as the note, subreddit and flair as tags, date"
    }
  ],
  items: thingsIn,
  own: (item) => {
    const data = dataOf(item)
    return "permalink" in data && ("subreddit" in data || "subreddit_name_prefixed" in data)
  },
  read: (item, time) => {
    const data = dataOf(item)
    const post = absolute(text(data["permalink"]) || text(data["link_permalink"]))
    const page = pageOf(data)
    const words = decoded(data["selftext"]) || decoded(data["body"])
    return {
      url: page || post,
      title: decoded(data["title"]) || decoded(data["link_title"]) || postTitle("", words),
      note: page === "" ? "" : post,
      description: words,
      tags: tagsOf(data),
      createdAt: time(data["created_utc"], data["created"])
    }
  }
})

/** The tables `saved_posts.csv` and `saved_comments.csv` of a data request, which hold nothing but addresses. */
export const redditCsv = tableFormat({
  name: "reddit-csv",
  label: "Reddit saved posts (CSV)",
  guides: [
    {
      from: "Reddit",
      file: "`saved_posts.csv` and `saved_comments.csv`",
      how: "*Request a copy of your data*",
      keeps: "addresses"
    }
  ],
  own: (columns) => hasAll(columns, "id", "permalink") && !columns.has("url"),
  read: (cell, time) => ({
    url: absolute(cell("permalink")),
    title: decoded(cell("title")) || decoded(cell("linktitle")),
    description: decoded(cell("body")),
    tags: [cell("subreddit")].filter((tag) => tag !== ""),
    createdAt: time(cell("date"))
  })
})
