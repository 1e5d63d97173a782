import { walkMarkup } from "./Markup.ts"

/** How much of a page is searched for its encoding, in bytes. Browsers read 1,024, but real pages declare it later. */
const PRESCAN = 8_192

const decoderOf = (label: string | undefined): TextDecoder | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, ""))
  } catch {
    return undefined
  }
}

/** The encoding that a byte order mark indicates (Encoding Standard, "BOM sniff"). */
const fromByteOrderMark = (bytes: Uint8Array): string | undefined => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8"
  if (a === 0xfe && b === 0xff) return "utf-16be"
  if (a === 0xff && b === 0xfe) return "utf-16le"
  return undefined
}

const fromHeader = (contentType: string | null) =>
  /charset\s*=\s*("[^"]*"|'[^']*'|[^\s;,]+)/i.exec(contentType ?? "")?.[1]

/** The encoding in an XML declaration or a meta element (HTML Standard, "prescan a byte stream"). */
const fromMarkup = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, PRESCAN)).toString("latin1")
  let declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([^"']+)["']/i.exec(start.slice(0, 1_024))?.[1]
  walkMarkup(start, {
    open: (name, attributes) => {
      if (name === "meta")
        declared ??= attributes.get("charset") ?? fromHeader(attributes.get("content") ?? null)
    },
    close: () => {},
    text: () => declared === undefined
  })
  // The declaration was readable as ASCII, so the page cannot be UTF-16.
  return declared !== undefined && /^utf-?16/i.test(declared) ? "utf-8" : declared
}

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

/**
 * Decodes a page by its byte order mark, its header or its markup, or else by guessing from its bytes. Never fails:
 * invalid bytes become U+FFFD.
 */
export const decodePage = (bytes: Uint8Array, contentType: string | null): string => {
  const decoder =
    decoderOf(fromByteOrderMark(bytes)) ??
    decoderOf(fromHeader(contentType)) ??
    decoderOf(fromMarkup(bytes)) ??
    decoderOf(fromZeros(bytes))
  return (decoder ?? new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252")).decode(bytes)
}
