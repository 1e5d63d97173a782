import { Option } from "effect"
import { isTooLong, trimmedAddress } from "../shared/GivenAddress.ts"

/** The required start of an address: http or https, both slashes, and a host. */
const shape = /^https?:\/\/[^/\\?#\s]/i

/**
 * Parses an http or https address; none for anything else.
 *
 * Stricter than the WHATWG parser (https://url.spec.whatwg.org): inner white space and controls, a missing slash or
 * host and other schemes are rejected, not repaired.
 */
export const parseWebUrl = (text: string): Option.Option<URL> => {
  const address = trimmedAddress(text)
  if (isTooLong(address) || !shape.test(address) || /[\s\p{Cc}]/u.test(address)) return Option.none()
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ""
    ? Option.some(url)
    : Option.none()
}
