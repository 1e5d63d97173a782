import { cleanLine } from "../../../shared/Text.ts"
import { joinNames } from "../fields/Bylines.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"

/** A package as its registry describes it; a missing field is undefined. */
interface PackageDescription {
  readonly registry: string
  readonly name: string | undefined
  readonly description?: string | undefined
  readonly authors?: ReadonlyArray<string | undefined>
  /** The newest version. */
  readonly version?: string | undefined
  /** Licences, as SPDX identifiers or in the author's words. */
  readonly licenses?: ReadonlyArray<string | undefined>
  readonly repository?: string | undefined
  readonly homepage?: string | undefined
  readonly keywords?: ReadonlyArray<string | undefined>
  /** When it was first published. */
  readonly publishedAt?: string | undefined
  /** What the package says about itself at length, in plain text and, if it has structure, as the HTML of an `Article`. */
  readonly readme?: { readonly text: string | undefined; readonly html?: string } | undefined
}

/** Longest value of a line below the text; some packages give the text of their licence in place of its name. */
const MAX_VALUE = 200

const labelled = (label: string, values: ReadonlyArray<string | undefined>): string => {
  const known = values
    .slice(0, 20)
    .map((value) => cleanLine(value?.trim().split("\n", 1)[0] ?? "", MAX_VALUE))
    .filter((value) => value !== "")
  return known.length === 0 ? "" : `${label}: ${known.join(", ")}`
}

/** The address of a package's repository without what only its tools need, such as `git+` and `.git`. */
const webAddress = (repository: string | undefined): string | undefined =>
  repository
    ?.trim()
    .replace(/^git\+/, "")
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, "https://")
    .replace(/^git@([^:/]+):/, "https://$1/")
    .replace(/^github:/, "https://github.com/")
    .replace(/\.git$/, "")

/** The page of a package in a registry: its text is its readme, or its description, with what else is known below. */
export const packagePage = (stated: PackageDescription): SitePage | undefined => {
  const { description, homepage, keywords = [], licenses = [], name, readme, registry, version } = stated
  if (name === undefined) return undefined
  const text = [
    readme?.text || description || "",
    labelled("Keywords", keywords),
    labelled("License", licenses),
    labelled("Repository", [webAddress(stated.repository)]),
    labelled("Homepage", [homepage])
  ]
    .filter((line) => line !== "")
    .join("\n")
  return sitePageOf({
    title: name,
    description,
    author: joinNames(stated.authors ?? []),
    publishedAt: stated.publishedAt,
    siteName: registry,
    type: "package",
    facts: { version },
    text,
    article: readme?.html === undefined ? undefined : { html: readme.html, text }
  })
}
