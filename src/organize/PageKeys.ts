import { Option } from "effect"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { pageKey, savingKey } from "../shared/page/PageKey.ts"
import { registeredDomain } from "../shared/WebAddress.ts"

/** Paths and hosts of pages that many unrelated addresses lead to, such as logins. */
const genericPath =
  /\/(?:(?:user|users|account|accounts|uas|wp)[/-])?(?:log-?in|sign-?in|sign-?up|signup|register|authwall|auth|authorize|oauth2?|sso|consent|gdpr|cookies?|cookie-?consent|captcha|challenge|sorry|cdn-cgi|404|error|not-?found|unsupported|paywall|subscribe)(?:[/.]|$)/i
const genericHost = /^(?:log-?in|sign-?in|accounts?|auth|sso|idp?|consent|privacy|captcha)\./i

const isFront = (key: string): boolean => !/[/?#]/.test(key)

const standsFor = (key: string, page: string, address: URL): boolean => {
  if (isFront(key) && !isFront(page)) return false
  return (
    !genericPath.test(address.pathname) &&
    (hostOf(key) === hostOf(page) || !genericHost.test(address.hostname))
  )
}

const hostOf = (key: string): string => /^(?:\[[^\]]*\]|[^:/?#]*)/.exec(key)?.[0] ?? key

const keyBy =
  (key: (url: URL) => string) =>
  (address: string): string | undefined =>
    Option.getOrUndefined(Option.map(parseWebUrl(address), key))

/**
 * Address, canonical address (RFC 6596) and final address; with `surely`, copies such as archives and PDFs share none.
 */
export const pageKeys = (
  address: string,
  canonical: string | null,
  final: string | null,
  surely = false
): ReadonlyArray<string> => {
  const keyOf = keyBy(surely ? savingKey : pageKey)
  const own = keyOf(address)
  if (own === undefined) return []
  const keys = new Set([own])
  for (const other of [canonical, final]) {
    const url = other === null ? null : URL.parse(other)
    const key = other === null ? undefined : keyOf(other)
    if (url === null || key === undefined || !standsFor(key, own, url)) continue
    // A redirect may lead to another site, as short addresses do; a canonical address counts only within its own site.
    if (other === final || registeredDomain(hostOf(key)) === registeredDomain(hostOf(own))) keys.add(key)
  }
  return [...keys]
}
