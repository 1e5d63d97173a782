import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { decodeNames, decodeRows, readNumber } from "../Rows.ts"
import { shadowTables } from "../Schema.ts"

const decodeTriggers = decodeRows(Schema.Struct({ name: Schema.String, sql: Schema.String }))

/** Names that a damaged index may have admitted twice: the later row gets its id added, so the owner can merge the two. */
const names: Readonly<Record<string, { readonly column: string; readonly addition: string }>> = {
  links: { column: "normalized_url", addition: "'#' || id" },
  collections: { column: "name", addition: "' (' || id || ')'" },
  searches: { column: "name", addition: "' (' || id || ')'" }
}

/** One transaction, all tables but full-text indexes and `others`; `derive` runs at the end. Returns rows by table. */
export const copyRows = Effect.fn("CopyRows.copy")(function* <E, R>(
  from: string,
  others: ReadonlyArray<string>,
  derive: Effect.Effect<unknown, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`PRAGMA foreign_keys = OFF`
  yield* sql`ATTACH ${from} AS source`
  const triggers = yield* decodeTriggers(sql`SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'`)
  const tables = yield* decodeNames(
    sql`SELECT name FROM main.sqlite_schema JOIN source.sqlite_schema USING (type, name)
      WHERE type = 'table' AND main.sqlite_schema.rootpage > 0 AND name <> 'sqlite_sequence'`
  )
  const left = new Set([...shadowTables, ...others])

  const copy = Effect.fnUntraced(function* (table: string) {
    const columns = yield* decodeNames(
      sql`SELECT name FROM pragma_table_info(${table}, 'main') JOIN pragma_table_info(${table}, 'source') USING (name)`
    )
    const list = columns.map(({ name }) => `"${name}"`)
    const unique = names[table]
    const selected = list.map((column) =>
      unique === undefined || column !== `"${unique.column}"`
        ? column
        : `iif(row_number() OVER (PARTITION BY ${column} ORDER BY id) = 1, ${column}, ${column} || ${unique.addition})`
    )
    yield* sql.unsafe(`DELETE FROM main."${table}"`)
    // An index that lacks entries would hide their rows.
    yield* sql.unsafe(
      `INSERT OR REPLACE INTO main."${table}" (${list}) SELECT ${selected} FROM source."${table}" NOT INDEXED`
    )
    return [table, yield* readNumber(sql.unsafe(`SELECT count(*) FROM main."${table}"`))] as const
  })

  return yield* sql.withTransaction(
    Effect.gen(function* () {
      // Their effects are already in the copied rows.
      for (const { name } of triggers) yield* sql`DROP TRIGGER ${sql(name)}`
      const counts = yield* Effect.forEach(
        tables.filter(({ name }) => !left.has(name)),
        ({ name }) => copy(name)
      )
      // Ids that were assigned once are never reused.
      yield* sql`DELETE FROM main.sqlite_sequence`
      yield* sql`INSERT INTO main.sqlite_sequence SELECT * FROM source.sqlite_sequence
        WHERE name IN (SELECT name FROM main.sqlite_schema)`
      for (const trigger of triggers) yield* sql.unsafe(trigger.sql)
      yield* derive
      return counts
    })
  )
})
