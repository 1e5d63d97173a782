import { isObject } from "../../../domain/Json.ts"
import { preformatted } from "../article/Articles.ts"
import { readMarkdown } from "../files/Markdown.ts"
import { numberAt, textAt, textsAt, valueAt } from "../UntrustedJson.ts"
import { articleAt, type SitePage, sitePageOf } from "./SitePage.ts"
import { filled, jsonRule, type Parts, type SiteRow, textRule } from "./SiteRule.ts"

const below = (rest: string) =>
  new RegExp(
    String.raw`^(?:www\.)?github\.com/(?<repository>(?!\.+/)[\w.-]{1,100}/(?!\.+/)[\w.-]{1,100})/${rest}`,
    "s"
  )

/** Texts come in Markdown, as plain text and as HTML. Without an account, GitHub answers 60 requests an hour. */
const accept = "application/vnd.github.full+json"
const api = "https://api.github.com"

const stateOf = (issue: unknown): string => {
  const isPull = valueAt(issue, "pull_request") !== undefined
  const what = isPull ? "pull request" : "issue"
  if (textAt(issue, "pull_request.merged_at") !== undefined) return `Merged ${what}`
  if (textAt(issue, "state") !== "closed") return `Open ${what}`
  return textAt(issue, "state_reason") === "not_planned" ? `Closed ${what}, not planned` : `Closed ${what}`
}

const statusOf = (issue: unknown): string => {
  const labels = textsAt(issue, "labels", 20, "name")
  const comments = numberAt(issue, "comments") ?? 0
  return [
    stateOf(issue),
    ...(labels.length > 0 ? [`labels: ${labels.join(", ")}`] : []),
    ...(comments > 0 ? [`${comments} ${comments === 1 ? "comment" : "comments"}`] : [])
  ].join("; ")
}

const readIssue = (issue: unknown, url: URL): SitePage | undefined => {
  const title = textAt(issue, "title")
  if (title === undefined || numberAt(issue, "number") === undefined) return undefined
  const body = textAt(issue, "body_text body")
  return sitePageOf({
    title,
    description: body ?? statusOf(issue),
    author: textAt(issue, "user.login"),
    publishedAt: textAt(issue, "created_at"),
    siteName: "GitHub",
    type: "post",
    facts: { score: numberAt(issue, "reactions.+1") || undefined },
    text: [body, statusOf(issue)].filter((part) => part !== undefined).join("\n"),
    article: articleAt(issue, url, "body_html")
  })
}

/** A name that is only a version says nothing without the repository's. */
const bareVersion = /^(?:release[\s-]+)?v?\d[\w.+-]*$/i

const readRelease = (release: unknown, url: URL, { repository }: Parts): SitePage | undefined => {
  const tag = textAt(release, "tag_name")
  if (tag === undefined) return undefined
  const name = textAt(release, "name")?.trim() || tag
  const notes = textAt(release, "body_text body")
  return sitePageOf({
    title: bareVersion.test(name) ? `${repository?.split("/")[1] ?? ""} ${name}`.trim() : name,
    description: notes,
    author: textAt(release, "author.login"),
    publishedAt: textAt(release, "published_at"),
    siteName: "GitHub",
    type: "article",
    facts: { version: tag },
    text: notes,
    article: articleAt(release, url, "body_html")
  })
}

/** A gist has a few files; the API lists 300 at most. */
const MAX_FILES = 300

const readGist = (gist: unknown): SitePage | undefined => {
  const listed = valueAt(gist, "files")
  const files = isObject(listed) ? Object.values(listed).slice(0, MAX_FILES) : []
  const names = files.flatMap((file) => textAt(file, "filename") ?? [])
  if (names.length === 0) return undefined
  return sitePageOf({
    title: textAt(gist, "description")?.trim() || names[0],
    description: `${names.length === 1 ? "File" : "Files"}: ${names.join(", ")}`,
    author: textAt(gist, "owner.login"),
    publishedAt: textAt(gist, "created_at"),
    siteName: "GitHub Gist",
    type: "post",
    text: files.flatMap((file) => textAt(file, "content") ?? []).join("\n")
  })
}

const sites: ReadonlyArray<SiteRow> = [
  {
    // The API treats a pull request as an issue (https://docs.github.com/rest/issues/issues#get-an-issue).
    name: "github-issue",
    forms: [
      {
        at: below(String.raw`(?:issues|pull)/(?<number>\d{1,10})(?:/|$)`),
        api: `${api}/repos/{+repository}/issues/{number}`
      }
    ],
    accept,
    read: readIssue
  },
  {
    // https://docs.github.com/rest/releases/releases
    name: "github-release",
    forms: [
      { at: below("releases/latest$"), api: `${api}/repos/{+repository}/releases/latest` },
      { at: below("releases/tag/(?<tag>.+)$"), api: `${api}/repos/{+repository}/releases/tags/{tag}` }
    ],
    accept,
    read: readRelease
  },
  {
    // https://docs.github.com/rest/gists/gists#get-a-gist; an address without an owner leads to the same gist.
    name: "github-gist",
    forms: [
      {
        at: /^gist\.github\.com\/(?:[^/]+\/)?(?<id>[\da-f]{20}|[\da-f]{32})(?:\/|$)/,
        api: `${api}/gists/{id}`
      }
    ],
    accept,
    read: readGist
  }
]

/** Files that are not text to read, by the ends of their names; their pages show or offer them. */
const binary =
  /\.(?:7z|avif|bin|bmp|bz2|class|dll|dylib|exe|gif|gz|ico|ipynb|jar|jpe?g|mov|mp[34]|o|ogg|otf|pdf|png|pyc|so|svg|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xz|zip|zst)$/i

/** The content of a file costs none of the API's few requests, and references may have slashes. */
const file = textRule({
  name: "github-file",
  forms: [
    {
      at: below("(?:blob|blame)/(?<reference>[^/]+)/(?<path>.+)$"),
      api: (parts) =>
        binary.test(parts["path"] ?? "")
          ? undefined
          : filled("https://raw.githubusercontent.com/{+repository}/{+reference}/{+path}", parts)
    }
  ],
  accept: "text/plain, */*;q=0.1",
  read: (answer, url, { path, repository }) => {
    // Characters of binary files: zero, and the replacement for invalid UTF-8.
    if (path === undefined || answer.trim() === "" || /[\0\ufffd]/.test(answer.slice(0, 10_000)))
      return undefined
    const page = { siteName: "GitHub", type: "page", description: `${path} in ${repository}` } as const
    if (!/\.(?:md|markdown)$/i.test(path))
      return sitePageOf({ ...page, title: path, article: preformatted(answer) })
    const { content, metadata } = readMarkdown({ url, name: path, text: answer })
    const { article, text } = content()
    return sitePageOf({
      ...page,
      title: metadata.title ?? path,
      description: metadata.description || page.description,
      author: metadata.author ?? undefined,
      publishedAt: metadata.publishedAt ?? undefined,
      article: { html: article, text }
    })
  }
})

export const gitHubRules = [...sites.map(jsonRule), file]
