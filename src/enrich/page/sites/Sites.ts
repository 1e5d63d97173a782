import { applePodcasts } from "./ApplePodcasts.ts"
import { arXiv } from "./ArXiv.ts"
import { bluesky } from "./Bluesky.ts"
import { crates } from "./Crates.ts"
import { doi } from "./Doi.ts"
import { gitHubFile } from "./GitHubFile.ts"
import { gitHubGist } from "./GitHubGist.ts"
import { gitHubIssue } from "./GitHubIssue.ts"
import { gitHubRelease } from "./GitHubRelease.ts"
import { go } from "./Go.ts"
import { hackerNews } from "./HackerNews.ts"
import { hex } from "./Hex.ts"
import { mastodon } from "./Mastodon.ts"
import { npm } from "./Npm.ts"
import { oEmbed } from "./OEmbed.ts"
import { openLibrary } from "./OpenLibrary.ts"
import { packagist } from "./Packagist.ts"
import { pubMed } from "./PubMed.ts"
import { pyPi } from "./PyPi.ts"
import { reddit } from "./Reddit.ts"
import { rubyGems } from "./RubyGems.ts"
import type { SiteRequest, SiteRule } from "./SiteRule.ts"
import { stackExchange } from "./StackExchange.ts"
import { wikipedia } from "./Wikipedia.ts"
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
  gitHubIssue,
  gitHubRelease,
  gitHubFile,
  gitHubGist,
  npm,
  pyPi,
  crates,
  rubyGems,
  hex,
  packagist,
  go,
  wikipedia,
  openLibrary,
  arXiv,
  pubMed,
  // These claim addresses on every host, so they come last.
  doi,
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
