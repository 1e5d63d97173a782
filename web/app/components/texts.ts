import { count } from "../../../src/shared/Format.ts"
import { MAX_NOTE, MAX_SUMMARY, MAX_TITLE } from "../../../src/shared/Limits.ts"
import { addressProblem, NOTE_TOO_LONG, typedAddress } from "../typedAddress.ts"

export type TextName = "title" | "url" | "note" | "summary"

/** Maximum length of each text, in UTF-16 units. */
export const LIMITS = { title: MAX_TITLE, summary: MAX_SUMMARY, note: MAX_NOTE } as const

/** The share of a limit from which the remaining characters are shown. */
const NEAR_LIMIT = 0.9

/** A typed text as it is saved. */
export const normalized = (name: TextName, text: string): string =>
  (name === "url" ? typedAddress(text) : undefined) ?? text.trim()

/** The number of remaining characters, negative if there are too many; null while far below the limit. */
export const roomLeft = (text: string, limit: number): number | null => {
  const { length } = text.trim()
  return length < limit * NEAR_LIMIT ? null : limit - length
}

/** Formats the number of remaining characters. */
export const roomText = (left: number): string =>
  `${count(Math.abs(left), "character")} ${left < 0 ? "too many" : "left"}`

/** Why a typed text cannot be saved; undefined if it can. */
export const problemOf = (name: TextName, typed: string): string | undefined => {
  const text = normalized(name, typed)
  switch (name) {
    case "title":
      if (text === "") return "A link needs a title."
      return text.length > LIMITS.title ? "The title is too long." : undefined
    case "url":
      return addressProblem(text)
    case "note":
      return text.length > LIMITS.note ? NOTE_TOO_LONG : undefined
    case "summary":
      return text.length > LIMITS.summary ? "The summary is too long." : undefined
  }
}
