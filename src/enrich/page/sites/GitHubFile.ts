import { preformatted } from "../article/Articles.ts"
import { readMarkdown } from "../files/Markdown.ts"
import { gitHubPath } from "./GitHubApi.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import type { SiteRule } from "./SiteRule.ts"

/** Files that are not text to read, by the ends of their names; their pages show or offer them. */
const binary =
  /\.(?:7z|avif|bin|bmp|bz2|class|dll|dylib|exe|gif|gz|ico|ipynb|jar|jpe?g|mov|mp[34]|o|ogg|otf|pdf|png|pyc|so|svg|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xz|zip|zst)$/i

const fileOf = (url: URL) => {
  const { below = [], repository } = gitHubPath(url) ?? {}
  const [room, reference, ...path] = below
  return repository === undefined ||
    (room !== "blob" && room !== "blame") ||
    reference === undefined ||
    path.length === 0
    ? undefined
    : { repository, reference, path }
}

const read = (answer: string, url: URL): SitePage | undefined => {
  const file = fileOf(url)
  // Characters of binary files: zero, and the replacement for invalid UTF-8.
  if (file === undefined || answer.trim() === "" || /[\0\ufffd]/.test(answer.slice(0, 10_000)))
    return undefined
  const path = file.path.join("/")
  const page = { siteName: "GitHub", type: "page", description: `${path} in ${file.repository}` } as const
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

/**
 * Files in repositories on GitHub, by their content as it is, which costs none of the API's few requests. A reference
 * with slashes, such as a branch `feature/x`, needs no resolving there. A file of Markdown states its title, and often
 * more.
 */
export const gitHubFile: SiteRule = {
  name: "github-file",
  request: (url) => {
    const file = fileOf(url)
    if (file === undefined || binary.test(file.path.at(-1) ?? "")) return undefined
    const path = [...file.repository.split("/"), file.reference, ...file.path]
      .map(encodeURIComponent)
      .join("/")
    return { address: new URL(`https://raw.githubusercontent.com/${path}`), accept: "text/plain, */*;q=0.1" }
  },
  read
}
