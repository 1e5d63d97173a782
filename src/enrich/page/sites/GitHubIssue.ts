import { numberAt, objectsAt, parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { gitHubPath, gitHubRequest } from "./GitHubApi.ts"
import { articleAt, type SitePage, sitePageOf } from "./SitePage.ts"
import type { SiteRule } from "./SiteRule.ts"

/** How an issue or a pull request stands. */
const stateOf = (issue: unknown): string => {
  const isPull = valueAt(issue, "pull_request") !== undefined
  const what = isPull ? "pull request" : "issue"
  if (textAt(issue, "pull_request", "merged_at") !== undefined) return `Merged ${what}`
  if (textAt(issue, "state") !== "closed") return `Open ${what}`
  return textAt(issue, "state_reason") === "not_planned" ? `Closed ${what}, not planned` : `Closed ${what}`
}

/** The state, the labels and the number of comments, as a line. */
const statusOf = (issue: unknown): string => {
  const labels = objectsAt(issue, 20, "labels").flatMap((label) => textAt(label, "name") ?? [])
  const comments = numberAt(issue, "comments") ?? 0
  return [
    stateOf(issue),
    ...(labels.length > 0 ? [`labels: ${labels.join(", ")}`] : []),
    ...(comments > 0 ? [`${comments} ${comments === 1 ? "comment" : "comments"}`] : [])
  ].join("; ")
}

const read = (answer: string, url: URL): SitePage | undefined => {
  const issue = parseJson(answer)
  const title = textAt(issue, "title")
  if (title === undefined || numberAt(issue, "number") === undefined) return undefined
  const body = textAt(issue, "body_text") ?? textAt(issue, "body")
  const thumbs = numberAt(issue, "reactions", "+1")
  return sitePageOf({
    title,
    description: body ?? statusOf(issue),
    author: textAt(issue, "user", "login"),
    publishedAt: textAt(issue, "created_at"),
    siteName: "GitHub",
    type: "post",
    facts: { score: thumbs === 0 ? undefined : thumbs },
    text: [body, statusOf(issue)].filter((part) => part !== undefined).join("\n"),
    article: articleAt(issue, url, "body_html")
  })
}

/**
 * Issues and pull requests on GitHub, by its API (https://docs.github.com/rest/issues/issues#get-an-issue), which treats
 * a pull request as an issue. The title is the issue's own, without its number and its repository.
 */
export const gitHubIssue: SiteRule = {
  name: "github-issue",
  request: (url) => {
    const { below: [room = "", number = ""] = [], repository } = gitHubPath(url) ?? {}
    return repository !== undefined && /^(?:issues|pull)$/.test(room) && /^\d{1,10}$/.test(number)
      ? gitHubRequest(`repos/${repository}/issues/${number}`)
      : undefined
  },
  read
}
