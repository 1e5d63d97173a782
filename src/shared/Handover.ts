/** The last segment of a handover link's path. */
const CONNECT = "/connect"

/** Matches a token that fits into `Authorization: Bearer`, whatever the owner chose: visible ASCII without a comma. */
const TOKEN = /^[\x21-\x2b\x2d-\x7e]{8,512}$/

/** Maximum length of a handover link in UTF-16 units. */
const MAX_LINK = 4_096

/** The fragment that the extension leaves on the page of a handover link, in the place of the token that it has taken. */
export const HANDED_OVER = "#connected"

export interface Handover {
  /** The service's address without a slash at its end. */
  readonly address: string
  readonly token: string
}

/** A link that hands address and token to the extension; browsers do not send the part after `#`. */
export const handoverLink = ({ address, token }: Handover): string =>
  `${address}${CONNECT}#token=${encodeURIComponent(token)}`

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

/** Reads a handover link; undefined for any other text, and for a link whose token cannot be one. */
export const readHandoverLink = (text: string): Handover | undefined => {
  const url = text.length > MAX_LINK ? null : URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return undefined
  const [, written] = /^#token=([^&]+)$/.exec(url.hash) ?? []
  const token = decoded(written ?? "")
  return url.search === "" && url.pathname.endsWith(CONNECT) && TOKEN.test(token)
    ? { address: url.origin + url.pathname.slice(0, -CONNECT.length), token }
    : undefined
}

export const isHandover = (handover: Handover): boolean => {
  const read = readHandoverLink(handoverLink(handover))
  return read?.address === handover.address && read.token === handover.token
}

/** The file of the packed extension with which a service hands itself over; `connect` is a handover link or empty. */
export const CONFIGURATION = "configuration.json"

export const configurationOf = (handover: Handover): string =>
  `${JSON.stringify({ connect: handoverLink(handover) })}\n`
