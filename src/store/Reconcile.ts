import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { countOf, strayIn, WITHOUT_PARTS, WITHOUT_TEXT, WITHOUT_VECTOR } from "./Drift.ts"
import { Transaction } from "./Transaction.ts"

const COLUMNS = "title, tags, note, summary, description, url, text"

/** The full-text indexes, where their texts come from, and which links they lack. */
const indexes = [
  { index: "links_fts", source: "links", lacking: WITHOUT_TEXT },
  { index: "links_trigram", source: "links_substrings", lacking: WITHOUT_PARTS }
]

/** What was put right at a start. */
export interface Reconciled {
  /** Links that searches did not find, and now do. */
  readonly indexed: number
  /** Links that had no vector, and now wait for one. */
  readonly queued: number
}

/**
 * Brings what is derived from the links back in step with them: the full-text indexes, and the queue of links without a
 * vector. Where there are as many of them, of the same sum, nothing else is looked at.
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

  const filled = yield* Effect.forEach(indexes, fill)
  const result: Reconciled = { indexed: Math.max(...filled), queued: yield* queue }
  if (result.indexed > 0)
    yield* Effect.logWarning(`${result.indexed} links were out of step with the search index: it is again`)
  if (result.queued > 0)
    yield* Effect.logWarning(`${result.queued} links had no vector and did not wait for one: they do`)
  return result
}).pipe(Effect.withSpan("Reconcile.reconcile"))
