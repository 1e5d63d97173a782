import { isObject, type Json } from "../../domain/Json.ts"
import { list, names, postTitle, text } from "../Fields.ts"
import { at, entities, html, type Item, listed, listFormat, plain, tableFormat } from "../Rows.ts"

/** Wherever the query of the GraphQL API has them. */
const edgesIn = (json: unknown): unknown => {
  const [owner] = [at(json, "data.viewer"), at(json, "data.user")].filter(isObject)
  return at(owner, "starredRepositories.edges") ?? at(owner, "starredRepositories.nodes")
}

const repositoryOf = (star: Json): Json =>
  [star["repo"], star["node"], star["repository"]].find(isObject) ?? star

/**
 * Stars as GitHub's API lists them
 * (https://docs.github.com/rest/activity/starring#list-repositories-starred-by-the-authenticated-user), with or without
 * times, or as its GraphQL API does. The lists of several pages may lie in one list.
 */
export const gitHubStars = listFormat({
  name: "github-stars",
  label: "GitHub stars (JSON)",
  guide:
    "GitHub stars | the API's list (JSON) | `gh api --paginate --slurp user/starred -H 'Accept: application/vnd.github.star+json'` | name, description, topics as tags, date",
  items: (json) => {
    const stars = Array.isArray(json) ? json.flat() : edgesIn(json)
    return Array.isArray(stars)
      ? stars.map((star: unknown) => (isObject(star) ? { ...star, ...repositoryOf(star) } : star))
      : undefined
  },
  marks: ["full_name html_url", "nameWithOwner url"],
  fields: {
    url: "html_url url",
    title: plain("full_name nameWithOwner"),
    description: "description",
    tags: (item) => [
      ...listed("topics")(item),
      ...list(item("repositoryTopics.nodes")).flatMap((node) => names([at(node, "topic")]))
    ],
    createdAt: "starred_at starredAt"
  }
})

const HACKER_NEWS = "https://news.ycombinator.com"

const discussion = /^(?:https?:\/\/news\.ycombinator\.com\/)?item\?id=(\d+)/i

/** Names that exporters give to the address of a discussion, and to the number of an item. */
const addressNames = "comments_url commentsUrl comments_link hn_url hnUrl hn_link item_url link url".split(
  " "
)
const numberNames = ["id", "objectID", "hn_id", "item_id"]

const discussionOf = (item: Item): string => {
  const id =
    addressNames.map((name) => discussion.exec(text(item(name)))?.[1]).find((one) => one !== undefined) ??
    numberNames.map((name) => text(item(name))).find((value) => /^\d+$/.test(value))
  return id === undefined ? "" : `${HACKER_NEWS}/item?id=${id}`
}

const storyTypes = new Set(["story", "job", "poll", "comment", "pollopt"])

const storyPage = (item: Item) =>
  [text(item("url")), text(item("story_url"))].find((url) => /^https?:/i.test(url)) ?? ""

/** Of https://github.com/HackerNews/API, https://hn.algolia.com/api or an exporter; the time is the story's. */
export const hackerNews = listFormat({
  name: "hacker-news",
  label: "Hacker News stories (JSON)",
  guide:
    "Hacker News | JSON of its API, or of an exporter of upvoted or favorite stories | the exporter | the story's page with the discussion's address as the note, date",
  items: ["links", "hits", "stories", "items", "favorites", "upvoted", "submissions", ""],
  marks: (item) =>
    (storyTypes.has(text(item["type"])) && "by" in item) ||
    ("objectID" in item && ("story_id" in item || "num_comments" in item || "created_at_i" in item)) ||
    addressNames.some((name) => discussion.test(text(item[name]))),
  fields: {
    url: (item) => storyPage(item) || discussionOf(item),
    title: "title story_title",
    note: (item) => {
      const [comments, page] = [discussionOf(item), storyPage(item)]
      return page === "" || page === comments ? "" : comments
    },
    description: html("text story_text comment_text"),
    createdAt: "time created_at_i created_at"
  }
})

const absolute = (address: string) => (address.startsWith("/") ? `https://www.reddit.com${address}` : address)

/** The posts and comments of a response of Reddit's API: a listing, several pages of one, or the entries alone. */
const thingsIn = (json: unknown): ReadonlyArray<unknown> | undefined => {
  const pages: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
  const things = pages.flatMap((page) => {
    const children = at(page, "data.children")
    return Array.isArray(children) ? children : [page]
  })
  return things.length === 1 && things[0] === json
    ? undefined
    : things.map((thing) => (isObject(thing) && isObject(thing["data"]) ? thing["data"] : thing))
}

/** Empty for a post of text, of pictures or for a comment. */
const redditPage = (item: Item): string => {
  const url = absolute(plain("url_overridden_by_dest url")(item))
  const isOwn = item("is_self") === true || url === absolute(text(item("permalink")))
  return isOwn || !/^https?:/i.test(url) ? "" : url
}

const redditPost = (item: Item) => absolute(plain("permalink link_permalink")(item))

/**
 * The bookmark is the page that a post links (https://www.reddit.com/dev/api#GET_user_{username}_saved), else the post.
 */
export const reddit = listFormat({
  name: "reddit",
  label: "list of Reddit's API (JSON)",
  guide:
    "Reddit | the API's list (JSON) | `/user/NAME/saved.json` | the linked page with the discussion's address as the note, subreddit and flair as tags, date",
  items: thingsIn,
  marks: "permalink subreddit|subreddit_name_prefixed",
  fields: {
    url: (item) => redditPage(item) || redditPost(item),
    title: (item) => entities("title link_title")(item) || postTitle("", entities("selftext body")(item)),
    note: (item) => (redditPage(item) === "" ? "" : redditPost(item)),
    description: entities("selftext body"),
    tags: (item) => [text(item("subreddit")), text(item("link_flair_text"))].filter((tag) => tag !== ""),
    createdAt: "created_utc created"
  }
})

/** The tables `saved_posts.csv` and `saved_comments.csv` of a data request, which hold nothing but addresses. */
export const redditCsv = tableFormat({
  name: "reddit-csv",
  label: "Reddit saved posts (CSV)",
  guide: "Reddit | `saved_posts.csv` and `saved_comments.csv` | *Request a copy of your data* | addresses",
  marks: "id permalink !url",
  fields: {
    url: (item) => absolute(text(item("permalink"))),
    title: "title linktitle",
    description: entities("body"),
    tags: (item) => [text(item("subreddit"))].filter((tag) => tag !== ""),
    createdAt: "date"
  }
})
