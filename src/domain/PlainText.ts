/** The most of a page's readable text that is kept, in UTF-16 units. */
export const MAX_PAGE_TEXT = 32_768

/** Controls and formats a reader cannot see, bidirectional overrides among them; the joiners that scripts need stay. */
const unseen = /[[\p{Cc}\p{Cf}]--[\s\u200c\u200d]]/gv

/** Text from outside as one clean line of at most `limit` UTF-16 units: no controls, white space collapsed, no half characters. */
export const plainText = (raw: string, limit: number): string =>
  raw
    .replace(unseen, "")
    .replace(/\s+/g, " ")
    .trimStart()
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()
    .toWellFormed()
