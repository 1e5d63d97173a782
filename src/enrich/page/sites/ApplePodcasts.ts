import { numberAt, objectsAt, parseJson, textAt } from "../UntrustedJson.ts"
import { sitePageOf } from "./SitePage.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

/** How many of a show's newest episodes are asked for; those with the longest descriptions still fit into an answer. */
const EPISODES = 100

const path = /^\/(?:([a-z]{2})\/)?podcast\/(?:[^/]+\/)?id(\d{1,15})\/?$/

const isNumber = /^\d{1,15}$/

const seconds = (millis: number | undefined) => (millis === undefined ? undefined : millis / 1000)

/**
 * Shows and episodes on Apple Podcasts, by its lookup (https://performance-partners.apple.com/search-api). It answers
 * about a show and its newest episodes; of an older episode, it states the show alone.
 */
export const applePodcasts: SiteRule = {
  name: "apple-podcasts",
  request: (url) => {
    const [, country = "us", show] = (url.hostname === "podcasts.apple.com" && path.exec(url.pathname)) || []
    if (show === undefined) return undefined
    const episodes = isNumber.test(url.searchParams.get("i") ?? "")
      ? `&entity=podcastEpisode&limit=${EPISODES}`
      : "&entity=podcast"
    return jsonRequest(`https://itunes.apple.com/lookup?id=${show}&country=${country}${episodes}`)
  },
  read: (answer, url) => {
    const results = objectsAt(parseJson(answer), EPISODES + 1, "results")
    const show = results.find((one) => textAt(one, "kind") === "podcast")
    const name = textAt(show, "collectionName") ?? textAt(results[0], "collectionName")
    if (name === undefined) return undefined
    const asked = url.searchParams.get("i")
    const author = textAt(show, "artistName")
    if (asked === null || !isNumber.test(asked))
      return sitePageOf({
        title: name,
        author,
        siteName: "Apple Podcasts",
        image: textAt(show, "artworkUrl600"),
        type: "audio"
      })
    const episode = results.find(
      (one) => textAt(one, "kind") === "podcast-episode" && `${numberAt(one, "trackId")}` === asked
    )
    const about = textAt(episode, "description")
    return sitePageOf({
      title: textAt(episode, "trackName"),
      author: textAt(episode, "artistName") ?? author,
      siteName: "Apple Podcasts",
      description: about,
      text: about,
      publishedAt: textAt(episode, "releaseDate"),
      image: textAt(episode, "artworkUrl600") ?? textAt(show, "artworkUrl600"),
      type: "audio",
      facts: { show: name, duration: seconds(numberAt(episode, "trackTimeMillis")) }
    })
  }
}
