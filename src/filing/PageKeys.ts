import { pageKey } from "./PageKey.ts"

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
