import type { LibraryLink } from "./library.ts"

/** What the fields of the form say. */
export interface Filed {
  readonly note: string
  readonly tags: ReadonlyArray<string>
  readonly collection: string
  readonly state: string
}

/** The day on which a link was saved, with the year if it is not this one. */
export const dayOf = (time: string, now: Date, locale?: string): string => {
  const date = new Date(time)
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const }
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", ...year }).format(date)
}

const isSameList = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.length === other.length && one.every((item) => other.includes(item))

/** The changes that make a link as its fields say; none of what the user has left as it is. */
export const changesOf = (
  link: LibraryLink,
  filed: Filed
): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const edit = {
    ...(filed.note === link.note ? {} : { note: filed.note }),
    ...(isSameList(filed.tags, link.tags) ? {} : { tags: filed.tags }),
    ...(filed.collection === link.collection
      ? {}
      : { collection: filed.collection === "" ? null : filed.collection })
  }
  return [
    ...(Object.keys(edit).length === 0 ? [] : [{ op: "edit", ids: [link.id], ...edit }]),
    ...(filed.state === link.state ? [] : [{ op: "state", ids: [link.id], state: filed.state }])
  ]
}
