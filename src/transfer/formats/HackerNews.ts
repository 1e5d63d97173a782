import { isObject, type Json } from "../../domain/Json.ts"
import { decoded, text } from "../Fields.ts"
import { asList, listFormat } from "../Format.ts"
import { pageText } from "../PageText.ts"

const SITE = "https://news.ycombinator.com"

/** Matches the address of a discussion, with or without its host. */
const discussion = /^(?:https?:\/\/news\.ycombinator\.com\/)?item\?id=(\d+)/i

/** Names that exporters give to the address of a discussion, and to the number of an item. */
const addressNames = [
  "comments_url",
  "commentsUrl",
  "comments_link",
  "hn_url",
  "hnUrl",
  "hn_link",
  "item_url",
  "link"
]
const numberNames = ["id", "objectID", "hn_id", "item_id"]

/** Returns the address of an item's discussion; empty if the item names none. */
const discussionOf = (item: Json): string => {
  for (const name of [...addressNames, "url"]) {
    const [, id] = discussion.exec(text(item[name])) ?? []
    if (id !== undefined) return `${SITE}/item?id=${id}`
  }
  const id = numberNames.map((name) => text(item[name])).find((value) => /^\d+$/.test(value))
  return id === undefined ? "" : `${SITE}/item?id=${id}`
}

const types = new Set(["story", "job", "poll", "comment", "pollopt"])

const isOwn = (item: Json) =>
  (types.has(text(item["type"])) && "by" in item) ||
  ("objectID" in item && ("story_id" in item || "num_comments" in item || "created_at_i" in item)) ||
  [...addressNames, "url"].some((name) => discussion.test(text(item[name])))

const listsIn = ["links", "hits", "stories", "items", "favorites", "upvoted", "submissions"]

/** Returns the list that is the whole file, or the first one in it. */
const itemsIn = (json: unknown): ReadonlyArray<unknown> | undefined => {
  if (!isObject(json)) return asList(json)
  return listsIn.map((name) => asList(json[name])).find((list) => list !== undefined)
}

const webAddress = (value: unknown) => (/^https?:/i.test(text(value)) ? text(value) : "")

/**
 * Upvoted and favorite stories of Hacker News, as common exporters write them: items of its API
 * (https://github.com/HackerNews/API), results of its search (https://hn.algolia.com/api), or lists such as that of
 * https://github.com/amjd/HN-Saved-Links-Export. The time is when the story was posted.
 */
export const hackerNews = listFormat({
  name: "hacker-news",
  label: "Hacker News stories (JSON)",
  guides: [
    {
      from: "Hacker News",
      file: "JSON of its API, or of an exporter of upvoted or favorite stories",
      how: "the exporter",
      keeps: "the story's page with the discussion's address as the note, date"
    }
  ],
  items: itemsIn,
  own: isOwn,
  read: (item, time) => {
    const comments = discussionOf(item)
    const page = webAddress(item["url"]) || webAddress(item["story_url"])
    return {
      url: page || comments,
      title: decoded(item["title"]) || decoded(item["story_title"]),
      note: page === "" || page === comments ? "" : comments,
      description: pageText(text(item["text"]) || text(item["story_text"]) || text(item["comment_text"])),
      createdAt: time(item["time"], item["created_at_i"], item["created_at"])
    }
  }
})
