import { type SiteRequest, segmentsOn } from "./SiteRule.ts"

/** A user's, an organization's or a repository's name. */
const name = /^(?!\.+$)[\w.-]{1,100}$/

/** Where an address leads to below a GitHub repository. */
interface GitHubPath {
  /** `owner/name`. */
  readonly repository: string
  /** The segments below the repository, decoded. */
  readonly below: ReadonlyArray<string>
}

/** The place below a GitHub repository that an address leads to; undefined elsewhere. */
export const gitHubPath = (url: URL): GitHubPath | undefined => {
  const [owner = "", repository = "", ...below] = segmentsOn(url, "github.com", "www.github.com") ?? []
  return name.test(owner) && name.test(repository) && below.length > 0
    ? { repository: `${owner}/${repository}`, below }
    : undefined
}

/**
 * A request to GitHub's API without an account, which has 60 of them an hour (https://docs.github.com/rest). Texts come
 * in Markdown, as plain text and as HTML.
 */
export const gitHubRequest = (path: string): SiteRequest => ({
  address: new URL(`https://api.github.com/${path}`),
  accept: "application/vnd.github.full+json"
})
