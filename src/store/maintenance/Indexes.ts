import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { decodeNames } from "../Rows.ts"
import { schemaOf, searchIndexes, searchTables } from "../Schema.ts"
import { Transaction } from "../Transaction.ts"
import {
  countRowsOf,
  LINKS_NOT_IN_TRIGRAM_INDEX,
  LINKS_NOT_IN_WORD_INDEX,
  LINKS_WITHOUT_VECTOR,
  selectOrphanedRows
} from "./Inspection.ts"

const COLUMNS = "title, tags, note, summary, description, url, text"

const indexes = [
  { index: "links_fts", source: "links_indexed", lacking: LINKS_NOT_IN_WORD_INDEX },
  { index: "links_trigram", source: "links_substrings", lacking: LINKS_NOT_IN_TRIGRAM_INDEX }
]

/** Counts differences of the projection. `candidates` come from two indexes: the view alone would read every link. */
const COUNT_DIFFERENCES = `WITH candidates (id) AS (
    SELECT id FROM links WHERE shareable = 1
    UNION ALL SELECT l.id FROM public_collections c CROSS JOIN links l ON l.collection_id = c.id),
  shared AS (SELECT s.* FROM candidates CROSS JOIN shared_links s USING (id))
  SELECT (SELECT count(*) FROM (SELECT * FROM shared EXCEPT SELECT * FROM public_links))
  + (SELECT count(*) FROM public_links WHERE id NOT IN (SELECT id FROM shared))
  + (SELECT count(*) FROM (SELECT * FROM shared_collections EXCEPT SELECT * FROM public_collections))
  + (SELECT count(*) FROM public_collections WHERE id NOT IN (SELECT id FROM shared_collections)) AS n`

/** Copies the shared links again. Rebuilds the indexes first: FTS5 can remove a row only if it knows the row's text. */
const REBUILD_PROJECTION = [
  "INSERT INTO public_fts (public_fts) VALUES ('rebuild')",
  "INSERT INTO public_trigram (public_trigram) VALUES ('rebuild')",
  "DELETE FROM public_links",
  "DELETE FROM public_tags",
  // The links of a shared collection come with it.
  "DELETE FROM public_collections",
  "INSERT INTO public_collections SELECT * FROM shared_collections",
  "INSERT INTO public_links SELECT * FROM shared_links WHERE id NOT IN (SELECT id FROM public_links) ORDER BY id"
]

const rebuild = Effect.fnUntraced(function* (index: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`)
})

/** Full-text indexes, vector queue and projection; skips what has the links' count and sum of ids. */
export const reconcile = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  // The two casts are safe: `count(*)` is a number, and a concatenation is text.
  const count = (statement: string) =>
    Effect.map(sql.unsafe<{ n: number }>(statement), ([row]) => row?.n ?? 0)

  const sumsOf = (column: string, table: string) =>
    Effect.map(
      sql.unsafe<{ n: string }>(`SELECT count(*) || ' ' || total(${column}) AS n FROM ${table}`),
      ([row]) => row?.n
    )

  const links = yield* sumsOf("id", "links")

  const repairIndex = Effect.fnUntraced(function* ({ index, lacking, source }: (typeof indexes)[number]) {
    if (links === (yield* sumsOf("id", `${index}_docsize`))) return 0
    return yield* transaction(
      Effect.gen(function* () {
        const missing = yield* count(countRowsOf(lacking))
        const stray = yield* count(countRowsOf(selectOrphanedRows(index)))
        // FTS5 can remove a row only with its original text, which is gone.
        if (stray > 0) yield* rebuild(index)
        else if (missing > 0)
          yield* sql.unsafe(
            `INSERT INTO ${index} (rowid, ${COLUMNS}) SELECT id, ${COLUMNS} FROM ${source} WHERE id IN (${lacking})`
          )
        return missing + stray
      })
    )
  })

  const queue = Effect.gen(function* () {
    const codes = yield* sumsOf("link_id", "vectors")
    if (links === codes && links === (yield* sumsOf("link_id", "vector_floats"))) return 0
    const missing = yield* count(countRowsOf(LINKS_WITHOUT_VECTOR))
    if (missing > 0)
      yield* transaction(
        sql.unsafe(
          `INSERT INTO embedding_queue (link_id) SELECT id FROM (${LINKS_WITHOUT_VECTOR}) ORDER BY id`
        )
      )
    return missing
  })

  /** Copies the shared links again if the projection or its indexes differ from them. */
  const project = Effect.gen(function* () {
    const different = yield* count(COUNT_DIFFERENCES)
    const shown = yield* sumsOf("id", "public_links")
    const isIndexed =
      shown === (yield* sumsOf("id", "public_fts_docsize")) &&
      shown === (yield* sumsOf("id", "public_trigram_docsize"))
    if (different === 0 && isIndexed) return 0
    yield* transaction(
      Effect.forEach(REBUILD_PROJECTION, (statement) => sql.unsafe(statement), { discard: true })
    )
    return Math.max(different, 1)
  })

  const filled = yield* Effect.forEach(indexes, repairIndex)
  /** `indexed`: links that the indexes lacked, and rows of deleted ones. `projected`: links shown wrongly in public. */
  const result = { indexed: Math.max(...filled), queued: yield* queue, projected: yield* project }
  if (result.indexed > 0)
    yield* Effect.logWarning("The search index was out of step with the links and was repaired", {
      links: result.indexed
    })
  if (result.queued > 0) yield* Effect.logWarning("Queued links without a vector", { links: result.queued })
  if (result.projected > 0)
    yield* Effect.logWarning("The public list was out of step with the shared links and was rebuilt", {
      links: result.projected
    })
  return result
}).pipe(Effect.withSpan("Indexes.reconcile"))

export const rebuildIndexes = Effect.fn("Indexes.rebuildIndexes")(function* (version: number) {
  const sql = yield* SqlClient.SqlClient
  const statements = new Map((yield* schemaOf(version)).map((one) => [one.name, one.sql]))
  const there = yield* decodeNames(sql`SELECT name FROM sqlite_schema`)
  const names = new Set(there.map(({ name }) => name))
  for (const name of searchTables) if (!names.has(name)) yield* sql.unsafe(statements.get(name) ?? "")
  yield* Effect.forEach(searchIndexes, rebuild, { discard: true })
})

/** Rebuilds all indexes in one transaction, safe while the service runs: readers continue, writers wait. */
export const rebuildInTransaction = Effect.fnUntraced(function* (version: number) {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  yield* transaction(Effect.zipRight(rebuildIndexes(version), sql`REINDEX`))
})
