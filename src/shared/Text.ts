/** Returns the first `limit` UTF-16 units of a text, without half a character at the end. */
export const cutText = (text: string, limit: number): string => {
  const start = text.slice(0, limit)
  const last = start.charCodeAt(start.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? start.slice(0, -1) : start
}

/** Cuts a text before the word that exceeds `limit` UTF-16 units, or inside it if that would lose more than half the text. */
export const cutAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const start = cutText(text, limit)
  const end = start.lastIndexOf(" ")
  // Languages without spaces have no word to end at.
  return end < limit / 2 ? start : start.slice(0, end)
}

/** Shortens a text to at most `limit` UTF-16 units, ending in `…` if it was longer. The result is well-formed. */
export const shortened = (text: string, limit: number): string => {
  const whole = text.toWellFormed()
  return whole.length <= limit ? whole : `${cutText(whole, Math.max(0, limit - 1))}…`
}

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : Array.from(text).slice(0, count).join("")

/** One line of at most `limit` UTF-16 units of untrusted text: no invisible and no split characters. */
export const cleanLine = (raw: string, limit: number): string => {
  // Control and format characters such as bidirectional overrides, except the joiners that scripts need.
  const visible = raw.replace(/[[\p{Cc}\p{Cf}]--[\s\u200c\u200d]]/gv, "")
  return cutText(visible.replace(/\s+/g, " ").trimStart(), limit).trimEnd().toWellFormed()
}

/** Folds a text for comparison: compatibility forms unified (NFKD, UAX #15), no accents, no tatweel, lower case. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\u0640]+/gu, "")
    .toLowerCase()

export const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** For readers that know only these entities; quotes stay. `Bun.escapeHTML` escapes quotes too. */
export const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
