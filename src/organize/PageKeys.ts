import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"

/** Hosts that show what another host shows. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["twitter.com", "x.com"],
  ["old.reddit.com", "reddit.com"],
  ["new.reddit.com", "reddit.com"],
  ["np.reddit.com", "reddit.com"],
  ["youtube-nocookie.com", "youtube.com"]
])

const video = /^[\w-]{11}$/

/** The video an address of YouTube is about: it has many, with places in the video and in lists. */
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

/** The address that a few large sites have for what they show under several. Takes one without `www.` or `m.`. */
const atHome = (url: URL): URL => {
  const home = new URL(url)
  home.hostname = otherNames.get(url.hostname) ?? url.hostname
  if (home.hostname === "youtube.com" || home.hostname === "youtu.be") {
    const id = videoOf(home)
    return id === undefined ? home : new URL(`https://youtube.com/watch?v=${id}`)
  }
  if (home.hostname === "github.com")
    // Owners and repositories are found in any case, and as what `git clone` takes.
    home.pathname = home.pathname.replace(/^\/[^/]+\/[^/]+|^\/[^/]+$/, (name) =>
      name.toLowerCase().replace(/(?<=\/[^/]+\/[^/]+)\.git$/, "")
    )
  return home
}

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
const pageKey = (address: string): string | undefined => {
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

/** Pages many addresses end up at that have nothing else in common, by their paths and by their hosts. */
const anybodysPath =
  /\/(?:(?:user|users|account|accounts|uas|wp)[/-])?(?:log-?in|sign-?in|sign-?up|signup|register|authwall|auth|authorize|oauth2?|sso|consent|gdpr|cookies?|cookie-?consent|captcha|challenge|sorry|cdn-cgi|404|error|not-?found|unsupported|paywall|subscribe)(?:[/.]|$)/i
const anybodysHost = /^(?:log-?in|sign-?in|accounts?|auth|sso|idp?|consent|privacy|captcha)\./i

/** Suffixes below which everybody has a name of their own, besides the countries' `co.uk` and its like. */
const shared =
  /(?:^|\.)(?:(?:co|com|org|net|ac|gov|edu|or|ne|go)\.[a-z]{2}|(?:github|gitlab|codeberg)\.(?:io|page)|(?:pages|workers|web|fly|deno)\.(?:dev|app)|(?:vercel|netlify|herokuapp|blogspot|wordpress|substack|tumblr|neocities|readthedocs)\.(?:app|com|org|io))$/

/** The part of a host that somebody has registered, as far as its looks tell. */
const siteOf = (host: string): string => {
  if (/^[\d.]+$|^\[/.test(host)) return host
  const labels = host.split(".")
  const two = labels.slice(-2).join(".")
  return shared.test(two) ? labels.slice(-3).join(".") : two
}

const isFront = (key: string): boolean => !/[/?#]/.test(key)

/** Whether an address that a page names, or led to, can stand for it. */
const standsFor = (key: string, page: string, address: URL): boolean => {
  if (isFront(key) && !isFront(page)) return false
  return (
    !anybodysPath.test(address.pathname) &&
    (hostOf(key) === hostOf(page) || !anybodysHost.test(address.hostname))
  )
}

const hostOf = (key: string): string => /^(?:\[[^\]]*\]|[^:/?#]*)/.exec(key)?.[0] ?? key

/**
 * The keys of which two links of one page share at least one, the address's own first: of its address, of the one its page
 * calls canonical (RFC 6596), and of the one its redirects led to.
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
    // A redirect may lead elsewhere, as short addresses do; what a page says of itself counts for its own site alone.
    if (other === final || siteOf(hostOf(key)) === siteOf(hostOf(own))) keys.add(key)
  }
  return [...keys]
}
