import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Effect, Record } from "effect"
import { migrations } from "../../migrations/index.ts"
import { readNewLibrary } from "./NewLibrary.ts"
import newest from "./newLibrary.json" with { type: "json" }

/** The newest library version this program knows: the number of its last migration. */
export const LATEST_VERSION = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

export const migrationsUpTo = (version: number) =>
  Record.filter(migrations, (_, name) => Number.parseInt(name, 10) <= version)

export const searchIndexes = ["links_fts", "links_trigram", "public_fts", "public_trigram", "highlights_fts"]

/** Their virtual tables with those that list their words, in an order in which they can be created. */
export const searchTables = [
  ...searchIndexes,
  ...["links_words", "links_trigrams", "public_words", "public_trigrams"]
]

/** The ordinary tables in which FTS5 stores them (https://www.sqlite.org/fts5.html#fts5_data_structures). */
export const shadowTables = searchIndexes.flatMap((name) =>
  ["data", "idx", "docsize", "config"].map((part) => `${name}_${part}`)
)

export interface SchemaObject {
  readonly type: string
  readonly name: string
  /** The table that an index or a trigger belongs to; for other types, the name again. */
  readonly table: string
  /** The statement that creates it; null for an index that belongs to a constraint. */
  readonly sql: string | null
}

/** Selects every object of a database. Its rows need no decoding, because SQLite itself writes them. */
export const SELECT_SCHEMA = 'SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema'

const migratedSchema = Effect.fn("Schema.migrated")(
  function* (version: number) {
    const sql = yield* SqlClient.SqlClient
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrationsUpTo(version)) })
    return yield* sql.unsafe<SchemaObject>(SELECT_SCHEMA)
  },
  Effect.provide(SqliteClient.layer({ filename: ":memory:" })),
  // In memory only a wrong migration can fail.
  Effect.orDie
)

/** The schema of a sound library of this version; that of an earlier version takes its migrations, and so longer. */
export const schemaOf = (version: number): Effect.Effect<ReadonlyArray<SchemaObject>> =>
  version < LATEST_VERSION
    ? migratedSchema(version)
    : Effect.sync(() => readNewLibrary((database) => database.query<SchemaObject, []>(SELECT_SCHEMA).all()))

export interface SchemaFindings {
  /** Differences that could lose data, each as a clause that names the object; what is missing comes first. */
  readonly problems: ReadonlyArray<string>
  /** Missing indexes that only speed up reads; their statements recreate them. */
  readonly missingIndexes: ReadonlyArray<SchemaObject>
  /** Harmless objects that another program added: a table, a view, a plain index. */
  readonly additions: ReadonlyArray<string>
}

/** The migrator's own table, whose columns another package defines. */
const MIGRATIONS_TABLE = "effect_sql_migrations"

/** Whether SQLite (statistics, `AUTOINCREMENT` counters), the migrator or Litestream added the object. */
const isInternal = ({ name, sql, type }: SchemaObject) =>
  (type === "table" && /^(sqlite_(stat\d|sequence)|_litestream_(seq|lock))$/.test(name)) ||
  (sql === null && name.startsWith(`sqlite_autoindex_${MIGRATIONS_TABLE}`))

/** Collapses white space outside quotes, which has no meaning. */
const normalized = (sql: string) =>
  sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\s+/g, (part) => (/^\s/.test(part) ? " " : part)).trim()

const statementOf = ({ name, sql }: SchemaObject) =>
  name === MIGRATIONS_TABLE || sql === null ? "" : normalized(sql)

const keyOf = ({ name, table, type }: SchemaObject) => `${type} ${name} ${table}`

/** Namespace and name: a trigger may have a table's name, while tables, views and indexes share one namespace. */
const placeOf = ({ name, type }: SchemaObject) => `${type === "trigger" ? "trigger" : "other"} ${name}`

const compared = (objects: ReadonlyArray<SchemaObject>) => objects.filter((object) => !isInternal(object))

const named = ({ name, table, type }: SchemaObject) =>
  type === "trigger" || type === "index" ? `the ${type} ${name} on ${table}` : `the ${type} ${name}`

/** Whether an index can neither reject a row nor fail on one, because it names only columns. */
const isPlainIndex = ({ sql, type }: SchemaObject) =>
  type === "index" && sql !== null && /^CREATE INDEX [^()]+\([\w\s,"]+\)$/i.test(normalized(sql))

const isHarmlessAddition = (object: SchemaObject) =>
  object.type === "table" || object.type === "view" || isPlainIndex(object)

const isMerelyIndex = ({ sql, type }: SchemaObject) =>
  type === "index" && sql !== null && !/^CREATE UNIQUE/i.test(sql)

const compare = (wanted: ReadonlyArray<SchemaObject>, found: ReadonlyArray<SchemaObject>): SchemaFindings => {
  // The index check reports a missing part of a search index, because it knows that the index can be rebuilt.
  const rebuilt = new Set([...searchTables, ...shadowTables])
  const byPlace = new Map(found.map((object) => [placeOf(object), object]))
  const expected = new Set(wanted.map(placeOf))
  const missing = wanted.filter((object) => !byPlace.has(placeOf(object)) && !rebuilt.has(object.table))
  const altered = wanted.flatMap((object) => {
    const other = byPlace.get(placeOf(object))
    if (other === undefined) return []
    if (keyOf(other) === keyOf(object) && statementOf(other) === statementOf(object)) return []
    return other.type === object.type
      ? [`${named(object)} was changed`]
      : [`the ${object.type} ${object.name} was replaced by a ${other.type}`]
  })
  const added = found.filter((object) => !expected.has(placeOf(object)))
  return {
    problems: [
      ...missing.filter((object) => !isMerelyIndex(object)).map((object) => `${named(object)} is missing`),
      ...altered,
      ...added
        .filter((object) => !isHarmlessAddition(object))
        .map((object) => `${named(object)} is not Linkbower's`)
    ],
    missingIndexes: missing.filter(isMerelyIndex),
    additions: added.filter(isHarmlessAddition).map(named)
  }
}

export const digestOf = (objects: ReadonlyArray<SchemaObject>): string =>
  new Bun.CryptoHasher("sha256")
    .update(
      compared(objects)
        .map((object) => `${keyOf(object)}\n${object.sql}`)
        .sort()
        .join("\n\n")
    )
    .digest("hex")

const SAME: SchemaFindings = { problems: [], missingIndexes: [], additions: [] }

/** Compares a library's schema with its migrations': the newest by digest, which saves milliseconds, others by object. */
export const checkSchema = Effect.fn("Schema.checkSchema")(function* (
  version: number,
  objects: ReadonlyArray<SchemaObject>
) {
  if (version === LATEST_VERSION && digestOf(objects) === newest.schema) return SAME
  return compare(compared(yield* schemaOf(version)), compared(objects))
})
