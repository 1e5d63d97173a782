import { walkMarkup } from "../Markup.ts"
import { postPage } from "./Post.ts"
import { parseAnswer, textAt } from "./SiteJson.ts"
import { textOfMarkup } from "./SiteMarkup.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

const host = /^(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com$/
const path = /^\/(\w{1,20}|i\/web)\/status(?:es)?\/(\d{1,20})(?:\/|$)/

const months = "January February March April May June July August September October November December".split(
  " "
)

/** `January 20, 2019` as a day in ISO 8601. */
const dayOf = (date: string): string | undefined => {
  const [, name = "", day = "", year] = /^(\w{3,9}) (\d{1,2}), (\d{4})$/.exec(date.trim()) ?? []
  const month = months.indexOf(name) + 1
  return month === 0 || year === undefined
    ? undefined
    : `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`
}

/** The parts of the markup that embeds a post: its text and language in a paragraph, its date in the last link. */
const partsOf = (html: string) => {
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
  const text = start === -1 || end === -1 ? undefined : textOfMarkup(html.slice(start, end))
  // The address of the post's own picture or video says nothing.
  return { text: text?.replace(/pic\.(?:twitter|x)\.com\/\w+$/, "").trimEnd(), language, date: dayOf(date) }
}

/**
 * Posts on X, by its oEmbed answer
 * (https://developer.x.com/en/docs/tweets/post-and-engage/api-reference/get-statuses-oembed): the page itself shows
 * nothing without scripts.
 */
export const x: SiteRule = {
  name: "x",
  request: (url) => {
    const [, name, id] = (host.test(url.hostname) && path.exec(url.pathname)) || []
    if (name === undefined || id === undefined) return undefined
    const address = new URL("https://publish.twitter.com/oembed?omit_script=true&dnt=true&hide_thread=true")
    address.searchParams.set("url", `https://twitter.com/${name}/status/${id}`)
    return jsonRequest(address)
  },
  read: (answer) => {
    const said = parseAnswer(answer)
    const author = textAt(said, "author_name")
    const html = textAt(said, "html")
    if (author === undefined || html === undefined) return undefined
    const { date, language, text } = partsOf(html)
    return postPage({ author, siteName: "X", text, publishedAt: date, language })
  }
}
