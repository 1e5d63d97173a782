import { objectsAt, parseJson, textAt, textsAt, valueAt } from "../UntrustedJson.ts"
import { packagePage } from "./PackagePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

/** A package's name (https://docs.npmjs.com/cli/configuring-npm/package-json#name); old ones may have capital letters. */
const packageName = /^(?:@[\w.~-]{1,100}\/)?[\w.~!'()*-]{1,214}$/

/** The name of the package at an address, which may go on with a version. */
const nameOf = (url: URL): string | undefined => {
  const [room, first = "", second = ""] =
    segmentsOn(url, "www.npmjs.com", "npmjs.com", "npmjs.org", "www.npmjs.org") ?? []
  const name = first.startsWith("@") && !first.includes("/") ? `${first}/${second}` : first
  return room === "package" && packageName.test(name) ? name : undefined
}

/** A person's name; `Name <mail> (address)` is another way to write one. */
const nameOfPerson = (person: unknown): string | undefined =>
  textAt(person, "name") ??
  textAt(person)
    ?.slice(0, 500)
    .replace(/[<(].*$/s, "")

/**
 * Packages of npm, by the registry's newest version
 * (https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md): npm's pages answer browsers only.
 */
export const npm: SiteRule = {
  name: "npm",
  request: (url) => {
    const name = nameOf(url)
    // The slash of a scope must be escaped, its sign must not.
    const path = name?.split("/").map(encodeURIComponent).join("%2F").replace(/^%40/, "@")
    return path === undefined ? undefined : jsonRequest(`https://registry.npmjs.org/${path}/latest`)
  },
  read: (answer) => {
    const newest = parseJson(answer)
    const author = nameOfPerson(valueAt(newest, "author"))
    return packagePage({
      registry: "npm",
      name: textAt(newest, "name"),
      description: textAt(newest, "description"),
      authors: author === undefined ? objectsAt(newest, 10, "maintainers").map(nameOfPerson) : [author],
      version: textAt(newest, "version"),
      licenses: [textAt(newest, "license") ?? textAt(newest, "license", "type")],
      repository: textAt(newest, "repository", "url") ?? textAt(newest, "repository"),
      homepage: textAt(newest, "homepage"),
      keywords: textsAt(newest, 20, "keywords")
    })
  }
}
