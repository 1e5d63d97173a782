import { count } from "../../../src/shared/Format.ts"
import { MAX_SUMMARY, MAX_TITLE } from "../../../src/shared/Limits.ts"

/** What the owner may write of a link. */
export interface Texts {
  readonly title: string
  readonly summary: string
}

/** The longest of each that the service takes, in UTF-16 units. */
export const LIMITS: { readonly [name in keyof Texts]: number } = { title: MAX_TITLE, summary: MAX_SUMMARY }

/** From what part of a limit on the room that is left is told. */
const NEAR = 0.9

/** What was changed, and nothing else. */
export const changedTexts = (before: Texts, now: Texts): Partial<Texts> => ({
  ...(now.title.trim() === before.title.trim() ? {} : { title: now.title.trim() }),
  ...(now.summary.trim() === before.summary.trim() ? {} : { summary: now.summary.trim() })
})

/** How many characters are left (less than none: too many) once it is worth telling, else null. */
export const roomLeft = (text: string, limit: number): number | null => {
  const { length } = text.trim()
  return length < limit * NEAR ? null : limit - length
}

/** The same in words. */
export const sayRoom = (left: number): string =>
  `${count(Math.abs(left), "character")} ${left < 0 ? "too many" : "left"}`

/** Why texts cannot be saved, or nothing. */
export const problemOf = ({ summary, title }: Texts): string | undefined => {
  if (title.trim() === "") return "A link needs a title."
  if (title.trim().length > LIMITS.title) return "The title is too long."
  return summary.trim().length > LIMITS.summary ? "The summary is too long." : undefined
}
