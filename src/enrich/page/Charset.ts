import { analyse } from "chardet"
import sniffEncoding from "html-encoding-sniffer"

/** How much of a page is searched for its encoding, in bytes. Browsers read 1,024, but real pages declare it later. */
const PRESCAN = 8_192

const NOT_DECLARED = ""

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

/** Bytes that an encoding is recognized from, and the least confidence accepted, of 100. */
const MAX_SAMPLE = 16_384
const MIN_CONFIDENCE = 15

const [LESS, GREATER, ESCAPE] = [0x3c, 0x3e, 0x1b]

/** The texts between tags that are not only ASCII, up to `MAX_SAMPLE` bytes: markup says nothing about an encoding. */
const foreignText = (bytes: Uint8Array): Uint8Array => {
  const sample = new Uint8Array(MAX_SAMPLE)
  let length = 0
  const add = (start: number, end: number) => {
    const part = bytes.subarray(start, Math.min(end, start + MAX_SAMPLE - length))
    sample.set(part, length)
    length += part.length
  }
  let start = 0
  let isForeign = false
  for (let at = 0; at < bytes.length && length < MAX_SAMPLE; at++) {
    const byte = bytes[at] ?? 0
    if (byte > 0x7f) isForeign = true
    if (byte !== LESS && byte !== GREATER) continue
    if (byte === LESS && isForeign) add(start, at)
    start = at + 1
    isForeign = false
  }
  if (isForeign) add(start, bytes.length)
  return sample.subarray(0, length)
}

/** Names of the recognizer for encodings that the web reads as another one (Encoding Standard, "labels"). */
const webNames: Readonly<Record<string, string>> = {
  // Visual order is extinct.
  "ISO-8859-8": "windows-1255"
}

const fromText = (bytes: Uint8Array): string | undefined => {
  const [best] = analyse(foreignText(bytes))
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return undefined
  const name = webNames[best.name] ?? best.name
  return decoderOf(name) && name
}

/** ISO-2022-JP shifts into Japanese with escape sequences (RFC 1468). */
const fromEscapes = (bytes: Uint8Array): string | undefined => {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1))
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) return "iso-2022-jp"
  return undefined
}

const guessed = (bytes: Uint8Array) =>
  fromZeros(bytes) ?? fromEscapes(bytes) ?? (isUtf8(bytes) ? "utf-8" : (fromText(bytes) ?? "windows-1252"))

/** Byte order mark, header or markup (HTML Standard, "determining the character encoding"), else a guess. */
export const decodePage = (bytes: Uint8Array, contentType: string | null): string => {
  const declared = sniffEncoding(bytes, {
    transportLayerEncodingLabel: fromHeader(contentType),
    maxPrescanBytes: PRESCAN,
    defaultEncoding: NOT_DECLARED
  })
  return (decoderOf(declared) ?? new TextDecoder(guessed(bytes))).decode(bytes)
}
