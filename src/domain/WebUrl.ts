import { Option } from "effect"
import { isTooLong, trimmedAddress } from "../shared/GivenAddress.ts"

/** The required start of an address: http or https, both slashes, and a host. */
const shape = /^https?:\/\/[^/\\?#\s]/i

/** Stricter than https://url.spec.whatwg.org: white space, missing slashes or hosts are rejected, not repaired. */
export const parseWebUrl = (text: string): Option.Option<URL> => {
  const address = trimmedAddress(text)
  if (isTooLong(address) || !shape.test(address) || /[\s\p{Cc}]/u.test(address)) return Option.none()
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ""
    ? Option.some(url)
    : Option.none()
}
