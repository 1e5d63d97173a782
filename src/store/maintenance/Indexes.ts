import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { schemaOf, searchIndexes, searchTables } from "../Schema.ts"
import { Transaction } from "../Transaction.ts"
import { countOf, strayIn, WITHOUT_PARTS, WITHOUT_TEXT, WITHOUT_VECTOR } from "./Inspection.ts"

const COLUMNS = "title, tags, note, summary, description, url, text"

/** The full-text indexes, where their texts come from, and which links they lack. */
const indexes = [
  { index: "links_fts", source: "links", lacking: WITHOUT_TEXT },
  { index: "links_trigram", source: "links_substrings", lacking: WITHOUT_PARTS }
]

/** How many shared links the projection lacks or shows otherwise, and how many it shows that are private. */
const DIFFERENT = `SELECT (SELECT count(*) FROM (SELECT * FROM shared_links EXCEPT SELECT * FROM public_links))
  + (SELECT count(*) FROM public_links WHERE id NOT IN (SELECT id FROM links WHERE shareable = 1)) AS n`

/** The indexes are rebuilt first: FTS5 can remove a row only where it knows what the row said. */
const REPROJECT = [
  "INSERT INTO public_fts (public_fts) VALUES ('rebuild')",
  "INSERT INTO public_trigram (public_trigram) VALUES ('rebuild')",
  "DELETE FROM public_links",
  "DELETE FROM public_tags",
  "INSERT INTO public_links SELECT * FROM shared_links ORDER BY id"
]

/** What was put right at a start. */
interface Reconciled {
  /** Links that searches did not find, and now do. */
  readonly indexed: number
  /** Links that had no vector, and now wait for one. */
  readonly queued: number
  /** Shared links that the public list lacked, showed otherwise or showed in spite of being private. */
  readonly projected: number
}

/**
 * Brings what is derived from the links back in step with them: the full-text indexes, the queue of links without a
 * vector, and the projection of the shared links. Where there are as many of them, of the same sum, nothing else is looked at.
 */
export const reconcile = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const count = (statement: string) =>
    Effect.map(sql.unsafe<{ n: number }>(statement), ([row]) => row?.n ?? 0)

  const sumsOf = (column: string, table: string) =>
    Effect.map(
      sql.unsafe<{ n: string }>(`SELECT count(*) || ' ' || total(${column}) AS n FROM ${table}`),
      ([row]) => row?.n
    )

  const links = yield* sumsOf("id", "links")

  const fill = Effect.fnUntraced(function* ({ index, lacking, source }: (typeof indexes)[number]) {
    if (links === (yield* sumsOf("id", `${index}_docsize`))) return 0
    return yield* transaction(
      Effect.gen(function* () {
        const missing = yield* count(countOf(lacking))
        const stray = yield* count(countOf(strayIn(index)))
        // What an index holds of a link can be taken out of it only by who knows what it was.
        if (stray > 0) yield* sql.unsafe(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`)
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
    const missing = yield* count(countOf(WITHOUT_VECTOR))
    if (missing > 0)
      yield* transaction(
        sql.unsafe(`INSERT INTO embedding_queue (link_id) SELECT id FROM (${WITHOUT_VECTOR}) ORDER BY id`)
      )
    return missing
  })

  /** Copies the shared links again where the projection or its indexes differ from them. */
  const project = Effect.gen(function* () {
    const different = yield* count(DIFFERENT)
    const shown = yield* sumsOf("id", "public_links")
    const isIndexed =
      shown === (yield* sumsOf("id", "public_fts_docsize")) &&
      shown === (yield* sumsOf("id", "public_trigram_docsize"))
    if (different === 0 && isIndexed) return 0
    yield* transaction(Effect.forEach(REPROJECT, (statement) => sql.unsafe(statement), { discard: true }))
    return Math.max(different, 1)
  })

  const filled = yield* Effect.forEach(indexes, fill)
  const result: Reconciled = { indexed: Math.max(...filled), queued: yield* queue, projected: yield* project }
  if (result.indexed > 0)
    yield* Effect.logWarning(`${result.indexed} links were out of step with the search index: it is again`)
  if (result.queued > 0)
    yield* Effect.logWarning(`${result.queued} links had no vector and did not wait for one: they do`)
  if (result.projected > 0)
    yield* Effect.logWarning("The public list was out of step with the shared links and was rebuilt", {
      links: result.projected
    })
  return result
}).pipe(Effect.withSpan("Reconcile.reconcile"))

/** Fills the full-text indexes anew from the links, all of them at once; tables that are missing are made. */
export const rebuildIndexes = Effect.fn("SearchIndexes.rebuild")(function* (version: number) {
  const sql = yield* SqlClient.SqlClient
  const statements = new Map((yield* schemaOf(version)).map((one) => [one.name, one.sql]))
  const there = yield* sql<{ name: string }>`SELECT name FROM sqlite_schema`
  const names = new Set(there.map(({ name }) => name))
  for (const name of searchTables(version))
    if (!names.has(name)) yield* sql.unsafe(statements.get(name) ?? "")
  for (const name of searchIndexes(version))
    yield* sql`INSERT INTO ${sql(name)} (${sql(name)}) VALUES ('rebuild')`
})

/** The same in one transaction, beside a running service too: others read meanwhile, and their writes wait. */
export const rebuildAtOnce = (version: number) =>
  Effect.flatMap(Transaction, (transaction) => transaction(rebuildIndexes(version)))
