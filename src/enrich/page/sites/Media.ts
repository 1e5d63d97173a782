import type { LinkTypeName } from "../../../shared/SearchSyntax.ts"
import { normalizeUrl } from "../../../shared/UrlIdentity.ts"
import { decodedTextAt, numberAt, objectsAt, parseJson, textAt } from "../UntrustedJson.ts"
import { sitePageOf } from "./SitePage.ts"
import { jsonRequest, jsonRule, type Parts, type SiteRow, type SiteRule } from "./SiteRule.ts"

const youTube = String.raw`(?:(?:www|m|music)\.)?youtube\.com|www\.youtube-nocookie\.com`
const videoApi =
  "https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D{v}"

/** How many of a podcast's newest episodes are asked for; those with the longest descriptions still fit into an answer. */
const EPISODES = 100

const show = /^podcasts\.apple\.com\/(?:(?<country>[a-z]{2})\/)?podcast\/(?:[^/]+\/)?id(?<show>\d{1,15})$/

const lookup = ({ country = "us", show }: Parts, entity: string) =>
  `https://itunes.apple.com/lookup?id=${show}&country=${country}&entity=${entity}`

const seconds = (millis: number | undefined) => (millis === undefined ? undefined : millis / 1000)

const sites: ReadonlyArray<SiteRow> = [
  {
    // The oEmbed answer has title, channel and picture, which the page keeps behind a question for consent in some
    // countries (https://oembed.com/providers.json). Length, date and description are in the page.
    name: "youtube",
    forms: [
      {
        at: new RegExp(`^(?:youtu\\.be|(?:${youTube})/(?:shorts|live|embed|v))/(?<v>[\\w-]{11})(?:/|$)`),
        api: videoApi
      },
      { at: new RegExp(`^(?:${youTube})/watch(?:/|$)`), query: { v: /^[\w-]{11}$/ }, api: videoApi },
      {
        at: new RegExp(`^(?:${youTube})/playlist(?:/|$)`),
        query: { list: /^[\w-]{2,64}$/ },
        api: "https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fplaylist%3Flist%3D{list}"
      }
    ],
    read: (said, _, { list }) => {
      const title = textAt(said, "title")
      if (title === undefined) return undefined
      return sitePageOf({
        title,
        author: textAt(said, "author_name"),
        siteName: "YouTube",
        image: textAt(said, "thumbnail_url"),
        // The answer calls a playlist a video too.
        type: list === undefined ? "video" : undefined
      })
    }
  },
  {
    // The lookup answers about a show and its newest episodes (https://performance-partners.apple.com/search-api); of an
    // older episode, it states the show alone.
    name: "apple-podcasts",
    forms: [
      {
        at: show,
        query: { i: /^\d{1,15}$/ },
        api: (parts) => `${lookup(parts, "podcastEpisode")}&limit=${EPISODES}`
      },
      { at: show, api: (parts) => lookup(parts, "podcast") }
    ],
    read: (said, _, { i }) => {
      const results = objectsAt(said, "results", EPISODES + 1)
      const show = results.find((one) => textAt(one, "kind") === "podcast")
      const name = textAt(show, "collectionName") ?? textAt(results[0], "collectionName")
      if (name === undefined) return undefined
      const about = { siteName: "Apple Podcasts", type: "audio", author: textAt(show, "artistName") } as const
      if (i === undefined) return sitePageOf({ ...about, title: name, image: textAt(show, "artworkUrl600") })
      const episode = results.find(
        (one) => textAt(one, "kind") === "podcast-episode" && `${numberAt(one, "trackId")}` === i
      )
      const description = textAt(episode, "description")
      return sitePageOf({
        ...about,
        title: textAt(episode, "trackName"),
        author: textAt(episode, "artistName") ?? about.author,
        description,
        text: description,
        publishedAt: textAt(episode, "releaseDate"),
        image: textAt(episode, "artworkUrl600") ?? textAt(show, "artworkUrl600"),
        facts: { show: name, duration: seconds(numberAt(episode, "trackTimeMillis")) }
      })
    }
  }
]

export const mediaRules = sites.map(jsonRule)

type Provider = readonly [
  domain: string,
  path: RegExp,
  endpoint: string,
  /** Where the provider's answers call all of its pages `rich`. */
  type?: LinkTypeName
]

/** Pages that state little without scripts (https://github.com/iamcal/oembed); most others name their answer. */
const providers: ReadonlyArray<Provider> = [
  [
    "vimeo.com",
    /^\/(?:\d+|(?:album|channels|groups|ondemand|event|showcase|video)\/.+)/,
    "https://vimeo.com/api/oembed.json",
    "video"
  ],
  ["dailymotion.com", /^\/video\/./, "https://www.dailymotion.com/services/oembed", "video"],
  ["ted.com", /^\/talks\/./, "https://www.ted.com/services/v1/oembed.json", "video"],
  ["tiktok.com", /^\/@[^/]+\/(?:video|photo)\/\d/, "https://www.tiktok.com/oembed", "video"],
  ["loom.com", /^\/(?:i|share)\/./, "https://www.loom.com/v1/oembed", "video"],
  ["wistia.com", /^\/(?:medias|s)\/./, "https://fast.wistia.com/oembed.json", "video"],
  ["streamable.com", /^\/\w+$/, "https://api.streamable.com/oembed.json", "video"],
  ["rumble.com", /^\/(?:v\w+-|shorts\/)./, "https://rumble.com/api/Media/oembed.json", "video"],
  ["odysee.com", /^\/@[^/]+\/./, "https://odysee.com/$/oembed", "video"],
  ["soundcloud.com", /^\/[^/]+\/./, "https://soundcloud.com/oembed", "audio"],
  [
    "open.spotify.com",
    /^\/(?:intl-[\w-]+\/)?(?:album|artist|episode|playlist|show|track)\/\w/,
    "https://open.spotify.com/oembed",
    "audio"
  ],
  ["mixcloud.com", /^\/[^/]+\/./, "https://www.mixcloud.com/oembed/", "audio"],
  [
    "audioboom.com",
    /^\/(?:channels?|playlists|podcasts?|posts|episodes)\/./,
    "https://audioboom.com/publishing/oembed.json",
    "audio"
  ],
  ["podbean.com", /^\/e\/./, "https://api.podbean.com/v1/oembed", "audio"],
  ["flickr.com", /^\/photos\/./, "https://www.flickr.com/services/oembed/"],
  ["flic.kr", /^\/[ps]\/./, "https://www.flickr.com/services/oembed/"],
  ["deviantart.com", /^\/(?:[^/]+\/)?art\/./, "https://backend.deviantart.com/oembed", "image"],
  ["giphy.com", /^\/(?:gifs|clips)\/./, "https://giphy.com/services/oembed", "image"],
  ["pinterest.com", /^\/pin\/./, "https://www.pinterest.com/oembed.json"],
  ["tumblr.com", /^\/(?:post\/\d|[^/]+\/\d+)/, "https://www.tumblr.com/oembed/1.0", "post"],
  ["codepen.io", /^\/(?:team\/)?[^/]+\/pen\/./, "https://codepen.io/api/oembed"],
  ["observablehq.com", /^\/(?:@[^/]+\/|d\/)./, "https://api.observablehq.com/oembed"],
  ["replit.com", /^\/@[^/]+\/./, "https://replit.com/data/oembed"],
  ["figma.com", /^\/(?:file|design|board|slides)\/./, "https://www.figma.com/api/oembed"],
  ["sketchfab.com", /^\/(?:3d-)?models\/./, "https://sketchfab.com/oembed"],
  ["behance.net", /^\/gallery\/\d+\/./, "https://www.behance.net/services/oembed"],
  ["slideshare.net", /^\/[^/]+\/./, "https://www.slideshare.net/api/oembed/2"],
  ["speakerdeck.com", /^\/[^/]+\/./, "https://speakerdeck.com/oembed.json"],
  ["issuu.com", /^\/[^/]+\/docs\/./, "https://issuu.com/oembed"]
]

const providerOf = ({ hostname, pathname }: URL): Provider | undefined =>
  providers.find(([domain, path]) => `.${hostname}`.endsWith(`.${domain}`) && path.test(pathname))

const types: ReadonlyMap<string | undefined, LinkTypeName> = new Map<string, LinkTypeName>([
  ["video", "video"],
  ["photo", "image"]
])

/** Answers in oEmbed (https://oembed.com, section 2.3.4) complete what a page states. */
export const oEmbed: SiteRule = {
  name: "oembed",
  request: (url) => {
    const [, , endpoint] = providerOf(url) ?? []
    if (endpoint === undefined) return undefined
    const address = new URL(endpoint)
    address.searchParams.set("format", "json")
    address.searchParams.set("url", normalizeUrl(url))
    return jsonRequest(address)
  },
  read: (answer, url) => {
    const said = parseJson(answer)
    const kind = textAt(said, "type")
    // WordPress encodes its titles and names as HTML.
    return sitePageOf({
      title: decodedTextAt(said, "title"),
      author: decodedTextAt(said, "author_name"),
      siteName: decodedTextAt(said, "provider_name"),
      image: textAt(said, kind === "photo" ? "thumbnail_url url" : "thumbnail_url"),
      type: types.get(kind) ?? providerOf(url)?.[3],
      // Not in the specification: Vimeo and others state it in seconds.
      facts: { duration: numberAt(said, "duration") }
    })
  }
}
