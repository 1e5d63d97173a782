import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"
import { atHome } from "./SiteDresses.ts"

/** Where `/amp` is a name like any other: code hosts, package registries, encyclopedias, people's pages. */
const anyName =
  /(?:^|\.)(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|npmjs\.com|pypi\.org|crates\.io|docs\.rs|wikipedia\.org|wiktionary\.org|youtube\.com|x\.com|reddit\.com|instagram\.com|medium\.com)$/

/** The page that an AMP cache shows, with its address in the path (https://amp.dev/documentation). */
const cached = (url: URL): URL => {
  const pattern = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/.test(url.hostname)
    ? /^\/amp\/(s\/)?(.+)$/
    : url.hostname.endsWith(".cdn.ampproject.org")
      ? /^\/(?:c|v|wp\/c)\/(s\/)?(.+)$/
      : undefined
  const [, secure, rest] = pattern?.exec(url.pathname) ?? []
  if (rest === undefined) return url
  return URL.parse(`http${secure === undefined ? "" : "s"}://${rest}${url.search}${url.hash}`) ?? url
}

/** The host without a label that only says how the page is shown; never less than two labels. */
const plainHost = (host: string): string =>
  host
    .replace(/^www\.(?=[^.]+\.)/, "")
    .replace(/^(?:m|mobile|amp|touch)\.(?=[^.]+\.)/, "")
    .replace(/^([a-z-]{2,12})\.(?:m|mobile)\.(?=[^.]+\.)/, "$1.")

/** The path without a file that stands for its folder, and without what marks it as AMP. */
const plainPath = (path: string, host: string): string => {
  const folder = path.replace(/\/(?:index|default)\.(?:x?html?|php\d?|aspx?|jsp)$/i, "/")
  if (anyName.test(host)) return folder
  return folder.replace(/(?<=[^/])(?:\/amp\/?|\.amp(?:\.html)?)$/, "").replace(/^\/amp(?=\/[^/])/, "")
}

const isAmp = (name: string, value: string): boolean =>
  (name === "amp" && /^(?:1|true|amp)?$/i.test(value)) || (/^outputtype$/i.test(name) && /^amp$/i.test(value))

/** The parameters that say which page is meant, by name: their order says nothing. */
const plainQuery = (url: URL): string => {
  const kept = new URLSearchParams([...url.searchParams].filter(([name, value]) => !isAmp(name, value)))
  kept.sort()
  return kept.size === 0 ? "" : `?${kept}`
}

/**
 * What a page's address has in common with those of its other dresses: no scheme, no `www.`, `m.` or `amp.`, no default
 * port, no `index.html`, no slash at the end, no parameters of tracking. None for what is no address of the web.
 */
export const pageKey = (address: string): string | undefined => {
  const parsed = parseWebUrl(address)
  if (parsed._tag === "None") return undefined
  const given = cached(parsed.value)
  const host = plainHost(given.hostname.replace(/\.+$/, ""))
  const folded = new URL(given)
  folded.hostname = host
  folded.pathname = plainPath(given.pathname, host)
  const url = atHome(new URL(normalizeUrl(folded)))
  const port = /^(?:80|443)?$/.test(url.port) ? "" : `:${url.port}`
  return `${url.hostname}${port}${url.pathname.replace(/\/+$/, "")}${plainQuery(url)}${url.hash}`
}
