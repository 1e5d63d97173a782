/** How a column of a link holds its value: as SQLite does, as 0 or 1, or as JSON. */
type Held = "plain" | "flag" | "json"

/**
 * Every column of a link by the key of its JSON; the column's name is the same in snake case. The store makes from it what
 * the dashboard shows, what an export holds, what the trash keeps, what an import inserts and what a change records. `Link`
 * and `ExportedLink` say which of them are shown and exported, `Field` which a change may touch.
 */
export const linkColumns = {
  url: "plain",
  normalizedUrl: "plain",
  host: "plain",
  title: "plain",
  note: "plain",
  summary: "plain",
  description: "plain",
  tags: "json",
  category: "plain",
  favorite: "flag",
  shareable: "flag",
  /** Follows from the collection. */
  inShared: "flag",
  image: "plain",
  favicon: "plain",
  siteName: "plain",
  author: "plain",
  publishedAt: "plain",
  language: "plain",
  repository: "json",
  enrichment: "plain",
  state: "plain",
  type: "plain",
  facts: "json",
  model: "plain",
  stages: "json",
  filedBecause: "json",
  createdAt: "plain",
  updatedAt: "plain",
  text: "plain",
  canonicalUrl: "plain",
  finalUrl: "plain",
  handTags: "json",
  titleByHand: "flag",
  summaryByHand: "flag",
  categoryByHand: "flag",
  collectionByHand: "flag",
  tagsByHand: "flag",
  retries: "plain",
  retryAt: "plain",
  /** The numbers of collections in which it is not to be filed by itself. */
  refused: "json",
  /** The words of its highlights, for the index. */
  highlighted: "plain"
} as const satisfies Readonly<Record<string, Held>>

export type LinkColumn = keyof typeof linkColumns

export const isLinkColumn = (key: string): key is LinkColumn => Object.hasOwn(linkColumns, key)
