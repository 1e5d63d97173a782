import type { LinkTypeName } from "../../../shared/SearchSyntax.ts"
import { numberAt, parseAnswer, textAt } from "./SiteJson.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { jsonRequest, type SiteRequest, type SiteRule } from "./SiteRule.ts"

/** What oEmbed's types say about the page; `rich` and `link` say nothing (https://oembed.com, section 2.3.4). */
const types: ReadonlyMap<string | undefined, LinkTypeName> = new Map([
  ["video", "video"],
  ["photo", "image"]
] as const)

/** A provider of answers: the pages it answers about, by host and path, and its endpoint. */
interface Provider {
  readonly host: RegExp
  readonly path: RegExp
  readonly endpoint: string
  readonly type?: LinkTypeName
}

/**
 * Providers whose pages state little, or are walls to anything but a browser. Hosts, paths and endpoints are those of the
 * list that oembed.com publishes (https://oembed.com/providers.json); pages of other providers name their answer.
 */
const providers: ReadonlyArray<Provider> = []

/** The request to the listed provider for a page; undefined if no listed provider answers about it. */
const providerRequest = (url: URL): SiteRequest | undefined => {
  const provider = providers.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname))
  if (provider === undefined) return undefined
  const address = new URL(provider.endpoint)
  address.searchParams.set("format", "json")
  address.searchParams.set("url", `${url.origin}${url.pathname}${url.search}`)
  return jsonRequest(address)
}

/** Reads an oEmbed answer in JSON (https://oembed.com, section 2.3.4). */
export const readOEmbed = (answer: string): SitePage | undefined => {
  const said = parseAnswer(answer)
  const type = types.get(textAt(said, "type"))
  return sitePageOf({
    title: textAt(said, "title"),
    author: textAt(said, "author_name"),
    siteName: textAt(said, "provider_name"),
    image: textAt(said, "thumbnail_url") ?? (type === "image" ? textAt(said, "url") : undefined),
    type,
    // Beyond the specification: Vimeo and others state it in seconds.
    facts: { duration: numberAt(said, "duration") }
  })
}

/** oEmbed (https://oembed.com), for pages of listed providers; other pages name the address of their answer. */
export const oEmbed: SiteRule = { name: "oembed", request: providerRequest, read: readOEmbed }
