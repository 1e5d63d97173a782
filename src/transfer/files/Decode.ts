/** In bytes. */
const PRESCAN = 4_096

const decoderOf = (label: string | undefined): TextDecoder | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** Encoding Standard, "BOM sniff", and UTF-32. */
const fromMark = ([a, b, c, d]: Uint8Array): string | undefined => {
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return "utf-32le"
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "utf-32be"
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8"
  if (a === 0xfe && b === 0xff) return "utf-16be"
  return a === 0xff && b === 0xfe ? "utf-16le" : undefined
}

/** In bytes. */
const WIDE_SAMPLE = 4_096

/**
 * Most characters of UTF-16 or UTF-32 are ASCII here, with a zero in their high byte, and almost none in the low one.
 */
const fromZeros = (bytes: Uint8Array): string | undefined => {
  const length = Math.min(bytes.length, WIDE_SAMPLE) & ~3
  if (length < 8) return undefined
  const zeros = [0, 0, 0, 0]
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 3] = (zeros[at & 3] ?? 0) + 1
  const [a = 0, b = 0, c = 0, d = 0] = zeros.map((count) => count / (length / 4))
  const [many, few] = [0.5, 0.05]
  if (a <= few && b >= many && c === 1 && d === 1) return "utf-32le"
  if (a === 1 && b === 1 && c >= many && d <= few) return "utf-32be"
  if (a + c <= 2 * few && b + d >= 2 * many) return "utf-16le"
  return a + c >= 2 * many && b + d <= 2 * few ? "utf-16be" : undefined
}

const PIECE = 4_096

/** `TextDecoder` does not know UTF-32. Invalid characters become U+FFFD. */
const decodeUtf32 = (bytes: Uint8Array, little: boolean): string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Array<string> = []
  let points: Array<number> = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, little)
    if (at > 0 || point !== 0xfeff) points.push(point > 0x10ffff ? 0xfffd : point)
    if (points.length < PIECE) continue
    pieces.push(String.fromCodePoint(...points))
    points = []
  }
  return [...pieces, String.fromCodePoint(...points)].join("")
}

/** Declared in the head of an HTML file (HTML Standard, "prescan a byte stream") or by XML. */
const fromMarkup = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, PRESCAN))
  if (!head.trimStart().startsWith("<")) return undefined
  const label =
    /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([^"'\s]+)/i.exec(head)?.[1] ??
    /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1]
  // A declaration that can be read as ASCII cannot be in UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** Decodes as UTF-8, or as windows-1252 (the usual case) if more non-ASCII characters are broken than valid. */
const decodeByGuess = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes)
  if (!text.includes("\ufffd")) return text
  let broken = 0
  let whole = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0xfffd) broken += 1
    else if (unit > 0x7f) whole += 1
  }
  return whole >= broken ? text : new TextDecoder("windows-1252").decode(bytes)
}

/** Follows the byte order mark, the zeros of UTF-16 and UTF-32, the markup, or a guess. Bad bytes become U+FFFD. */
export const decodeBytes = (bytes: Uint8Array): string => {
  const wide = fromMark(bytes) ?? fromZeros(bytes)
  if (wide?.startsWith("utf-32")) return decodeUtf32(bytes, wide === "utf-32le")
  const decoder = decoderOf(wide) ?? decoderOf(fromMarkup(bytes))
  return decoder?.decode(bytes) ?? decodeByGuess(bytes)
}

export const cleanText = (text: string): string => text.replace(/\0+/g, "").toWellFormed()

const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const space = /[ \t\n\r]*/y
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** The position after the string whose quote is at `at`, or where the string is broken. */
const stringAt = (text: string, at: number): { readonly end: number; readonly broken: boolean } => {
  let next = at + 1
  while (next < text.length && text[next] !== '"') {
    const end = text[next] === "\\" ? matchEnd(escape, text, next) : next + 1
    if (end === -1 || text.charCodeAt(next) < 0x20) return { end: next, broken: true }
    next = end
  }
  return { end: Math.min(next + 1, text.length), broken: next >= text.length }
}

/** The first position where a text is not valid JSON (RFC 8259); its length if it is valid or ends early. */
export const jsonErrorAt = (text: string): number => {
  const open: Array<string> = []
  let expects: "value" | "first" | "key" | "firstKey" | "colon" | "next" = "value"
  for (let at = matchEnd(space, text, 0); at < text.length; at = matchEnd(space, text, at)) {
    const mark = text.charAt(at)
    const isValue: boolean = expects === "value" || expects === "first"
    const closes = (mark === "]" && expects === "first") || (mark === "}" && expects === "firstKey")
    if (expects === "next" || closes) {
      const around = open.at(-1)
      if (around === undefined) return at
      if (mark === ",") expects = around === "{" ? "key" : "value"
      else if (mark === (around === "{" ? "}" : "]")) {
        open.pop()
        expects = "next"
      } else return at
      at += 1
    } else if (expects === "colon") {
      if (mark !== ":") return at
      expects = "value"
      at += 1
    } else if (mark === '"') {
      const { broken, end } = stringAt(text, at)
      if (broken) return end
      expects = isValue ? "next" : "colon"
      at = end
    } else if (!isValue) return at
    else if (mark === "{" || mark === "[") {
      open.push(mark)
      expects = mark === "{" ? "firstKey" : "first"
      at += 1
    } else {
      const end = matchEnd(scalar, text, at)
      if (end === -1) return at
      expects = "next"
      at = end
    }
  }
  return text.length
}
