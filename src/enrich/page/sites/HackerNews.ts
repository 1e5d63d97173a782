import { decodedTextAt, numberAt, parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { postPage } from "./Post.ts"
import { articleAt, sitePageOf } from "./SitePage.ts"
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
  read: (answer, url) => {
    const item = parseJson(answer)
    const author = textAt(item, "by")
    if (author === undefined || valueAt(item, "deleted") === true) return undefined
    const article = articleAt(item, url, "text")
    const post = {
      author,
      siteName: "Hacker News",
      article,
      publishedAt: numberAt(item, "time"),
      facts: { score: numberAt(item, "score") }
    }
    const title = decodedTextAt(item, "title")
    return title === undefined
      ? postPage(post)
      : sitePageOf({ ...post, title, description: article?.text, type: "post" })
  }
}
