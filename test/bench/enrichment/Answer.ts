import type { TestPage } from "./Pages.ts"

/** What a library extracts from a page, in the fields that are compared; null where it finds nothing. */
export interface Answer {
  readonly title: string | null
  readonly description: string | null
  readonly image: string | null
  readonly canonical: string | null
  readonly icon: string | null
  readonly site: string | null
  readonly author: string | null
  readonly published: string | null
  readonly language: string | null
  /** The page's text, one block per line; null if the library extracts none. */
  readonly text: string | null
  /** The text with its structure, as HTML; null if the library extracts none. */
  readonly article: string | null
}

/** An answer that says nothing. */
export const noAnswer: Answer = {
  title: null,
  description: null,
  image: null,
  canonical: null,
  icon: null,
  site: null,
  author: null,
  published: null,
  language: null,
  text: null,
  article: null
}

/** A library that reads pages. */
export interface Library {
  /**
   * Gets a page ready and returns what is timed: the reading of a page whose bytes, or decoded text, are in memory.
   */
  readonly prepare: (page: TestPage) => () => Promise<Answer>
}
