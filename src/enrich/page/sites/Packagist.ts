import { objectsAt, textAt, textsAt, valueAt } from "../UntrustedJson.ts"
import { parseCutAnswer } from "./CutJson.ts"
import { packagePage } from "./PackagePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

/** A package's vendor and name (https://getcomposer.org/doc/04-schema.md#name). */
const packageName = /^[a-z\d][\w.-]{0,99}\/[a-z\d][\w.-]{0,99}$/i

const nameOf = (url: URL): string | undefined => {
  const [room, vendor = "", name = ""] = segmentsOn(url, "packagist.org", "www.packagist.org") ?? []
  const whole = `${vendor}/${name}`.toLowerCase()
  return room === "packages" && packageName.test(whole) ? whole : undefined
}

/**
 * Packages on Packagist, by the static metadata that it asks clients to prefer
 * (https://packagist.org/apidoc#get-package-data): versions from the newest on, of which the first is stated whole.
 */
export const packagist: SiteRule = {
  name: "packagist",
  request: (url) => {
    const name = nameOf(url)
    return name === undefined ? undefined : jsonRequest(`https://repo.packagist.org/p2/${name}.json`)
  },
  read: (answer, url) => {
    const newest = valueAt(parseCutAnswer(answer, 3), "packages", nameOf(url) ?? "", 0)
    return packagePage({
      registry: "Packagist",
      name: textAt(newest, "name"),
      description: textAt(newest, "description"),
      authors: objectsAt(newest, 20, "authors").map((author) => textAt(author, "name")),
      version: textAt(newest, "version"),
      licenses: textsAt(newest, 10, "license"),
      repository: textAt(newest, "source", "url"),
      homepage: textAt(newest, "homepage"),
      keywords: textsAt(newest, 20, "keywords")
    })
  }
}
