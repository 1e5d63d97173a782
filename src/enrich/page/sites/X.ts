import { walkMarkup } from "../../../domain/Markup.ts"
import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { markupText } from "../Markup.ts"
import { parseJson, textAt } from "../UntrustedJson.ts"
import { postPage } from "./Post.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

const host = /^(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com$/
const path = /^\/(\w{1,20}|i\/web)\/status(?:es)?\/(\d{1,20})(?:\/|$)/

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
  const text =
    start === -1 || end === -1 ? undefined : markupText(html.slice(start, end), MAX_PAGE_TEXT).trim()
  // The address of the post's own picture or video says nothing.
  return { text: text?.replace(/pic\.(?:twitter|x)\.com\/\w+$/, "").trimEnd(), language, date }
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
    const said = parseJson(answer)
    const author = textAt(said, "author_name")
    const html = textAt(said, "html")
    if (author === undefined || html === undefined) return undefined
    const { date, language, text } = partsOf(html)
    return postPage({ author, siteName: "X", text, publishedAt: date, language })
  }
}
