import { isObject } from "../../../domain/Json.ts"
import { readMarkdown } from "../files/Markdown.ts"
import { textAt, valueAt } from "../UntrustedJson.ts"
import { parseCutAnswer } from "./CutJson.ts"
import { packagePage } from "./PackagePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

/** A project's name (https://packaging.python.org/specifications/name-normalization). */
const projectName = /^[a-z\d](?:[\w.-]{0,98}[a-z\d])?$/i

/** The names in a field of addresses, such as `"Ann Example" <ann@example.org>, Bob <bob@example.org>`. */
const namesIn = (addresses: string | undefined): ReadonlyArray<string> =>
  (addresses ?? "")
    .slice(0, 2_000)
    .split(",")
    .map((one) => one.replace(/<.*$/s, "").replaceAll('"', "").trim())
    .filter((name) => name !== "" && !name.includes("@"))

/** Labels of addresses in their normal form (https://packaging.python.org/specifications/well-known-project-urls). */
const sourceLabels: ReadonlySet<string> = new Set(["source", "repository", "sourcecode", "github", "code"])
const homeLabels: ReadonlySet<string> = new Set(["homepage", "home"])

/** The first address that a project gives under one of these labels. */
const linkIn = (info: unknown, labels: ReadonlySet<string>): string | undefined => {
  const links = valueAt(info, "project_urls")
  const names = isObject(links) ? Object.keys(links).slice(0, 50) : []
  const name = names.find((one) =>
    labels.has(
      one
        .slice(0, 50)
        .replace(/[\s\p{P}]/gu, "")
        .toLowerCase()
    )
  )
  return name === undefined ? undefined : textAt(links, name)
}

/** The description of a project, whose type is stated beside it; without one it is reStructuredText. */
const readmeOf = (info: unknown, url: URL) => {
  const description = textAt(info, "description")
  const isMarkdown = textAt(info, "description_content_type")?.startsWith("text/markdown") === true
  if (!isMarkdown || description === undefined) return { text: description }
  const { article, text } = readMarkdown({ url, name: "", text: description }).content()
  return { text, html: article }
}

/** Projects on PyPI, by its JSON interface (https://docs.pypi.org/api/json); its pages answer browsers only. */
export const pyPi: SiteRule = {
  name: "pypi",
  request: (url) => {
    const [room, name = ""] = segmentsOn(url, "pypi.org", "www.pypi.org", "pypi.python.org") ?? []
    const isProject = room === "project" || (url.hostname === "pypi.python.org" && room === "pypi")
    return isProject && projectName.test(name) ? jsonRequest(`https://pypi.org/pypi/${name}/json`) : undefined
  },
  read: (answer, url) => {
    // The description comes before the list of files, which is longer than the limit for old projects.
    const info = valueAt(parseCutAnswer(answer, 1), "info")
    const authors = [...namesIn(textAt(info, "author")), ...namesIn(textAt(info, "author_email"))]
    return packagePage({
      registry: "PyPI",
      name: textAt(info, "name"),
      description: textAt(info, "summary"),
      authors: [...new Set(authors.length > 0 ? authors : namesIn(textAt(info, "maintainer")))],
      version: textAt(info, "version"),
      licenses: [textAt(info, "license_expression") ?? textAt(info, "license")],
      repository: linkIn(info, sourceLabels),
      homepage: textAt(info, "home_page") ?? linkIn(info, homeLabels),
      keywords: (textAt(info, "keywords") ?? "").slice(0, 1_000).split(/\s*,\s*/),
      readme: readmeOf(info, url)
    })
  }
}
