import { normalizeUrl, withoutFinal } from "../UrlIdentity.ts"
import { codeSites } from "./CodeSites.ts"
import { byHost, type Purpose, siteAddress, unwrapped } from "./Form.ts"
import { mediaSites } from "./MediaSites.ts"
import { paperSites } from "./PaperSites.ts"
import { shopSites } from "./ShopSites.ts"
import { wrappersByHost } from "./Wrappers.ts"

const sitesByHost = byHost(
  [paperSites, codeSites, mediaSites, shopSites].flat(),
  ({ hosts, mirrors = [] }) => [...hosts, ...mirrors]
)

/** Hosts where `/amp` may be an ordinary name: code hosts, package registries, encyclopedias, personal pages. */
const ampIsOrdinary =
  /(?:^|\.)(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|npmjs\.com|pypi\.org|crates\.io|docs\.rs|wikipedia\.org|wiktionary\.org|youtube\.com|x\.com|twitter\.com|reddit\.com|instagram\.com|medium\.com)$/

/** Drops a label that only selects a presentation; keeps at least two labels. */
const plainHost = (host: string, mayBeMobile: boolean): string => {
  const bare = host.replace(/^www\.(?=[^.]+\.)/, "")
  return mayBeMobile
    ? bare
        .replace(/^(?:m|mobile|amp|touch)\.(?=[^.]+\.)/, "")
        .replace(/^([a-z-]{2,12})\.(?:m|mobile)\.(?=[^.]+\.)/, "$1.")
    : bare
}

const indexFile = /\/(?:index|default)\.(?:x?html?|php\d?|aspx?|jsp)$/i

const plainPath = (path: string, host: string, purpose: Purpose): string => {
  const folder = purpose === "saving" ? path : path.replace(indexFile, "/")
  if (ampIsOrdinary.test(host)) return folder
  const page = folder.replace(/(?<=[^/])\.amp(?:\.html)?$/, "").replace(/(?<=\.html?)\/amp\/?$/, "")
  // A guitar shop has amplifiers under `/amp`, so such a path is enough to propose two links, not to join them.
  return purpose === "saving" ? page : page.replace(/(?<=[^/])\/amp\/?$/, "").replace(/^\/amp(?=\/[^/])/, "")
}

const isAmp = (name: string, value: string): boolean =>
  (name === "amp" && /^(?:1|true|amp)?$/i.test(value)) || (/^outputtype$/i.test(name) && /^amp$/i.test(value))

/** Sorted: the order is irrelevant almost everywhere. */
const plainQuery = (url: URL, purpose: Purpose): string => {
  const kept = new URLSearchParams([...url.searchParams].filter(([name, value]) => !isAmp(name, value)))
  if (purpose === "finding") kept.sort()
  return kept.size === 0 ? "" : `?${kept}`
}

/** Decodes the escapes of characters that need none in a path (RFC 2396, 2.3). */
const plainEscapes = (path: string): string =>
  path.replace(/%(?:21|27|28|29|2A)/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))

/** Hosts without a public name, where a different spelling is more often a different server. */
const privateHost = /^(?:[^.]+|[\d.]+|\[.*\]|.*\.(?:localhost|local|lan|internal|home\.arpa|test))$/

const keyOf = (url: URL, purpose: Purpose): string => {
  const given = unwrapped(wrappersByHost, url, purpose)
  const isFront = /^\/?$/.test(given.pathname) && given.search === ""
  const host = plainHost(withoutFinal(".", given.hostname), purpose === "finding" || !isFront)
  const folded = new URL(given)
  folded.hostname = host
  folded.pathname = plainPath(plainEscapes(given.pathname), host, purpose)
  const page = siteAddress(sitesByHost, new URL(normalizeUrl(folded)), purpose)
  const port = /^(?:80|443)?$/.test(page.port) ? "" : `:${page.port}`
  const path = withoutFinal("/", page.pathname)
  return `${page.hostname}${port}${path}${plainQuery(page, purpose)}${page.hash}`
}

/** The same for all forms of a page's address on its site, and for archives and redirects that show it. */
export const pageKey = (url: URL): string => keyOf(url, "finding")

/** Only what is surely one page: an archived copy, a PDF, a version or a private host stays a link of its own. */
export const savingKey = (url: URL): string =>
  privateHost.test(url.hostname) ? normalizeUrl(url) : keyOf(url, "saving")
