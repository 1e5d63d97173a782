import { objectsAt, parseJson, textAt, textsAt } from "../UntrustedJson.ts"
import { packagePage } from "./PackagePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

const packageName = /^[a-z]\w{0,99}$/

/** Packages on Hex, by its interface (https://github.com/hexpm/specifications/blob/main/apiary.apib). */
export const hex: SiteRule = {
  name: "hex",
  request: (url) => {
    const [room, name = ""] = segmentsOn(url, "hex.pm", "www.hex.pm") ?? []
    return room === "packages" && packageName.test(name)
      ? jsonRequest(`https://hex.pm/api/packages/${name}`)
      : undefined
  },
  read: (answer) => {
    const found = parseJson(answer)
    const named = textsAt(found, 10, "meta", "maintainers")
    return packagePage({
      registry: "Hex",
      name: textAt(found, "name"),
      description: textAt(found, "meta", "description"),
      authors:
        named.length > 0 ? named : objectsAt(found, 10, "owners").map((owner) => textAt(owner, "username")),
      version:
        textAt(found, "latest_stable_version") ??
        textAt(found, "latest_version") ??
        textAt(found, "releases", 0, "version"),
      licenses: textsAt(found, 10, "meta", "licenses"),
      repository: textAt(found, "meta", "links", "GitHub"),
      publishedAt: textAt(found, "inserted_at")
    })
  }
}
