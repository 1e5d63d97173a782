import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** SQL expression for a row of `highlights h` as JSON in the shape of `Highlight`. */
export const highlightJson = `json_object('id', h.id, 'linkId', h.link_id, 'quote', h.quote, 'prefix', h.prefix,
  'suffix', h.suffix, 'start', h.start_at, 'end', h.end_at, 'isLost', json(iif(h.lost, 'true', 'false')),
  'colour', h.colour, 'note', h.note, 'source', h.source, 'createdAt', h.created_at, 'updatedAt', h.updated_at)`

/** Maximum length of the words that the search indexes hold of a link's highlights, in characters. */
const MAX_INDEXED = 65_536

/** SQL for the words of link `t.id`'s highlights: notes first, then passages that the page lacks. */
const wordsOf = `coalesce((SELECT substr(group_concat(part, char(10)), 1, ${MAX_INDEXED}) FROM (
  SELECT part FROM (
    SELECT note AS part, 0 AS place, id FROM highlights WHERE link_id = t.id AND note <> ''
    UNION ALL SELECT quote, iif(start_at IS NULL, 1, 2), id FROM highlights WHERE link_id = t.id
  ) ORDER BY place, id)), '')`

/** Writes the words of the links' highlights to where the search indexes read them, in the caller's transaction. */
export const renewHighlighted = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  ids: ReadonlyArray<number>
) {
  if (ids.length === 0) return
  const some = JSON.stringify(ids)
  for (const table of ["links", "trash"])
    yield* sql`UPDATE ${sql.literal(table)} SET highlighted = wanted.words
      FROM (SELECT t.id, ${sql.literal(wordsOf)} AS words FROM ${sql.literal(table)} t
        WHERE t.id IN (SELECT value FROM json_each(${some}))) AS wanted
      WHERE ${sql.literal(table)}.id = wanted.id AND highlighted <> wanted.words`
})
