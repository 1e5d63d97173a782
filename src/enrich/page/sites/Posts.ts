import { walkMarkup } from "../../../domain/Markup.ts"
import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { cleanLine, cutAtWord } from "../../../shared/Text.ts"
import { markupText } from "../Markup.ts"
import { decodedTextAt, numberAt, objectsAt, textAt, valueAt } from "../UntrustedJson.ts"
import { articleAt, type SitePage, type Stated, sitePageOf } from "./SitePage.ts"
import { jsonRule, type SiteRow } from "./SiteRule.ts"

/** In UTF-16 units. */
const OPENING = 100

const firstWords = (text: string): string => {
  const line = cleanLine(text.slice(0, OPENING * 8), OPENING * 2)
  if (line.length <= OPENING) return line
  return `${cutAtWord(line, OPENING).replace(/[\s,;:.–—-]+$/u, "")}…`
}

/** The title of a post is its author and its first words, its description is its text. Undefined if it has neither. */
export const postPage = (
  post: Omit<Stated, "title" | "description" | "type" | "author"> & { readonly author?: string | undefined }
): SitePage | undefined => {
  const text = (post.text ?? post.article?.text ?? "").trim()
  const opening = firstWords(text)
  const title = [post.author, opening].filter(Boolean).join(": ")
  if (opening !== "") return sitePageOf({ ...post, title, description: text, type: "post" })
  return post.author === undefined
    ? undefined
    : sitePageOf({ ...post, title: `A post by ${post.author}`, type: "post" })
}

const titledPost = ({ article, ...post }: Omit<Stated, "description" | "type">) =>
  sitePageOf({ ...post, article, description: article?.text, type: "post" })

/** Text and language are in a paragraph, the date is in the last link. */
const embedded = (html: string) => {
  let language: string | undefined
  let date = ""
  let isInLink = false
  walkMarkup(html, {
    open: (name, attributes) => {
      if (name === "p") language ??= attributes.get("lang")
      if (name !== "a") return
      isInLink = true
      date = ""
    },
    close: (name) => {
      if (name === "a") isInLink = false
    },
    text: (piece) => {
      if (isInLink && date.length < 100) date += piece
      return true
    }
  })
  const start = html.indexOf("<p")
  const end = html.indexOf("</p>", start)
  const text =
    start === -1 || end === -1 ? undefined : markupText(html.slice(start, end), MAX_PAGE_TEXT).trim()
  // The address of the post's own picture or video says nothing.
  return { text: text?.replace(/pic\.(?:twitter|x)\.com\/\w+$/, "").trimEnd(), language, publishedAt: date }
}

const isGone = (text: string | undefined) => text === "[deleted]" || text === "[removed]"

/** Reddit's links to other posts and users are relative. */
const reddit = new URL("https://www.reddit.com/")
const redditApi = "https://www.reddit.com/comments/{id}.json?limit=1&depth=1&raw_json=1"

/** A display name on Mastodon without its server's own emoji (`:cat:`), or the user's name. */
const nameOf = (account: unknown): string | undefined => {
  const name = textAt(account, "display_name")
  const hasEmoji = objectsAt(account, "emojis", 1).length > 0
  return (hasEmoji ? name?.replace(/:\w+:/g, "") : name)?.trim() || textAt(account, "username")
}

const sites: ReadonlyArray<SiteRow> = [
  {
    // The page shows nothing without scripts; this is its oEmbed answer
    // (https://developer.x.com/en/docs/tweets/post-and-engage/api-reference/get-statuses-oembed).
    name: "x",
    forms: [
      {
        at: /^(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com\/(?<name>\w{1,20}|i\/web)\/status(?:es)?\/(?<id>\d{1,20})(?:\/|$)/,
        api: "https://publish.twitter.com/oembed?omit_script=true&dnt=true&hide_thread=true&url=https%3A%2F%2Ftwitter.com%2F{name}%2Fstatus%2F{id}"
      }
    ],
    read: (said) => {
      const author = textAt(said, "author_name")
      const html = textAt(said, "html")
      if (author === undefined || html === undefined) return undefined
      return postPage({ author, siteName: "X", ...embedded(html) })
    }
  },
  {
    // Unlike `getPosts`, this request accepts a handle as author
    // (https://docs.bsky.app/docs/api/app-bsky-feed-get-post-thread).
    name: "bluesky",
    forms: [
      {
        at: /^bsky\.app\/profile\/(?<author>did:[a-z]+:[\w.:%-]{1,200}|[\w.-]{1,253})\/post\/(?<key>[\w.~:-]{1,512})$/,
        api: "https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?depth=0&parentHeight=0&uri=at%3A%2F%2F{author}%2Fapp.bsky.feed.post%2F{key}"
      }
    ],
    read: (said) => {
      const post = valueAt(said, "thread.post")
      const author = textAt(post, "author.displayName author.handle")
      if (author === undefined) return undefined
      return postPage({
        author,
        siteName: "Bluesky",
        text: textAt(post, "record.text"),
        publishedAt: textAt(post, "record.createdAt indexedAt"),
        language: textAt(post, "record.langs.0"),
        image: textAt(post, "embed.images.0.fullsize embed.thumbnail embed.external.thumb")
      })
    }
  },
  {
    // `raw_json` keeps it from encoding texts as HTML once more (https://www.reddit.com/dev/api/#GET_comments_{article}).
    name: "reddit",
    forms: [
      {
        at: /^(?:[^/]+\.)?reddit\.com\/(?:(?:r|user|u)\/[\w.-]{1,50}\/)?comments\/(?<id>[a-z0-9]{1,13})(?:\/|$)/i,
        api: redditApi
      },
      { at: /^redd\.it\/(?<id>[a-z0-9]{1,13})$/i, api: redditApi }
    ],
    read: (said) => {
      const post = valueAt(said, "0.data.children.0.data")
      const title = textAt(post, "title")
      if (title === undefined) return undefined
      const author = textAt(post, "author")
      return titledPost({
        title,
        author: isGone(author) ? undefined : author,
        siteName: "Reddit",
        article: isGone(textAt(post, "selftext")) ? undefined : articleAt(post, reddit, "selftext_html"),
        publishedAt: numberAt(post, "created_utc"),
        image: textAt(post, "preview.images.0.source.url"),
        facts: { score: numberAt(post, "score") }
      })
    }
  },
  {
    // Stories, polls, jobs and comments (https://github.com/HackerNews/API#items).
    name: "hacker-news",
    forms: [
      {
        at: /^news\.ycombinator\.com\/item$/,
        query: { id: /^\d{1,12}$/ },
        api: "https://hacker-news.firebaseio.com/v0/item/{id}.json"
      }
    ],
    read: (item, url) => {
      const author = textAt(item, "by")
      if (author === undefined || valueAt(item, "deleted") === true) return undefined
      const post = {
        author,
        siteName: "Hacker News",
        article: articleAt(item, url, "text"),
        publishedAt: numberAt(item, "time"),
        facts: { score: numberAt(item, "score") }
      }
      const title = decodedTextAt(item, "title")
      return title === undefined ? postPage(post) : titledPost({ ...post, title })
    }
  },
  {
    // The question, where the page's text could be an answer: the filter `withbody` adds the text
    // (https://api.stackexchange.com/docs/questions-by-ids). The API knows a site by its host name; titles and names come
    // encoded as HTML. The network's sites: https://stackexchange.com/sites.
    name: "stack-exchange",
    forms: [
      {
        at: /^(?!(?:www\.|api\.)?stackexchange\.com\/)(?:www\.)?(?<site>(?:[^/]+\.)?(?:(?:stackexchange|stackoverflow|serverfault|superuser|askubuntu|stackapps)\.com|mathoverflow\.net))\/(?:questions|q)\/(?<id>\d{1,12})(?:\/|$)/,
        api: "https://api.stackexchange.com/2.3/questions/{id}?filter=withbody&site={site}"
      }
    ],
    read: (said, url) => {
      const question = objectsAt(said, "items", 1)[0]
      const title = decodedTextAt(question, "title")
      if (title === undefined) return undefined
      return titledPost({
        title,
        author: decodedTextAt(question, "owner.display_name"),
        article: articleAt(question, url, "body"),
        publishedAt: numberAt(question, "creation_date"),
        facts: { score: numberAt(question, "score") }
      })
    }
  }
]

export const postRules = sites.map(jsonRule)

/** Every host may speak Mastodon's API (https://docs.joinmastodon.org/methods/statuses/#get). */
export const mastodon = jsonRule({
  name: "mastodon",
  forms: [
    {
      at: /^[^/]+\/(?:@[\w.-]{1,100}(?:@[\w.:-]{1,253})?|users\/[\w.-]{1,100}\/statuses)\/(?<id>\d{1,20})$/,
      api: ({ id }, { origin }) => `${origin}/api/v1/statuses/${id}`
    }
  ],
  read: (status, url) => {
    const article = articleAt(status, url, "content")
    const author = nameOf(valueAt(status, "account"))
    // Every status has an id, even one of pictures alone.
    if (author === undefined || textAt(status, "id") === undefined) return undefined
    const text = [textAt(status, "spoiler_text"), article?.text]
      .filter((part) => part !== undefined)
      .join("\n")
    return postPage({
      author,
      text,
      article,
      publishedAt: textAt(status, "created_at"),
      language: textAt(status, "language"),
      image: textAt(objectsAt(status, "media_attachments", 1)[0], "preview_url")
    })
  }
})
