import type { Field } from "../../domain/Change.ts"
import type { LinkColumn } from "../../domain/LinkColumns.ts"
import { columnOf, jsonOf } from "./LinkColumns.ts"

interface Column {
  /** Its key in a record of the journal. */
  readonly key: string
  /** SQL expression for its value there, from `links l`. */
  readonly read: string
  /** Assignment from the JSON of `w.work`, which keeps what that does not give. */
  readonly write: string
  /** Whether a later value is in the way of an undo; not of a column that goes with another one. */
  readonly isCompared: boolean
}

const column = (key: LinkColumn): Column => ({
  key,
  read: jsonOf("l", key),
  write: `${columnOf(key)} = coalesce(w.work ->> '${key}', ${columnOf(key)})`,
  isCompared: true
})
const beside = (key: LinkColumn): Column => ({ ...column(key), isCompared: false })
/** A column that is null where the work gives `main` without it. */
const derived = (key: LinkColumn, main: LinkColumn | "collection"): Column => ({
  ...beside(key),
  write: `${columnOf(key)} = iif(w.work -> '${main}' IS NULL, ${columnOf(key)}, w.work ->> '${key}')`
})

/** A host name, or words of the old address, stand for a title that is not known. */
const TITLE = `title = coalesce(w.work ->> 'title', iif(w.work ->> 'host' IS NOT NULL AND NOT title_by_hand
  AND title IN (host, w.work ->> 'titleOfAddress'), w.work ->> 'host', title))`

export const columns: Record<Field, ReadonlyArray<Column>> = {
  favorite: [column("favorite")],
  shareable: [column("shareable")],
  category: [column("category"), beside("categoryByHand")],
  title: [{ ...column("title"), write: TITLE }, beside("titleByHand")],
  summary: [column("summary"), beside("summaryByHand")],
  note: [column("note")],
  state: [column("state")],
  tags: [column("tags"), beside("handTags"), beside("tagsByHand")],
  // The page's own address belongs to the old address.
  url: [
    column("url"),
    beside("normalizedUrl"),
    { ...beside("host"), write: `${beside("host").write}, ${TITLE}` },
    derived("canonicalUrl", "url"),
    derived("finalUrl", "url")
  ],
  refused: [column("refused")],
  // Follows from the link's collection, so it is never in the way of an undo.
  inShared: [
    {
      ...beside("inShared"),
      write: "in_shared = coalesce((SELECT shared FROM collections WHERE id = links.collection_id), 0)"
    }
  ],
  collection: [
    {
      key: "collection",
      read: "l.collection_id",
      // A collection that has been deleted since is left out.
      write: `collection_id = iif(w.work -> 'collection' IS NULL, collection_id,
        (SELECT id FROM collections WHERE id = w.work ->> 'collection'))`,
      isCompared: true
    },
    beside("collectionByHand"),
    derived("filedBecause", "collection")
  ],
  createdAt: [beside("createdAt")],
  // Only ever emptied: a change does not record texts of pages.
  text: [{ key: "text", read: "NULL", write: "text = coalesce(w.work ->> 'text', text)", isCompared: false }]
}

export const columnsOf = (fields: ReadonlyArray<Field>) => fields.flatMap((field) => columns[field])

export const valuesOf = (fields: ReadonlyArray<Field>): string =>
  `json_object(${columnsOf(fields)
    .map(({ key, read }) => `'${key}', ${read}`)
    .join(", ")})`

export const assignmentsOf = (fields: ReadonlyArray<Field>): string =>
  [...new Set(columnsOf(fields).map(({ write }) => write))].join(", ")
