/** What is read from a page; null where nothing is found. */
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
  language: null
}
