import { parseJson, textAt, textsAt } from "../UntrustedJson.ts"
import { packagePage } from "./PackagePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

/** A gem's name (https://guides.rubygems.org/specification-reference/#name). */
const gemName = /^[a-z\d._-]{1,100}$/i

/** Gems on RubyGems.org, by its interface (https://guides.rubygems.org/rubygems-org-api/#gem-methods). */
export const rubyGems: SiteRule = {
  name: "rubygems",
  request: (url) => {
    const [room, name = ""] = segmentsOn(url, "rubygems.org", "www.rubygems.org") ?? []
    return room === "gems" && gemName.test(name)
      ? jsonRequest(`https://rubygems.org/api/v1/gems/${name}.json`)
      : undefined
  },
  read: (answer) => {
    const gem = parseJson(answer)
    return packagePage({
      registry: "RubyGems",
      name: textAt(gem, "name"),
      description: textAt(gem, "info"),
      authors: [textAt(gem, "authors")],
      version: textAt(gem, "version"),
      licenses: textsAt(gem, 10, "licenses"),
      repository: textAt(gem, "source_code_uri"),
      homepage: textAt(gem, "homepage_uri")
    })
  }
}
