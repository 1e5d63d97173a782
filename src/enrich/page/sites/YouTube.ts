import { parseJson, textAt } from "../UntrustedJson.ts"
import { sitePageOf } from "./SitePage.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

const hosts: ReadonlySet<string> = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "www.youtube-nocookie.com"
])

const id = /^[\w-]{11}$/
const playlistId = /^[\w-]{2,64}$/

/** The page of the video or the playlist that an address leads to, without its other parameters. */
const pageOf = (url: URL): string | undefined => {
  const [, first = "", second = ""] = url.pathname.split("/")
  const isShort = url.hostname === "youtu.be"
  if (!isShort && !hosts.has(url.hostname)) return undefined
  const video = isShort
    ? first
    : ["shorts", "live", "embed", "v"].includes(first)
      ? second
      : first === "watch"
        ? url.searchParams.get("v")
        : null
  if (video !== null && id.test(video)) return `https://www.youtube.com/watch?v=${video}`
  const list = first === "playlist" ? url.searchParams.get("list") : null
  return list !== null && playlistId.test(list) ? `https://www.youtube.com/playlist?list=${list}` : undefined
}

/**
 * YouTube's videos, shorts, live streams and playlists, by its oEmbed answer
 * (https://oembed.com/providers.json, YouTube): title, channel and picture, which its page keeps behind a question for
 * consent in some countries. Length, date and description are in the page.
 */
export const youTube: SiteRule = {
  name: "youtube",
  request: (url) => {
    const page = pageOf(url)
    if (page === undefined) return undefined
    return jsonRequest(`https://www.youtube.com/oembed?format=json&url=${encodeURIComponent(page)}`)
  },
  read: (answer, url) => {
    const said = parseJson(answer)
    const title = textAt(said, "title")
    if (title === undefined) return undefined
    return sitePageOf({
      title,
      author: textAt(said, "author_name"),
      siteName: "YouTube",
      image: textAt(said, "thumbnail_url"),
      // The answer calls a playlist a video too.
      type: pageOf(url)?.includes("/playlist") ? undefined : "video"
    })
  }
}
