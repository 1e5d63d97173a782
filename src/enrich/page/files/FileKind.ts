import { characters, rasterTypes } from "../../../domain/PictureType.ts"
import { parseJson } from "../UntrustedJson.ts"
import { extensionOf } from "./FileName.ts"

/** Signatures decide; `binary` is everything else that is not text. */
export type BinaryKind = "pdf" | "image" | "recording" | "binary"

export type TextKind = "html" | "feed" | "svg" | "json" | "markdown" | "text"

/** In bytes, for `binaryKindOf`. */
export const BEGINNING = 1_445

/** Bytes that no text has (https://mimesniff.spec.whatwg.org/#binary-data-byte). */
const isBinaryByte = (byte: number) =>
  byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f)

/** Real pages have stray control characters; in compressed data, one byte in ten is such a byte. */
const MAX_BINARY_SHARE = 0.02

/** Whether it is UTF-16: by its byte order mark, or because every other byte of its ASCII characters is zero. */
const isUtf16 = (beginning: Uint8Array, contentType: string | null): boolean => {
  const mark = characters(beginning, 0, 2)
  if (mark === "\xff\xfe" || mark === "\xfe\xff" || /charset\s*=\s*["']?utf-?16/i.test(contentType ?? ""))
    return true
  let even = 0
  let odd = 0
  for (let index = 0; index < beginning.length; index++)
    if (beginning[index] === 0) index % 2 === 0 ? even++ : odd++
  return Math.max(even, odd) > beginning.length / 8 && Math.max(even, odd) > Math.min(even, odd) * 4
}

/** Whether it begins with an MPEG audio frame or an ADTS frame (ISO/IEC 11172-3, 2.4.1.3 and 13818-7, 6.2). */
const isMpegFrame = (beginning: Uint8Array): boolean => {
  const [sync = 0, second = 0, third = 0] = beginning
  if (sync !== 0xff || second < 0xf0) return false
  if ((second & 0x06) === 0) return ((third >> 2) & 0x0f) < 13
  return second !== 0xfe && second !== 0xff && third >> 4 !== 15 && ((third >> 2) & 0x03) !== 3
}

/** Brands of pictures in the container of MP4 (https://nokiatech.github.io/heif/technical.html). */
const pictureBrands = /^(?:hei[cfmsx]|hev[cmx]|mif1|msf1|avi[fs])$/

const isRecording = (beginning: Uint8Array): boolean => {
  const start = characters(beginning, 0, 12)
  return (
    /^(?:ID3|fLaC|OggS|[\s\S]E\xdf\xa3|wvPk|RIFF[\s\S]{4}(?:WAVE|AVI )|FORM[\s\S]{4}AIF[FC]|[\s\S]{4}(?:ftyp|moov|mdat))/.test(
      start
    ) || isMpegFrame(beginning)
  )
}

const audioNames: ReadonlySet<string> = new Set(
  "mp3 m4a m4b aac flac ogg oga opus wav aif aiff mka weba wv".split(" ")
)

/** The signature decides, or the name where a container holds both. */
export const recordingType = (bytes: Uint8Array, name: string): "audio" | "video" => {
  const start = characters(bytes, 0, 12)
  const mayHavePictures = /^(?:[\s\S]{4}(?:ftyp(?!M4[AB])|moov|mdat)|[\s\S]E\xdf\xa3|RIFF[\s\S]{4}AVI )/.test(
    start
  )
  return mayHavePictures && !audioNames.has(extensionOf(name)) ? "video" : "audio"
}

/** Beginnings of archives and programs, which in a short file may look like UTF-16. */
const archives =
  /^(?:PK[\s\S]{2}|[\s\S]\x8b|7z\xbc\xaf|Rar!|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|[\s\S]ELF|MZ|wOF[F2]|OTTO)/

const markup = /^(?:\xef\xbb\xbf)?\s*<(?:!--|(?:!doctype|\?xml|html|head|title|meta|body)\b)/i

const isPicture = (beginning: Uint8Array): boolean =>
  rasterTypes.some(([, test]) => test(beginning)) ||
  /^(?:II\*\0|MM\0\*)/.test(characters(beginning, 0, 4)) ||
  (characters(beginning, 4, 8) === "ftyp" && pictureBrands.test(characters(beginning, 8, 12)))

/** Examines the first `BEGINNING` bytes; undefined for text. The content type only says that zeros are UTF-16. */
export const binaryKindOf = (bytes: Uint8Array, contentType: string | null): BinaryKind | undefined => {
  const beginning = bytes.subarray(0, BEGINNING)
  const start = characters(beginning, 0, 1_024)
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(start)) return "pdf"
  const share = beginning.reduce((count, byte) => count + Number(isBinaryByte(byte)), 0) / beginning.length
  // A text without such a byte may begin with the same letters as a signature.
  if (!(share > 0)) return undefined
  // Readers accept a header anywhere in the first 1,024 bytes (ISO 32000-1, annex H, implementation note 13).
  if (/%PDF-\d/.test(start)) return "pdf"
  if (isPicture(beginning)) return "image"
  if (isRecording(beginning)) return "recording"
  if (archives.test(start)) return "binary"
  const isText = share <= MAX_BINARY_SHARE || isUtf16(beginning, contentType) || markup.test(start)
  return isText ? undefined : "binary"
}

const MEGABYTE = 1024 * 1024

/**
 * In bytes: most PDFs whole, because their index is at the end, and the beginning of a recording, which has its tags.
 */
const sizes: Readonly<Record<BinaryKind | "text", number>> = {
  text: 5 * MEGABYTE,
  pdf: 25 * MEGABYTE,
  image: 5 * MEGABYTE,
  recording: 4 * MEGABYTE,
  binary: 64 * 1024
}

export const MAX_FILE = Math.max(...Object.values(sizes))
export const MAX_SMALL_FILE = sizes.text

export const maxBytesOf = (beginning: Uint8Array): number => sizes[binaryKindOf(beginning, null) ?? "text"]

/** The index of a page's first element, after white space, an XML declaration and comments. */
const firstElement = (text: string): number => {
  let at = /^\s*(?:<\?xml[^>]*>\s*)?/.exec(text)?.[0].length ?? 0
  // A regular expression over repeated comments would backtrack through every way to divide them.
  while (text.startsWith("<!--", at) || text.startsWith("<?", at)) {
    const close = text.startsWith("<?", at) ? "?>" : "-->"
    const end = text.indexOf(close, at + 2)
    if (end === -1) return text.length
    at = end + close.length
    while (/\s/.test(text.charAt(at))) at++
  }
  return at
}

const markdownNames: ReadonlySet<string> = new Set(["md", "markdown", "mdown", "mkd", "mdx"])

const mediaTypeOf = (contentType: string | null) =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

/** Whether a document is served as XML, which browsers parse by other rules than HTML. */
export const isXml = (contentType: string | null): boolean => /[/+]xml$/.test(mediaTypeOf(contentType))

const PROLOG = 65_536

/** Examines the beginning, and the server's word where a text could be of several kinds. */
export const textKindOf = (text: string, contentType: string | null, name: string): TextKind => {
  const type = mediaTypeOf(contentType)
  const prolog = text.slice(0, PROLOG)
  const start = prolog.slice(firstElement(prolog)).slice(0, 256)
  if (/^(?:<!doctype rss[^>]*>\s*)?<(?:rss|feed|rdf:rdf)[\s>]/i.test(start)) return "feed"
  if (/^(?:<!doctype svg[^>]*>\s*)?<svg[\s>]/i.test(start)) return "svg"
  if (/^<(?:!doctype html|html|head|title|meta|body)\b/i.test(start)) return "html"
  const isJson = type === "application/json" || type.endsWith("+json") || extensionOf(name) === "json"
  if (/^\s*[[{]/.test(text) && (isJson || parseJson(text) !== undefined)) return "json"
  if (type === "text/html" || type === "application/xhtml+xml") return "html"
  if (type === "text/markdown" || markdownNames.has(extensionOf(name))) return "markdown"
  // Other XML is read like a page: its text without its tags.
  return isXml(contentType) || /^\s*<\?xml\s/.test(prolog) ? "html" : "text"
}
