/** A page as the owner's browser sent it: untrusted HTML and texts. */
export interface BrowserPage {
  readonly html: Uint8Array
  /** Its title, its author and its language, as the browser read them; empty if unknown. */
  readonly title: string
  readonly byline: string
  readonly lang: string
}

/** What is used of a page that the owner's browser showed: nothing but its text, title, author and language. */
export interface BrowserText {
  readonly title: string | null
  readonly description: string
  /** The readable text, and its structure as HTML: see `Page`. */
  readonly text: string
  readonly article: string
  readonly author: string | null
  readonly language: string | null
}

/** A longer text is clearly longer if it has half as much again, and at least this many UTF-16 units more. */
const MORE = 1.5
const AT_LEAST = 200

/** UTF-16 units. Two readings of one page differ by less, such as a menu or a caption; any text is more than none. */
export const clearlyLonger = (length: number): number =>
  length === 0 ? 1 : Math.ceil(Math.max(length * MORE, length + AT_LEAST))
