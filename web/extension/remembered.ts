import { fieldsOf } from "./settings.ts"

/** What the user has written into the fields for tags and collections, most recent first. */
export interface Remembered {
  readonly tags: ReadonlyArray<string>
  readonly collections: ReadonlyArray<string>
}

/** Maximum number of remembered tags, and of collections. */
export const MAX_REMEMBERED = 200

export const REMEMBERED = "remembered"

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((text) => typeof text === "string").slice(0, MAX_REMEMBERED) : []

/** Reads what is remembered from an unvalidated value. */
export const readRemembered = (value: unknown): Remembered => {
  const { collections, tags } = fieldsOf(value)
  return { tags: textsOf(tags), collections: textsOf(collections) }
}

/** Adds texts in front; forgets the oldest ones. */
const inFront = (added: ReadonlyArray<string>, known: ReadonlyArray<string>) =>
  [...new Set([...added, ...known])].slice(0, MAX_REMEMBERED)

/** Adds a capture's tags and its collection, which is empty if it has none. */
export const remembering = (
  { collections, tags }: Remembered,
  added: ReadonlyArray<string>,
  collection: string
): Remembered => ({
  tags: inFront(added, tags),
  collections: inFront(collection === "" ? [] : [collection], collections)
})

/** Splits what is written into the field for tags: they are separated by commas, or each begins with `#`. */
export const splitTags = (written: string): ReadonlyArray<string> =>
  written
    .split(/[,，、;]|\s(?=#)/)
    .map((tag) => tag.trim().replace(/^#/, ""))
    .filter((tag) => tag !== "")

/** Texts that complete what is written into the field for tags: the tags before the last separator, and a known one. */
export const completionsOf = (written: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [before = ""] = /^.*[,，、;]\s*/.exec(written) ?? []
  const used = new Set(splitTags(before))
  return known.filter((tag) => !used.has(tag)).map((tag) => before + tag)
}
