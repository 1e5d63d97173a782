import { walkMarkup } from "./Markup.ts"

/** How far a page is searched for its own word on its encoding, in bytes; browsers look at 1,024, real pages go further. */
const PRESCAN = 8_192

const decoderOf = (label: string | undefined): TextDecoder | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, ""))
  } catch {
    return undefined
  }
}

/** The encoding a byte order mark stands for (Encoding Standard, "BOM sniff"). */
const fromMark = (bytes: Uint8Array): string | undefined => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8"
  if (a === 0xfe && b === 0xff) return "utf-16be"
  if (a === 0xff && b === 0xfe) return "utf-16le"
  return undefined
}

const fromHeader = (contentType: string | null) =>
  /charset\s*=\s*("[^"]*"|'[^']*'|[^\s;,]+)/i.exec(contentType ?? "")?.[1]

/** What the markup says of its encoding: an XML declaration, or a meta element (HTML Standard, "prescan a byte stream"). */
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
  // Such a declaration was read as ASCII, which no UTF-16 text can be.
  return declared !== undefined && /^utf-?16/i.test(declared) ? "utf-8" : declared
}

/** UTF-16 without a mark: every other byte of its ASCII is zero. */
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
 * A page's bytes as text: by its byte order mark, the header, its own markup, else by what its bytes look like.
 * Total: what cannot be decoded becomes U+FFFD.
 */
export const decodePage = (bytes: Uint8Array, contentType: string | null): string => {
  const decoder =
    decoderOf(fromMark(bytes)) ??
    decoderOf(fromHeader(contentType)) ??
    decoderOf(fromMarkup(bytes)) ??
    decoderOf(fromZeros(bytes))
  return (decoder ?? new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252")).decode(bytes)
}
