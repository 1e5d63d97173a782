import { applePodcasts } from "./ApplePodcasts.ts"
import { bluesky } from "./Bluesky.ts"
import { hackerNews } from "./HackerNews.ts"
import { mastodon } from "./Mastodon.ts"
import { oEmbed } from "./OEmbed.ts"
import { reddit } from "./Reddit.ts"
import type { SiteRequest, SiteRule } from "./SiteRule.ts"
import { stackExchange } from "./StackExchange.ts"
import { x } from "./X.ts"
import { youTube } from "./YouTube.ts"

/** The sites with rules of their own; the first rule that has a request for an address is used. */
export const sites: ReadonlyArray<SiteRule> = [
  youTube,
  x,
  bluesky,
  reddit,
  hackerNews,
  stackExchange,
  applePodcasts,
  // Claims addresses on every host, so it comes last.
  mastodon
]

const byName: ReadonlyMap<string, SiteRule> = new Map([...sites, oEmbed].map((rule) => [rule.name, rule]))

/** The rule of this name, or oEmbed's. */
export const siteRuleNamed = (name: string): SiteRule | undefined => byName.get(name)

/** The rule for an address and its request; undefined if no site has one. */
export const siteRuleFor = (
  url: URL
): { readonly rule: SiteRule; readonly request: SiteRequest } | undefined => {
  if (!/^https?:$/.test(url.protocol)) return undefined
  for (const rule of sites) {
    const request = rule.request(url)
    if (request !== undefined) return { rule, request }
  }
  return undefined
}
