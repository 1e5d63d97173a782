import { parseJson, textAt, textsAt, valueAt } from "../UntrustedJson.ts"
import { packagePage } from "./PackagePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

/** A crate's name (https://doc.rust-lang.org/cargo/reference/manifest.html#the-name-field). */
const crateName = /^[a-z][\w-]{0,63}$/i

/** The first segments of docs.rs's own pages, which are not crates. */
const ownPages: ReadonlySet<string> = new Set(["about", "releases", "crate", "menus", "rustdoc"])

/**
 * The crate whose first page in docs.rs this is: `/name`, `/name/version`, `/name/version/crate_name` or
 * `/crate/name/version`. Deeper pages describe a part of a crate.
 */
const crateInDocs = (segments: ReadonlyArray<string>): string | undefined => {
  if (segments[0] === "crate") return segments.length <= 3 ? segments[1] : undefined
  const [name = "", , module, page, ...rest] = segments
  const isFirst = module === undefined || (module === name.replaceAll("-", "_") && rest.length === 0)
  return isFirst && (page === undefined || page === "index.html") && !ownPages.has(name) ? name : undefined
}

const crateOf = (url: URL): string | undefined => {
  const docs = segmentsOn(url, "docs.rs")
  const [room, named] = segmentsOn(url, "crates.io", "www.crates.io", "lib.rs") ?? []
  const name = docs === undefined ? (room === "crates" ? named : undefined) : crateInDocs(docs)
  return name !== undefined && crateName.test(name) ? name : undefined
}

/**
 * Crates on crates.io, lib.rs and docs.rs, by crates.io's interface (https://crates.io/data-access, which asks for a user
 * agent and a request a second at most), without the list of all versions.
 */
export const crates: SiteRule = {
  name: "crates",
  request: (url) => {
    const name = crateOf(url)
    if (name === undefined) return undefined
    return jsonRequest(`https://crates.io/api/v1/crates/${name}?include=keywords,default_version`)
  },
  read: (answer, url) => {
    const said = parseJson(answer)
    const crate = valueAt(said, "crate")
    const newest = valueAt(said, "versions", 0)
    const page = packagePage({
      registry: "crates.io",
      name: textAt(crate, "name"),
      description: textAt(crate, "description"),
      authors: [textAt(newest, "published_by", "name") ?? textAt(newest, "published_by", "login")],
      version: textAt(crate, "max_stable_version") ?? textAt(crate, "newest_version"),
      licenses: [textAt(newest, "license")],
      repository: textAt(crate, "repository"),
      homepage: textAt(crate, "homepage"),
      keywords: textsAt(crate, 20, "keywords"),
      publishedAt: textAt(crate, "created_at")
    })
    // Its own page in docs.rs and lib.rs has the readme; that of crates.io is drawn by a script.
    return page === undefined || url.hostname.endsWith("crates.io")
      ? page
      : { ...page, text: undefined, siteName: undefined }
  }
}
