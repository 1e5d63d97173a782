import { gitHubRules } from "./GitHub.ts"
import { mediaRules, oEmbed } from "./Media.ts"
import { mastodon, postRules } from "./Posts.ts"
import { registryRules } from "./Registries.ts"
import type { SiteRequest, SiteRule } from "./SiteRule.ts"
import { doi, workRules } from "./Works.ts"

/** The first rule that has a request for an address is used. The last two claim addresses on every host. */
export const sites: ReadonlyArray<SiteRule> = [
  ...mediaRules,
  ...postRules,
  ...gitHubRules,
  ...registryRules,
  ...workRules,
  doi,
  mastodon
]

const byName: ReadonlyMap<string, SiteRule> = new Map([...sites, oEmbed].map((rule) => [rule.name, rule]))

export const siteRuleNamed = (name: string): SiteRule | undefined => byName.get(name)

/** Undefined if no site has a rule for the address. */
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
