import { parseWebUrl } from "../domain/WebUrl.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"

/** Hosts that show the same pages as another host. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["twitter.com", "x.com"],
  ["old.reddit.com", "reddit.com"],
  ["new.reddit.com", "reddit.com"],
  ["np.reddit.com", "reddit.com"],
  ["youtube-nocookie.com", "youtube.com"]
])

const video = /^[\w-]{11}$/

/** Returns a YouTube address's video id; a video has many addresses, with positions in the video and in lists. */
const videoOf = (url: URL): string | undefined => {
  const [first = "", second = ""] = url.pathname.split("/").filter((part) => part !== "")
  const id =
    url.hostname === "youtu.be"
      ? first
      : first === "watch"
        ? url.searchParams.get("v")
        : /^(?:shorts|embed|live|v)$/.test(first)
          ? second
          : null
  return id !== null && video.test(id) ? id : undefined
}

/** Returns the main address of a page that a few large sites show under several; takes one without `www.` or `m.`. */
const canonicalAddress = (url: URL): URL => {
  const home = new URL(url)
  home.hostname = otherNames.get(url.hostname) ?? url.hostname
  if (home.hostname === "youtube.com" || home.hostname === "youtu.be") {
    const id = videoOf(home)
    return id === undefined ? home : new URL(`https://youtube.com/watch?v=${id}`)
  }
  if (home.hostname === "github.com")
    // GitHub ignores the case of owners and repositories, and accepts the `.git` of `git clone`.
    home.pathname = home.pathname.replace(/^\/[^/]+\/[^/]+|^\/[^/]+$/, (name) =>
      name.toLowerCase().replace(/(?<=\/[^/]+\/[^/]+)\.git$/, "")
    )
  return home
}

/** Hosts where `/amp` may be an ordinary name: code hosts, package registries, encyclopedias, personal pages. */
const ampIsOrdinary =
  /(?:^|\.)(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|npmjs\.com|pypi\.org|crates\.io|docs\.rs|wikipedia\.org|wiktionary\.org|youtube\.com|x\.com|reddit\.com|instagram\.com|medium\.com)$/

/** Returns the page that an AMP cache shows, whose address is in the path (https://amp.dev/documentation). */
const ampSource = (url: URL): URL => {
  const pattern = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/.test(url.hostname)
    ? /^\/amp\/(s\/)?(.+)$/
    : url.hostname.endsWith(".cdn.ampproject.org")
      ? /^\/(?:c|v|wp\/c)\/(s\/)?(.+)$/
      : undefined
  const [, secure, rest] = pattern?.exec(url.pathname) ?? []
  if (rest === undefined) return url
  return URL.parse(`http${secure === undefined ? "" : "s"}://${rest}${url.search}${url.hash}`) ?? url
}

/** Returns the host without a label that only selects a presentation; keeps at least two labels. */
const plainHost = (host: string): string =>
  host
    .replace(/^www\.(?=[^.]+\.)/, "")
    .replace(/^(?:m|mobile|amp|touch)\.(?=[^.]+\.)/, "")
    .replace(/^([a-z-]{2,12})\.(?:m|mobile)\.(?=[^.]+\.)/, "$1.")

/** Returns the path without an index file and without AMP markers. */
const plainPath = (path: string, host: string): string => {
  const folder = path.replace(/\/(?:index|default)\.(?:x?html?|php\d?|aspx?|jsp)$/i, "/")
  if (ampIsOrdinary.test(host)) return folder
  return folder.replace(/(?<=[^/])(?:\/amp\/?|\.amp(?:\.html)?)$/, "").replace(/^\/amp(?=\/[^/])/, "")
}

const isAmp = (name: string, value: string): boolean =>
  (name === "amp" && /^(?:1|true|amp)?$/i.test(value)) || (/^outputtype$/i.test(name) && /^amp$/i.test(value))

/** Returns the parameters that identify the page, sorted by name, because their order is irrelevant. */
const plainQuery = (url: URL): string => {
  const kept = new URLSearchParams([...url.searchParams].filter(([name, value]) => !isAmp(name, value)))
  kept.sort()
  return kept.size === 0 ? "" : `?${kept}`
}

/**
 * Returns a key that all variants of a page's address share: without scheme, `www.`, `m.`, `amp.`, default port,
 * `index.html`, trailing slash and tracking parameters. Undefined for anything but a web address.
 */
const pageKey = (address: string): string | undefined => {
  const parsed = parseWebUrl(address)
  if (parsed._tag === "None") return undefined
  const given = ampSource(parsed.value)
  const host = plainHost(given.hostname.replace(/\.+$/, ""))
  const folded = new URL(given)
  folded.hostname = host
  folded.pathname = plainPath(given.pathname, host)
  const url = canonicalAddress(new URL(normalizeUrl(folded)))
  const port = /^(?:80|443)?$/.test(url.port) ? "" : `:${url.port}`
  return `${url.hostname}${port}${url.pathname.replace(/\/+$/, "")}${plainQuery(url)}${url.hash}`
}

/** Paths and hosts of pages that many unrelated addresses lead to, such as logins. */
const genericPath =
  /\/(?:(?:user|users|account|accounts|uas|wp)[/-])?(?:log-?in|sign-?in|sign-?up|signup|register|authwall|auth|authorize|oauth2?|sso|consent|gdpr|cookies?|cookie-?consent|captcha|challenge|sorry|cdn-cgi|404|error|not-?found|unsupported|paywall|subscribe)(?:[/.]|$)/i
const genericHost = /^(?:log-?in|sign-?in|accounts?|auth|sso|idp?|consent|privacy|captcha)\./i

/** Suffixes under which anybody can register a name: countries' `co.uk` and similar ones, and hosting services. */
const sharedSuffix =
  /(?:^|\.)(?:(?:co|com|org|net|ac|gov|edu|or|ne|go)\.[a-z]{2}|(?:github|gitlab|codeberg)\.(?:io|page)|(?:pages|workers|web|fly|deno)\.(?:dev|app)|(?:vercel|netlify|herokuapp|blogspot|wordpress|substack|tumblr|neocities|readthedocs)\.(?:app|com|org|io))$/

/** Returns the registered domain of a host, as far as its form shows. */
const siteOf = (host: string): string => {
  if (/^[\d.]+$|^\[/.test(host)) return host
  const labels = host.split(".")
  const two = labels.slice(-2).join(".")
  return sharedSuffix.test(two) ? labels.slice(-3).join(".") : two
}

const isFront = (key: string): boolean => !/[/?#]/.test(key)

/** Whether an address that a page names, or redirects to, can stand for the page. */
const standsFor = (key: string, page: string, address: URL): boolean => {
  if (isFront(key) && !isFront(page)) return false
  return (
    !genericPath.test(address.pathname) &&
    (hostOf(key) === hostOf(page) || !genericHost.test(address.hostname))
  )
}

const hostOf = (key: string): string => /^(?:\[[^\]]*\]|[^:/?#]*)/.exec(key)?.[0] ?? key

/**
 * Returns the keys of a link's page, the address's own first: of its address, of the one its page calls canonical (RFC
 * 6596), and of the one its redirects led to. Two links to one page share at least one key.
 */
export const pageKeys = (
  address: string,
  canonical: string | null,
  final: string | null
): ReadonlyArray<string> => {
  const own = pageKey(address)
  if (own === undefined) return []
  const keys = new Set([own])
  for (const other of [canonical, final]) {
    const url = other === null ? null : URL.parse(other)
    const key = other === null ? undefined : pageKey(other)
    if (url === null || key === undefined || !standsFor(key, own, url)) continue
    // A redirect may lead to another site, as short addresses do; a canonical address counts only within its own site.
    if (other === final || siteOf(hostOf(key)) === siteOf(hostOf(own))) keys.add(key)
  }
  return [...keys]
}
