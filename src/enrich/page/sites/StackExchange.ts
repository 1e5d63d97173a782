import { decodedTextAt, numberAt, objectsAt, parseJson } from "../UntrustedJson.ts"
import { articleAt, sitePageOf } from "./SitePage.ts"
import { isOn, jsonRequest, type SiteRule } from "./SiteRule.ts"

/** The network's sites with domains of their own (https://stackexchange.com/sites). */
const domains = [
  "stackexchange.com",
  "stackoverflow.com",
  "serverfault.com",
  "superuser.com",
  "askubuntu.com",
  "mathoverflow.net",
  "stackapps.com"
]

/** Hosts on these domains that have no questions. */
const others: ReadonlySet<string> = new Set([
  "stackexchange.com",
  "www.stackexchange.com",
  "api.stackexchange.com"
])

const path = /^\/(?:questions|q)\/(\d{1,12})(?:\/|$)/

/**
 * Questions on Stack Overflow and the other sites of the network: the question, where the page's text could be an answer
 * (https://api.stackexchange.com/docs/questions-by-ids; the built-in filter `withbody` adds the text). The API knows a
 * site by its host name; titles and names come encoded as HTML.
 */
export const stackExchange: SiteRule = {
  name: "stack-exchange",
  request: (url) => {
    const [, id] = path.exec(url.pathname) ?? []
    if (id === undefined || others.has(url.hostname) || !domains.some((domain) => isOn(url, domain)))
      return undefined
    const site = url.hostname.replace(/^www\./, "")
    return jsonRequest(`https://api.stackexchange.com/2.3/questions/${id}?filter=withbody&site=${site}`)
  },
  read: (answer, url) => {
    const [question] = objectsAt(parseJson(answer), 1, "items")
    const title = decodedTextAt(question, "title")
    if (title === undefined) return undefined
    const article = articleAt(question, url, "body")
    return sitePageOf({
      title,
      author: decodedTextAt(question, "owner", "display_name"),
      description: article?.text,
      article,
      publishedAt: numberAt(question, "creation_date"),
      type: "post",
      facts: { score: numberAt(question, "score") }
    })
  }
}
