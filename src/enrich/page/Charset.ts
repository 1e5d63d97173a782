import sniffEncoding from "html-encoding-sniffer"

/** How much of a page is searched for its encoding, in bytes. Browsers read 1,024, but real pages declare it later. */
const PRESCAN = 8_192

/** Stands for no encoding. */
const NOT_DECLARED = ""

/** The decoder of an encoding; none if the platform does not know it or it stands for no encoding. */
const decoderOf = (label: string): TextDecoder | undefined => {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** The `charset` of a content type, which servers also write between apostrophes and after a comma. */
const fromHeader = (contentType: string | null) =>
  /charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType ?? "")?.[1]

/** Detects UTF-16 without a byte order mark: in its ASCII text, every other byte is zero. */
const fromZeros = (bytes: Uint8Array): string | undefined => {
  const start = bytes.subarray(0, 512)
  let even = 0
  let odd = 0
  for (let index = 0; index < start.length; index++) if (start[index] === 0) index % 2 === 0 ? even++ : odd++
  if (odd > start.length / 8 && odd > even * 4) return "utf-16le"
  return even > start.length / 8 && even > odd * 4 ? "utf-16be" : undefined
}

const isUtf8 = (bytes: Uint8Array) => {
  try {
    // A cut body may end inside a character.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const guessed = (bytes: Uint8Array) => fromZeros(bytes) ?? (isUtf8(bytes) ? "utf-8" : "windows-1252")

/**
 * Decodes a page by its byte order mark, its header or its markup (HTML Standard, "determining the character
 * encoding"), or else by guessing from its bytes. Never fails: invalid bytes become U+FFFD.
 */
export const decodePage = (bytes: Uint8Array, contentType: string | null): string => {
  const declared = sniffEncoding(bytes, {
    transportLayerEncodingLabel: fromHeader(contentType),
    maxPrescanBytes: PRESCAN,
    defaultEncoding: NOT_DECLARED
  })
  return (decoderOf(declared) ?? new TextDecoder(guessed(bytes))).decode(bytes)
}
