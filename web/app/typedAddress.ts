import { ADDRESS_TOO_LONG, isTooLong } from "../../src/shared/GivenAddress.ts"
import { MAX_NOTE } from "../../src/shared/Limits.ts"
import { isHttpUrl } from "../../src/shared/WebAddress.ts"

/** Says what an address looks like, where one is missing. */
const NO_ADDRESS = "Enter a web address, for example https://example.org/page."

/** A typed address, with `https://` added if it has no scheme; undefined if it is not a web address. */
export const typedAddress = (typed: string): string | undefined => {
  const text = typed.trim()
  const isWhole = isHttpUrl(text)
  const address = isWhole ? text : `https://${text}`
  // Another scheme would be parsed as a host; a host followed by a port has no scheme.
  if (!URL.canParse(address) || (!isWhole && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text))) return undefined
  return isWhole || /[.:]/.test(new URL(address).host) ? address : undefined
}

export const NOTE_TOO_LONG = `The note is longer than ${MAX_NOTE.toLocaleString("en")} characters.`

/** Why a typed address cannot be saved; undefined if it can. */
export const addressProblem = (typed: string): string | undefined => {
  const address = typedAddress(typed)
  if (address === undefined) return NO_ADDRESS
  return isTooLong(address) ? ADDRESS_TOO_LONG : undefined
}
