import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Effect, Record } from "effect"
import { migrations } from "../../migrations/index.ts"

/** The version of the newest library this program knows: the number of its last migration. */
export const known = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** The migrations a library of this version has seen. */
export const migrationsUpTo = (version: number) =>
  Record.filter(migrations, (_, name) => Number.parseInt(name, 10) <= version)

/** The full-text indexes, the newest last: who drops them must begin there. */
const indexes = [
  { name: "links_fts", since: 1, isIndex: true },
  { name: "links_trigram", since: 4, isIndex: true },
  { name: "links_words", since: 4, isIndex: false },
  { name: "links_trigrams", since: 4, isIndex: false },
  { name: "public_fts", since: 10, isIndex: true },
  { name: "public_trigram", since: 10, isIndex: true },
  { name: "public_words", since: 10, isIndex: false },
  { name: "public_trigrams", since: 10, isIndex: false }
]

/** The tables FTS5 keeps an index in (https://www.sqlite.org/fts5.html#fts5_data_structures). */
const SHADOWS = ["data", "idx", "docsize", "config"]

/** The virtual tables of the full-text indexes in a library of this version, in the order in which they are made. */
export const searchTables = (version: number) =>
  indexes.filter(({ since }) => since <= version).map(({ name }) => name)

/** The full-text indexes alone, without what lists their words. */
export const searchIndexes = (version: number) =>
  indexes.filter(({ isIndex, since }) => isIndex && since <= version).map(({ name }) => name)

/** The ordinary tables beneath the full-text indexes. */
export const shadowTables = (version: number) =>
  searchIndexes(version).flatMap((name) => SHADOWS.map((part) => `${name}_${part}`))

/** A table, an index, a view or a trigger, and the statement that makes it. */
export interface SchemaObject {
  readonly name: string
  readonly sql: string
}

/** What a sound library of this version consists of: the migrations say so. */
export const schemaOf = Effect.fn("Schema.schemaOf")(
  function* (version: number) {
    const sql = yield* SqlClient.SqlClient
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrationsUpTo(version)) })
    return yield* sql<SchemaObject>`SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL`
  },
  Effect.provide(SqliteClient.layer({ filename: ":memory:" })),
  Effect.orDie
)
