import { numberAt, parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { articleAt, sitePageOf } from "./SitePage.ts"
import { isOn, jsonRequest, type SiteRule } from "./SiteRule.ts"

const path = /^\/(?:(?:r|user|u)\/[\w.-]{1,50}\/)?comments\/([a-z0-9]{1,13})(?:\/|$)/i
const shortPath = /^\/([a-z0-9]{1,13})\/?$/i

/** Links to other posts and users are relative. */
const home = new URL("https://www.reddit.com/")

/** The placeholders for a deleted author or text. */
const isGone = (text: string | undefined) => text === "[deleted]" || text === "[removed]"

/**
 * Posts on Reddit (https://www.reddit.com/dev/api/#GET_comments_{article}); `raw_json` keeps it from encoding texts as
 * HTML once more.
 */
export const reddit: SiteRule = {
  name: "reddit",
  request: (url) => {
    const found = isOn(url, "reddit.com")
      ? path.exec(url.pathname)
      : url.hostname === "redd.it"
        ? shortPath.exec(url.pathname)
        : null
    return found === null
      ? undefined
      : jsonRequest(`https://www.reddit.com/comments/${found[1]}.json?limit=1&depth=1&raw_json=1`)
  },
  read: (answer) => {
    const post = valueAt(parseJson(answer), 0, "data", "children", 0, "data")
    const title = textAt(post, "title")
    if (title === undefined) return undefined
    const author = textAt(post, "author")
    const isKept = !isGone(textAt(post, "selftext"))
    const article = isKept ? articleAt(post, home, "selftext_html") : undefined
    return sitePageOf({
      title,
      author: isGone(author) ? undefined : author,
      siteName: "Reddit",
      description: article?.text,
      article,
      publishedAt: numberAt(post, "created_utc"),
      image: textAt(post, "preview", "images", 0, "source", "url"),
      type: "post",
      facts: { score: numberAt(post, "score") }
    })
  }
}
