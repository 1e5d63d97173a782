import { count } from "../../../src/shared/Format.ts"
import { MAX_SUMMARY, MAX_TITLE } from "../../../src/shared/Limits.ts"

/** The texts of a link that the owner can edit. */
export interface Texts {
  readonly title: string
  readonly summary: string
}

/** Maximum length of each text, in UTF-16 units. */
export const LIMITS: { readonly [name in keyof Texts]: number } = { title: MAX_TITLE, summary: MAX_SUMMARY }

/** The share of a limit from which the remaining characters are shown. */
const NEAR_LIMIT = 0.9

/** Returns only the texts that were changed. */
export const changedTexts = (before: Texts, now: Texts): Partial<Texts> => ({
  ...(now.title.trim() === before.title.trim() ? {} : { title: now.title.trim() }),
  ...(now.summary.trim() === before.summary.trim() ? {} : { summary: now.summary.trim() })
})

/** The number of remaining characters, negative if there are too many; null while far below the limit. */
export const roomLeft = (text: string, limit: number): number | null => {
  const { length } = text.trim()
  return length < limit * NEAR_LIMIT ? null : limit - length
}

/** Formats the number of remaining characters. */
export const roomText = (left: number): string =>
  `${count(Math.abs(left), "character")} ${left < 0 ? "too many" : "left"}`

/** Why the texts cannot be saved; undefined if they can. */
export const problemOf = ({ summary, title }: Texts): string | undefined => {
  if (title.trim() === "") return "A link needs a title."
  if (title.trim().length > LIMITS.title) return "The title is too long."
  return summary.trim().length > LIMITS.summary ? "The summary is too long." : undefined
}
