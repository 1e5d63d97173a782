import { parseJson, textAt } from "../UntrustedJson.ts"
import { gitHubPath, gitHubRequest } from "./GitHubApi.ts"
import { articleAt, type SitePage, sitePageOf } from "./SitePage.ts"
import type { SiteRule } from "./SiteRule.ts"

/** A name that is only a version says nothing without the repository's. */
const bareVersion = /^(?:release[\s-]+)?v?\d[\w.+-]*$/i

const read = (answer: string, url: URL): SitePage | undefined => {
  const release = parseJson(answer)
  const tag = textAt(release, "tag_name")
  if (tag === undefined) return undefined
  const [, repository = ""] = gitHubPath(url)?.repository.split("/") ?? []
  const name = textAt(release, "name")?.trim() || tag
  const notes = textAt(release, "body_text") ?? textAt(release, "body")
  return sitePageOf({
    title: bareVersion.test(name) ? `${repository} ${name}`.trim() : name,
    description: notes,
    author: textAt(release, "author", "login"),
    publishedAt: textAt(release, "published_at"),
    siteName: "GitHub",
    type: "article",
    facts: { version: tag },
    text: notes,
    article: articleAt(release, url, "body_html")
  })
}

/** Releases on GitHub and their notes, by its API (https://docs.github.com/rest/releases/releases). */
export const gitHubRelease: SiteRule = {
  name: "github-release",
  request: (url) => {
    const { below = [], repository } = gitHubPath(url) ?? {}
    const [room, kind, ...tag] = below
    if (repository === undefined || room !== "releases") return undefined
    if (kind === "latest" && tag.length === 0) return gitHubRequest(`repos/${repository}/releases/latest`)
    // A tag may have slashes.
    return kind === "tag" && tag.length > 0
      ? gitHubRequest(`repos/${repository}/releases/tags/${tag.map(encodeURIComponent).join("/")}`)
      : undefined
  },
  read
}
