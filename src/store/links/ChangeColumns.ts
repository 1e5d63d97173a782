import type { Field } from "../../domain/Change.ts"
import type { LinkColumn } from "../../domain/LinkColumns.ts"
import { columnOf, jsonOf } from "./LinkColumns.ts"

/** A column of `links` as changes record and write it. */
interface Column {
  /** JSON key and value of this column, from `links l`. */
  readonly read: string
  /** Assignment from that JSON in `v.wrote`. */
  readonly write: string
  /** Condition that the column no longer holds what the change wrote; null for a by-hand mark of another column. */
  readonly differs: string | null
}

const column = (key: LinkColumn): Column => ({
  read: `'${key}', ${jsonOf("l", key)}`,
  write: `${columnOf(key)} = coalesce(v.wrote ->> '${key}', ${columnOf(key)})`,
  differs: `l.${columnOf(key)} IS NOT v.wrote ->> '${key}'`
})
/** A column that goes with another one, and is never in the way of an undo. */
const beside = (key: LinkColumn): Column => ({ ...column(key), differs: null })
/** Such a column, whose value is null where the change does not give one. */
const derived = (key: LinkColumn): Column => ({
  ...beside(key),
  write: `${columnOf(key)} = v.wrote ->> '${key}'`
})

/** The columns of each field of a link that a change can touch. */
export const columns: Record<Field, ReadonlyArray<Column>> = {
  favorite: [column("favorite")],
  shareable: [column("shareable")],
  category: [column("category"), beside("categoryByHand")],
  title: [column("title"), beside("titleByHand")],
  summary: [column("summary"), beside("summaryByHand")],
  note: [column("note")],
  state: [column("state")],
  tags: [column("tags"), beside("handTags"), beside("tagsByHand")],
  // What was found out about the page's own address does not hold for another one.
  url: [
    column("url"),
    beside("normalizedUrl"),
    // A host name, or words of the old address, stand for a title that is not known.
    {
      ...column("host"),
      write: `host = coalesce(v.wrote ->> 'host', host),
        title = iif(NOT title_by_hand AND title IN (host, v.wrote ->> 'titleOfAddress'),
          coalesce(v.wrote ->> 'host', host), title)`,
      differs: null
    },
    derived("canonicalUrl"),
    derived("finalUrl")
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
      read: "'collection', l.collection_id",
      // A collection that has been deleted since is left out.
      write: "collection_id = (SELECT id FROM collections WHERE id = v.wrote ->> 'collection')",
      differs: "l.collection_id IS NOT v.wrote ->> 'collection'"
    },
    beside("collectionByHand"),
    derived("filedBecause")
  ],
  createdAt: [beside("createdAt")],
  // Only ever emptied: a change does not record texts of pages.
  text: [{ read: "'text', NULL", write: "text = coalesce(v.wrote ->> 'text', text)", differs: null }]
}

export const columnsOf = (fields: ReadonlyArray<Field>) => fields.flatMap((field) => columns[field])

/** SQL expression for the values of these fields of a link `l`, as a change records them. */
export const valuesOf = (fields: ReadonlyArray<Field>): string =>
  `json_object(${columnsOf(fields)
    .map((column) => column.read)
    .join(", ")})`

/**
 * SQL conditions that the owner has chosen the fields that jobs change; undoing a job keeps what the owner has chosen, for
 * a collection also by refusing the job's.
 */
export const handMarks: Partial<Record<Field, string>> = {
  category: "l.category_by_hand",
  collection: `(l.collection_by_hand OR wrote ->> 'collection' IN (SELECT value FROM json_each(l.refused)))`
}

/** SQL condition on a change `c` of a link `l`, which wrote `v.wrote`, that the link no longer holds what it wrote. */
export const HAS_CHANGED_SINCE = Object.entries(columns)
  .flatMap(([field, parts]) => {
    const differs = parts.flatMap((part) => part.differs ?? [])
    return differs.length === 0 ? [] : [`(instr(c.fields, '"${field}"') > 0 AND (${differs.join(" OR ")}))`]
  })
  .join(" OR ")
