import type { LinkTypeName } from "../../../shared/SearchSyntax.ts"
import { normalizeUrl } from "../../../shared/UrlIdentity.ts"
import { decodedTextAt, numberAt, parseJson, textAt } from "../UntrustedJson.ts"
import { providerOf } from "./OEmbedProviders.ts"
import { sitePageOf } from "./SitePage.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

/** What an answer's type says about its page; `rich` and `link` say nothing. */
const types: ReadonlyMap<string | undefined, LinkTypeName> = new Map<string, LinkTypeName>([
  ["video", "video"],
  ["photo", "image"]
])

/**
 * Answers in oEmbed (https://oembed.com, section 2.3.4): of a listed provider, or of the address that a page names. They
 * are asked for where a page states less, and complete what it states.
 */
export const oEmbed: SiteRule = {
  name: "oembed",
  request: (url) => {
    const provider = providerOf(url)
    if (provider === undefined) return undefined
    const address = new URL(provider.endpoint)
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
      image: textAt(said, "thumbnail_url") ?? (kind === "photo" ? textAt(said, "url") : undefined),
      type: types.get(kind) ?? providerOf(url)?.type,
      // Not in the specification: Vimeo and others state it in seconds.
      facts: { duration: numberAt(said, "duration") }
    })
  }
}
