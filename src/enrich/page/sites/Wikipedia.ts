import { numberAt, parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { jsonRequest, type SiteRule, segmentsOf } from "./SiteRule.ts"

/** The host of an edition, with or without `m.` for its mobile pages: `simple.wikipedia.org`, `zh-yue.m.wikipedia.org`. */
const editionHost = /^([a-z][a-z-]{1,15})(?:\.m)?\.wikipedia\.org$/

/** Path segments that stand in the place of `wiki` and choose a script or region, such as `zh-hans`. */
const variant = /^[a-z]{2,3}-[a-z]{2,4}$/

/** The title of the page at an address, which may have slashes. */
const titleOf = (url: URL): string | undefined => {
  const [room = "", ...rest] = segmentsOf(url) ?? []
  if (room === "wiki" || variant.test(room)) return rest.join("/") || undefined
  return room === "w" && rest[0] === "index.php" ? (url.searchParams.get("title") ?? undefined) : undefined
}

/** Larger originals are scans and posters of many megabytes; the thumbnail stands for them. */
const MAX_PIXELS = 4_000_000

/** The address of an article's picture. */
const pictureOf = (summary: unknown): string | undefined => {
  const original = textAt(summary, "originalimage", "source")
  const [width, height] = ["width", "height"].map((side) => numberAt(summary, "originalimage", side))
  const isFit = (width ?? MAX_PIXELS) * (height ?? MAX_PIXELS) <= MAX_PIXELS
  return isFit && /\.(?:jpe?g|png|webp)$/i.test(original ?? "")
    ? original
    : textAt(summary, "thumbnail", "source")
}

const read = (answer: string): SitePage | undefined => {
  const summary = parseJson(answer)
  // The start page, talk pages, files and the like are not articles.
  const isArticle = ["standard", "disambiguation"].includes(textAt(summary, "type") ?? "")
  if (!isArticle || valueAt(summary, "namespace", "id") !== 0) return undefined
  return sitePageOf({
    title: textAt(summary, "titles", "normalized") ?? textAt(summary, "title"),
    description: textAt(summary, "extract"),
    // The page names all who contribute to the foundation's projects.
    author: null,
    image: pictureOf(summary),
    language: textAt(summary, "lang"),
    siteName: "Wikipedia",
    type: "article"
  })
}

/**
 * Articles of Wikipedia in every language, by the summary of its REST API
 * (https://www.mediawiki.org/wiki/Specs/Summary). Its time is that of the last edit, not of publication, so it is not
 * used; an article has no author.
 */
export const wikipedia: SiteRule = {
  name: "wikipedia",
  request: (url) => {
    const [, edition] = editionHost.exec(url.hostname) ?? []
    const title = titleOf(url)
    if (
      edition === undefined ||
      edition === "www" ||
      url.port !== "" ||
      title === undefined ||
      title.length > 255
    )
      return undefined
    const name = encodeURIComponent(title.replaceAll(" ", "_"))
    return jsonRequest(`https://${edition}.wikipedia.org/api/rest_v1/page/summary/${name}`)
  },
  read
}
