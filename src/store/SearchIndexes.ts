import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { schemaOf, searchIndexes, searchTables } from "./Schema.ts"
import { Transaction } from "./Transaction.ts"

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
