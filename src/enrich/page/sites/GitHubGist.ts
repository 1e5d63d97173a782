import { isObject } from "../../../domain/Json.ts"
import { parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { gitHubRequest } from "./GitHubApi.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { type SiteRule, segmentsOn } from "./SiteRule.ts"

/** A gist has a few files; the API lists 300 at most. */
const MAX_FILES = 300

const read = (answer: string): SitePage | undefined => {
  const gist = parseJson(answer)
  const listed = valueAt(gist, "files")
  const files = isObject(listed) ? Object.values(listed).slice(0, MAX_FILES) : []
  const names = files.flatMap((file) => textAt(file, "filename") ?? [])
  if (names.length === 0) return undefined
  return sitePageOf({
    title: textAt(gist, "description")?.trim() || names[0],
    description: `${names.length === 1 ? "File" : "Files"}: ${names.join(", ")}`,
    author: textAt(gist, "owner", "login"),
    publishedAt: textAt(gist, "created_at"),
    siteName: "GitHub Gist",
    type: "post",
    text: files.flatMap((file) => textAt(file, "content") ?? []).join("\n")
  })
}

/** Gists, by GitHub's API (https://docs.github.com/rest/gists/gists#get-a-gist): titled by their description. */
export const gitHubGist: SiteRule = {
  name: "github-gist",
  request: (url) => {
    const segments = segmentsOn(url, "gist.github.com") ?? []
    // An address without an owner leads to the same gist.
    const id = segments.slice(0, 2).find((segment) => /^(?:[\da-f]{20}|[\da-f]{32})$/.test(segment))
    return id === undefined ? undefined : gitHubRequest(`gists/${id}`)
  },
  read
}
