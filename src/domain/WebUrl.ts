import { Option } from "effect"

/** The longest address read, in UTF-16 units. */
const MAX_LENGTH = 8_192

/** Where a scheme is named it must be http or https, with both slashes and nothing hidden in it. */
const shape = /^https?:\/\/[^/\\?#\s]/i

/**
 * The http or https address that `text` is; none for anything else.
 *
 * Stricter than the WHATWG parser (https://url.spec.whatwg.org): white space and controls inside, a missing slash or
 * host and other schemes are refused, not repaired.
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
