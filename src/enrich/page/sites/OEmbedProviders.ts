import type { LinkTypeName } from "../../../shared/SearchSyntax.ts"
import { isOn } from "./SiteRule.ts"

/** A provider of oEmbed answers: the pages it answers about, and its endpoint for JSON. */
interface Provider {
  /** Hosts of its pages, with their subdomains. */
  readonly hosts: ReadonlyArray<string>
  readonly path: RegExp
  readonly endpoint: string
  /** What its pages are, where its answers call all of them `rich`. */
  readonly type?: LinkTypeName
}

/**
 * Providers whose pages state little, or nothing without scripts; pages of most other providers name their answer. Hosts,
 * paths and endpoints are from the list that oembed.com publishes (https://github.com/iamcal/oembed/tree/master/providers).
 * Sites with rules of their own need no entry.
 */
const providers: ReadonlyArray<Provider> = [
  {
    hosts: ["vimeo.com"],
    path: /^\/(?:\d+|(?:album|channels|groups|ondemand|event|showcase|video)\/.+)/,
    endpoint: "https://vimeo.com/api/oembed.json",
    type: "video"
  },
  {
    hosts: ["dailymotion.com"],
    path: /^\/video\/./,
    endpoint: "https://www.dailymotion.com/services/oembed",
    type: "video"
  },
  {
    hosts: ["ted.com"],
    path: /^\/talks\/./,
    endpoint: "https://www.ted.com/services/v1/oembed.json",
    type: "video"
  },
  {
    hosts: ["tiktok.com"],
    path: /^\/@[^/]+\/(?:video|photo)\/\d/,
    endpoint: "https://www.tiktok.com/oembed",
    type: "video"
  },
  {
    hosts: ["loom.com"],
    path: /^\/(?:i|share)\/./,
    endpoint: "https://www.loom.com/v1/oembed",
    type: "video"
  },
  {
    hosts: ["wistia.com"],
    path: /^\/(?:medias|s)\/./,
    endpoint: "https://fast.wistia.com/oembed.json",
    type: "video"
  },
  {
    hosts: ["streamable.com"],
    path: /^\/\w+$/,
    endpoint: "https://api.streamable.com/oembed.json",
    type: "video"
  },
  {
    hosts: ["rumble.com"],
    path: /^\/(?:v\w+-|shorts\/)./,
    endpoint: "https://rumble.com/api/Media/oembed.json",
    type: "video"
  },
  { hosts: ["odysee.com"], path: /^\/@[^/]+\/./, endpoint: "https://odysee.com/$/oembed", type: "video" },
  {
    hosts: ["soundcloud.com"],
    path: /^\/[^/]+\/./,
    endpoint: "https://soundcloud.com/oembed",
    type: "audio"
  },
  {
    hosts: ["open.spotify.com"],
    path: /^\/(?:intl-[\w-]+\/)?(?:album|artist|episode|playlist|show|track)\/\w/,
    endpoint: "https://open.spotify.com/oembed",
    type: "audio"
  },
  {
    hosts: ["mixcloud.com"],
    path: /^\/[^/]+\/./,
    endpoint: "https://www.mixcloud.com/oembed/",
    type: "audio"
  },
  {
    hosts: ["audioboom.com"],
    path: /^\/(?:channels?|playlists|podcasts?|posts|episodes)\/./,
    endpoint: "https://audioboom.com/publishing/oembed.json",
    type: "audio"
  },
  { hosts: ["podbean.com"], path: /^\/e\/./, endpoint: "https://api.podbean.com/v1/oembed", type: "audio" },
  { hosts: ["flickr.com"], path: /^\/photos\/./, endpoint: "https://www.flickr.com/services/oembed/" },
  { hosts: ["flic.kr"], path: /^\/[ps]\/./, endpoint: "https://www.flickr.com/services/oembed/" },
  {
    hosts: ["deviantart.com"],
    path: /^\/(?:[^/]+\/)?art\/./,
    endpoint: "https://backend.deviantart.com/oembed",
    type: "image"
  },
  {
    hosts: ["giphy.com"],
    path: /^\/(?:gifs|clips)\/./,
    endpoint: "https://giphy.com/services/oembed",
    type: "image"
  },
  { hosts: ["pinterest.com"], path: /^\/pin\/./, endpoint: "https://www.pinterest.com/oembed.json" },
  {
    hosts: ["tumblr.com"],
    path: /^\/(?:post\/\d|[^/]+\/\d+)/,
    endpoint: "https://www.tumblr.com/oembed/1.0",
    type: "post"
  },
  { hosts: ["codepen.io"], path: /^\/(?:team\/)?[^/]+\/pen\/./, endpoint: "https://codepen.io/api/oembed" },
  {
    hosts: ["observablehq.com"],
    path: /^\/(?:@[^/]+\/|d\/)./,
    endpoint: "https://api.observablehq.com/oembed"
  },
  { hosts: ["replit.com"], path: /^\/@[^/]+\/./, endpoint: "https://replit.com/data/oembed" },
  {
    hosts: ["figma.com"],
    path: /^\/(?:file|design|board|slides)\/./,
    endpoint: "https://www.figma.com/api/oembed"
  },
  { hosts: ["sketchfab.com"], path: /^\/(?:3d-)?models\/./, endpoint: "https://sketchfab.com/oembed" },
  { hosts: ["behance.net"], path: /^\/gallery\/\d+\/./, endpoint: "https://www.behance.net/services/oembed" },
  { hosts: ["slideshare.net"], path: /^\/[^/]+\/./, endpoint: "https://www.slideshare.net/api/oembed/2" },
  { hosts: ["speakerdeck.com"], path: /^\/[^/]+\/./, endpoint: "https://speakerdeck.com/oembed.json" },
  { hosts: ["issuu.com"], path: /^\/[^/]+\/docs\/./, endpoint: "https://issuu.com/oembed" }
]

/** The listed provider of a page's answer; undefined if no listed provider matches. */
export const providerOf = (url: URL): Provider | undefined =>
  providers.find(({ hosts, path }) => hosts.some((host) => isOn(url, host)) && path.test(url.pathname))
