/** The fields that are read from a page. */
export const fields = [
  ...(["title", "description", "image", "canonical", "icon"] as const),
  ...(["site", "author", "published", "language"] as const)
]

/** What is read from a page; null where nothing is found. */
export type Answer = Readonly<Record<(typeof fields)[number], string | null>>
