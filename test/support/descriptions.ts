import type { LinkDescription } from "../../src/organize/Words.ts"

/** The descriptive fields of a link with this title. */
export const about = (title: string, more: Partial<LinkDescription> = {}): LinkDescription => ({
  title,
  description: "",
  summary: "",
  tags: [],
  category: "unsorted",
  ...more
})
