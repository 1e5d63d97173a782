import { Option } from "effect"

/** Maximum length of an address in UTF-16 units. */
const MAX_LENGTH = 8_192

/** The required start of an address: http or https, both slashes, and a host. */
const shape = /^https?:\/\/[^/\\?#\s]/i

/**
 * Parses an http or https address; none for anything else.
 *
 * Stricter than the WHATWG parser (https://url.spec.whatwg.org): inner white space and controls, a missing slash or
 * host and other schemes are rejected, not repaired.
 */
export const parseWebUrl = (text: string): Option.Option<URL> => {
  const address = text.trim()
  if (address.length > MAX_LENGTH || !shape.test(address) || /[\s\p{Cc}]/u.test(address)) return Option.none()
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ""
    ? Option.some(url)
    : Option.none()
}

export { normalizeUrl } from "../shared/UrlIdentity.ts"
