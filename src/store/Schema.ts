import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Effect, Record } from "effect"
import { migrations } from "../../migrations/index.ts"
import fingerprints from "./schemaFingerprints.json" with { type: "json" }

/** The newest library version this program knows: the number of its last migration. */
export const LATEST_VERSION = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** Returns the migrations that a library of this version has run. */
export const migrationsUpTo = (version: number) =>
  Record.filter(migrations, (_, name) => Number.parseInt(name, 10) <= version)

/** The full-text indexes, newest last; drop them in reverse order. */
const indexes = [
  { name: "links_fts", since: 1, isIndex: true },
  { name: "links_trigram", since: 4, isIndex: true },
  { name: "links_words", since: 4, isIndex: false },
  { name: "links_trigrams", since: 4, isIndex: false },
  { name: "public_fts", since: 10, isIndex: true },
  { name: "public_trigram", since: 10, isIndex: true },
  { name: "public_words", since: 10, isIndex: false },
  { name: "public_trigrams", since: 10, isIndex: false },
  { name: "highlights_fts", since: 28, isIndex: true }
]

/** Suffixes of the tables in which FTS5 stores an index (https://www.sqlite.org/fts5.html#fts5_data_structures). */
const SHADOWS = ["data", "idx", "docsize", "config"]

/** Returns the virtual tables of the full-text indexes in a library of this version, in creation order. */
export const searchTables = (version: number) =>
  indexes.filter(({ since }) => since <= version).map(({ name }) => name)

/** Returns the full-text indexes without the tables that list their words. */
export const searchIndexes = (version: number) =>
  indexes.filter(({ isIndex, since }) => isIndex && since <= version).map(({ name }) => name)

/** Returns the ordinary tables beneath the full-text indexes. */
export const shadowTables = (version: number) =>
  searchIndexes(version).flatMap((name) => SHADOWS.map((part) => `${name}_${part}`))

/** A table, an index, a view or a trigger, as `sqlite_schema` lists it. */
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

/** Returns the schema of a sound library of this version, by running its migrations in memory. */
export const schemaOf = Effect.fn("Schema.schemaOf")(
  function* (version: number) {
    const sql = yield* SqlClient.SqlClient
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrationsUpTo(version)) })
    return yield* sql.unsafe<SchemaObject>(SELECT_SCHEMA)
  },
  Effect.provide(SqliteClient.layer({ filename: ":memory:" })),
  // In memory only a wrong migration can fail.
  Effect.orDie
)

/** Differences between a library's schema and the one its migrations make. */
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

/** Returns a digest of a schema, equal for all libraries of one version, whichever versions they upgraded from. */
export const fingerprintOf = (objects: ReadonlyArray<SchemaObject>): string =>
  new Bun.CryptoHasher("sha256")
    .update(
      compared(objects)
        .map((object) => `${keyOf(object)}\n${statementOf(object)}`)
        .sort()
        .join("\n\n")
    )
    .digest("hex")

const named = ({ name, table, type }: SchemaObject) =>
  type === "trigger" || type === "index" ? `the ${type} ${name} on ${table}` : `the ${type} ${name}`

/** Whether an index can neither reject a row nor fail on one, because it names only columns. */
const isPlainIndex = ({ sql, type }: SchemaObject) =>
  type === "index" && sql !== null && /^CREATE INDEX [^()]+\([\w\s,"]+\)$/i.test(normalized(sql))

const isHarmlessAddition = (object: SchemaObject) =>
  object.type === "table" || object.type === "view" || isPlainIndex(object)

const isMerelyIndex = ({ sql, type }: SchemaObject) =>
  type === "index" && sql !== null && !/^CREATE UNIQUE/i.test(sql)

const compare = (
  wanted: ReadonlyArray<SchemaObject>,
  found: ReadonlyArray<SchemaObject>,
  version: number
): SchemaFindings => {
  // The index check reports a missing part of a search index, because it knows that the index can be rebuilt.
  const rebuilt = new Set([...searchTables(version), ...shadowTables(version)])
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

const SAME: SchemaFindings = { problems: [], missingIndexes: [], additions: [] }

const released: Readonly<Record<string, string>> = fingerprints

/**
 * Compares the schema of a library of this version with the one its migrations make. Running them takes 40 ms, so the
 * digests of released versions are stored; a schema with an unknown digest is compared object by object.
 */
export const checkSchema = Effect.fn("Schema.checkSchema")(function* (
  version: number,
  objects: ReadonlyArray<SchemaObject>
) {
  if (released[version] === fingerprintOf(objects)) return SAME
  return compare(compared(yield* schemaOf(version)), compared(objects), version)
})
