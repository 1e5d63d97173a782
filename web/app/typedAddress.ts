import { isHttpUrl } from "../../src/shared/WebAddress.ts"

/** Says what an address looks like, where one is missing. */
export const NO_ADDRESS = "Enter a web address, for example https://example.org/page."

/** A typed address, with `https://` added if it has no scheme; undefined if it is not a web address. */
export const typedAddress = (typed: string): string | undefined => {
  const text = typed.trim()
  const isWhole = isHttpUrl(text)
  const address = isWhole ? text : `https://${text}`
  // Another scheme would be parsed as a host; a host followed by a port has no scheme.
  if (!URL.canParse(address) || (!isWhole && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text))) return undefined
  return isWhole || /[.:]/.test(new URL(address).host) ? address : undefined
}
