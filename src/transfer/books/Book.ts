/** A highlight of an article: its place in the article's text, in UTF-16 units. */
export interface BookHighlight {
  readonly start: number
  readonly end: number
  readonly colour: string
}

/** A highlight with its words, as notes about an article list it. */
export interface QuotedHighlight {
  readonly quote: string
  readonly note: string
  readonly colour: string
}

/** A picture of an article, as it is kept: its name in the book, and its size in pixels. */
export interface BookPicture {
  /** Its path below the book's contents, which no other picture has: letters, digits, hyphens, slashes and dots. */
  readonly name: string
  /** Its media type. */
  readonly type: string
  readonly width: number
  readonly height: number
}

/** An article to write into a book; an absent value is null. */
export interface BookArticle {
  /** The link's number. */
  readonly id: number
  /** Where the article is on the web. */
  readonly url: string
  readonly title: string
  readonly author: string | null
  readonly siteName: string | null
  /** ISO 8601: a time in UTC, or a day. */
  readonly publishedAt: string | null
  /** A BCP 47 tag. */
  readonly language: string | null
  /** When this text was kept, as an ISO 8601 time in UTC. */
  readonly savedAt: string
  /** Clean HTML (`isCleanArticle`). */
  readonly html: string
  /** The highlights to mark in the text. */
  readonly highlights: ReadonlyArray<BookHighlight>
}
