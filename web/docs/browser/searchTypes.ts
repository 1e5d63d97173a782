/** A part of a page, from one heading to the next. */
export interface SearchSection {
  /** The index of its page in `pages`. */
  readonly page: number
  /** Empty for the part above the first heading. */
  readonly heading: string
  /** The heading's anchor. */
  readonly id: string
  readonly text: string
}

/** The search index, as the build writes it. */
export interface SearchIndex {
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string }>
  readonly sections: ReadonlyArray<SearchSection>
}
