import { normalizeCollectionPath } from "../../../src/shared/CollectionPath.ts"
import { count } from "../../../src/shared/Format.ts"
import { MAX_NOTE, MAX_SUMMARY, MAX_TITLE } from "../../../src/shared/Limits.ts"
import type { Link } from "../api.ts"
import type { Edited } from "../edited.ts"
import { addressProblem, NOTE_TOO_LONG, typedAddress } from "../typedAddress.ts"
import { asCategory, asCollection } from "./options.ts"

/** The values in the form that edits a link; an empty collection means that the link is not filed. */
export interface Fields {
  readonly title: string
  readonly url: string
  readonly collection: string
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly note: string
  readonly summary: string
}

/** Maximum length of each text, in UTF-16 units. */
export const LIMITS = { title: MAX_TITLE, summary: MAX_SUMMARY, note: MAX_NOTE } as const

/** The share of a limit from which the remaining characters are shown. */
const NEAR_LIMIT = 0.9

/** The values that a form begins with. */
export const fieldsOf = ({ category, collection, note, summary, tags, title, url }: Link): Fields => ({
  title,
  url,
  collection: collection?.name ?? "",
  category,
  tags,
  note,
  summary
})

const normalized = (fields: Fields): Fields => ({
  title: fields.title.trim(),
  url: typedAddress(fields.url) ?? fields.url.trim(),
  collection: asCollection(fields.collection),
  category: asCategory(fields.category) || fields.category.trim(),
  tags: fields.tags,
  note: fields.note.trim(),
  summary: fields.summary.trim()
})

/** Returns only the fields that were changed, as they are to be saved. */
export const changedFields = (before: Fields, now: Fields): Edited => {
  const old = normalized(before)
  const { category, collection, note, summary, tags, title, url } = normalized(now)
  return {
    ...(title === old.title ? {} : { title }),
    ...(url === old.url ? {} : { url }),
    ...(collection === old.collection ? {} : { collection: collection === "" ? null : collection }),
    ...(category === old.category ? {} : { category }),
    ...(tags.join() === old.tags.join() ? {} : { tags }),
    ...(note === old.note ? {} : { note }),
    ...(summary === old.summary ? {} : { summary })
  }
}

/** The number of remaining characters, negative if there are too many; null while far below the limit. */
export const roomLeft = (text: string, limit: number): number | null => {
  const { length } = text.trim()
  return length < limit * NEAR_LIMIT ? null : limit - length
}

/** Formats the number of remaining characters. */
export const roomText = (left: number): string =>
  `${count(Math.abs(left), "character")} ${left < 0 ? "too many" : "left"}`

/** The first field that cannot be saved, and why; undefined if all can. */
export const problemOf = (
  fields: Fields
): { readonly field: keyof Fields; readonly text: string } | undefined => {
  const { category, collection, note, summary, title, url } = normalized(fields)
  if (title === "") return { field: "title", text: "A link needs a title." }
  if (title.length > LIMITS.title) return { field: "title", text: "The title is too long." }
  const wrong = addressProblem(url)
  if (wrong !== undefined) return { field: "url", text: wrong }
  if (collection !== "" && normalizeCollectionPath(collection) === null)
    return { field: "collection", text: "The name of the collection is too long." }
  if (asCategory(category) === "") return { field: "category", text: "A category needs a letter or a digit." }
  if (note.length > LIMITS.note) return { field: "note", text: NOTE_TOO_LONG }
  return summary.length > LIMITS.summary ? { field: "summary", text: "The summary is too long." } : undefined
}
