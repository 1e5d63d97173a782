import { postPage } from "./Post.ts"
import { numberAt, parseAnswer, textAt, valueAt } from "./SiteJson.ts"
import { textOfMarkup } from "./SiteMarkup.ts"
import { sitePageOf } from "./SitePage.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

/** Stories, polls, jobs and comments on Hacker News (https://github.com/HackerNews/API#items). */
export const hackerNews: SiteRule = {
  name: "hacker-news",
  request: (url) => {
    const id = url.searchParams.get("id")
    return url.hostname === "news.ycombinator.com" && url.pathname === "/item" && /^\d{1,12}$/.test(id ?? "")
      ? jsonRequest(`https://hacker-news.firebaseio.com/v0/item/${id}.json`)
      : undefined
  },
  read: (answer) => {
    const item = parseAnswer(answer)
    const author = textAt(item, "by")
    if (author === undefined || valueAt(item, "deleted") === true) return undefined
    const markup = textAt(item, "text")
    const text = textOfMarkup(markup)
    const post = {
      author,
      siteName: "Hacker News",
      text,
      article: markup,
      publishedAt: numberAt(item, "time"),
      facts: { score: numberAt(item, "score") }
    }
    const title = textOfMarkup(textAt(item, "title"))
    return title === undefined
      ? postPage(post)
      : sitePageOf({ ...post, title, description: text?.slice(0, 8_000), type: "post" })
  }
}
