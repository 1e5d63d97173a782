/** How far a file is searched for its own word on its encoding, in bytes. */
const PRESCAN = 4_096

const decoderOf = (label: string | undefined): TextDecoder | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** The encoding a byte order mark stands for (Encoding Standard, "BOM sniff"). */
const fromMark = ([a, b, c]: Uint8Array): string | undefined => {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8"
  if (a === 0xfe && b === 0xff) return "utf-16be"
  return a === 0xff && b === 0xfe ? "utf-16le" : undefined
}

/** What the head of an HTML file says of its encoding (HTML Standard, "prescan a byte stream"). */
const fromMarkup = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, PRESCAN))
  if (!head.trimStart().startsWith("<")) return undefined
  const label = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1]
  // A declaration that could be read as ASCII is in no UTF-16 text.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** UTF-8, unless more of what is not ASCII is broken than whole: then windows-1252, which such a file nearly always is. */
const guessed = (bytes: Uint8Array): string => {
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

/**
 * A file's bytes as text: by its byte order mark, its own markup, else by what they look like.
 *
 * Total: what cannot be decoded becomes U+FFFD, and NULs are left out, so that no field of the file has half a
 * character or a NUL in it.
 */
export const decodeFile = (bytes: Uint8Array): string => {
  const decoder = decoderOf(fromMark(bytes)) ?? decoderOf(fromMarkup(bytes))
  return (decoder?.decode(bytes) ?? guessed(bytes)).replace(/\0+/g, "").toWellFormed()
}
