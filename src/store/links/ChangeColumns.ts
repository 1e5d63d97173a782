import type { Field } from "../../domain/Change.ts"

/** A column of `links` as changes record and write it. */
interface Column {
  /** JSON key and value of this column, from `links l`. */
  readonly read: string
  /** Assignment from that JSON in `v.wrote`. */
  readonly write: string
  /** Condition that the column no longer holds what the change wrote; null for a by-hand mark of another column. */
  readonly differs: string | null
}

const flag = (json: string, column: string): Column => ({
  read: `'${json}', json(iif(l.${column}, 'true', 'false'))`,
  write: `${column} = coalesce(v.wrote ->> '${json}', ${column})`,
  differs: `l.${column} IS NOT v.wrote ->> '${json}'`
})
const mark = (json: string, column: string): Column => ({ ...flag(json, column), differs: null })
/** A column whose value is null where the change does not give one. */
const derived = (json: string, column: string): Column => ({
  read: `'${json}', l.${column}`,
  write: `${column} = v.wrote ->> '${json}'`,
  differs: null
})
const text = (json: string, column: string): Column => ({
  read: `'${json}', l.${column}`,
  write: `${column} = coalesce(v.wrote ->> '${json}', ${column})`,
  differs: `l.${column} IS NOT v.wrote ->> '${json}'`
})

/** A column that holds JSON. */
const list = (json: string, column: string): Column => ({
  ...text(json, column),
  read: `'${json}', json(l.${column})`
})

/** The columns of each field of a link that a change can touch. */
export const columns: Record<Field, ReadonlyArray<Column>> = {
  favorite: [flag("favorite", "favorite")],
  shareable: [flag("shareable", "shareable")],
  category: [text("category", "category"), mark("categoryByHand", "category_by_hand")],
  title: [text("title", "title"), mark("titleByHand", "title_by_hand")],
  summary: [text("summary", "summary"), mark("summaryByHand", "summary_by_hand")],
  note: [text("note", "note")],
  state: [text("state", "state")],
  tags: [
    list("tags", "tags"),
    { ...list("handTags", "hand_tags"), differs: null },
    mark("tagsByHand", "tags_by_hand")
  ],
  // What was found out about the page's own address does not hold for another one.
  url: [
    text("url", "url"),
    { ...text("normalizedUrl", "normalized_url"), differs: null },
    // A host name, or words of the old address, stand for a title that is not known.
    {
      ...text("host", "host"),
      write: `host = coalesce(v.wrote ->> 'host', host),
        title = iif(NOT title_by_hand AND title IN (host, v.wrote ->> 'titleOfAddress'),
          coalesce(v.wrote ->> 'host', host), title)`,
      differs: null
    },
    derived("canonicalUrl", "canonical_url"),
    derived("finalUrl", "final_url")
  ],
  refused: [list("refused", "refused")],
  // Follows from the link's collection, so it is never in the way of an undo.
  inShared: [
    {
      ...mark("inShared", "in_shared"),
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
    mark("collectionByHand", "collection_by_hand"),
    { ...derived("filedBecause", "filed_because"), read: "'filedBecause', json(l.filed_because)" }
  ],
  createdAt: [{ ...text("createdAt", "created_at"), differs: null }],
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
