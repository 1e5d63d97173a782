/** `start` and `end` are places in the article's text, in UTF-16 units. */
export interface BookHighlight {
  readonly start: number
  readonly end: number
  readonly colour: string
}

export interface QuotedHighlight {
  readonly quote: string
  readonly note: string
  readonly colour: string
}

/** The size is in pixels. */
export interface BookPicture {
  /** A path below the book's contents, which no other picture has: letters, digits, hyphens, slashes and dots. */
  readonly name: string
  readonly type: string
  readonly width: number
  readonly height: number
}

export interface BookArticle {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly author: string | null
  readonly siteName: string | null
  /** ISO 8601: a time in UTC, or a day. */
  readonly publishedAt: string | null
  /** A BCP 47 tag. */
  readonly language: string | null
  readonly savedAt: string
  /** Clean HTML (`isCleanArticle`). */
  readonly html: string
  readonly highlights: ReadonlyArray<BookHighlight>
}
