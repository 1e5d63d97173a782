/** A part of a page, from one heading to the next. */
export interface SearchSection {
  /** Its page, by its place among `pages`. */
  readonly page: number
  /** Empty for what stands above the first heading. */
  readonly heading: string
  /** The heading's anchor. */
  readonly id: string
  readonly text: string
}

/** What the search looks through, as the build writes it. */
export interface SearchIndex {
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string }>
  readonly sections: ReadonlyArray<SearchSection>
}
