/** What the owner can edit of a link: the values that were changed. */
export interface Edited {
  readonly title?: string
  readonly url?: string
  /** The name of a collection; null for none. */
  readonly collection?: string | null
  readonly category?: string
  readonly tags?: ReadonlyArray<string>
  readonly note?: string
  readonly summary?: string
}

/** What each field is called in a sentence, in the order of the form. */
export const fieldNames: { readonly [name in keyof Edited]-?: string } = {
  title: "title",
  url: "address",
  collection: "collection",
  category: "category",
  tags: "tags",
  note: "note",
  summary: "summary"
}
