/** Far more than a label keeps, in UTF-16 units: a bound on the work a hostile string can cause. */
const MAX_INPUT = 400

/** What a reader cannot see (formats, fillers, variation selectors), and apostrophes: `today's` is one word. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}'’]/gu

/** A label's text in the one form in which labels are compared: NFKC (UAX #15) and lower case in no locale. */
export const foldLabel = (raw: string): string =>
  raw.trimStart().slice(0, MAX_INPUT).normalize("NFKC").toLowerCase().replace(unseen, "").normalize("NFKC")

/** The first `count` characters (code points) of `text`. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : Array.from(text).slice(0, count).join("")
