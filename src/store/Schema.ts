import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Effect, Record } from "effect"
import { migrations } from "../../migrations/index.ts"
import fingerprints from "./schemaFingerprints.json" with { type: "json" }

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

/** A table, an index, a view or a trigger, as `sqlite_schema` lists it. */
export interface SchemaObject {
  readonly type: string
  readonly name: string
  /** The table that an index or a trigger belongs to; of others the name again. */
  readonly table: string
  /** The statement that makes it; null for an index that belongs to a constraint. */
  readonly sql: string | null
}

/** Selects every object of a database. */
export const SELECT_SCHEMA = 'SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema'

/** What a sound library of this version consists of: the migrations say so. */
export const schemaOf = Effect.fn("Schema.schemaOf")(
  function* (version: number) {
    const sql = yield* SqlClient.SqlClient
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrationsUpTo(version)) })
    return yield* sql.unsafe<SchemaObject>(SELECT_SCHEMA)
  },
  Effect.provide(SqliteClient.layer({ filename: ":memory:" })),
  Effect.orDie
)

/** How the schema of a library differs from the one its migrations make. */
export interface SchemaFindings {
  /** What could lose data, each as a clause that names the object. */
  readonly problems: ReadonlyArray<string>
  /** Indexes that only make reading faster and are missing; their statements make them again. */
  readonly missingIndexes: ReadonlyArray<SchemaObject>
  /** Objects that somebody added and that change nothing: a table, a view, a plain index. */
  readonly additions: ReadonlyArray<string>
}

/** The migrator's own table: its columns are another package's business. */
const MIGRATIONS_TABLE = "effect_sql_migrations"

/** What SQLite adds to any database, statistics and the counters of `AUTOINCREMENT`, and what Litestream adds. */
const isInternal = ({ name, sql, type }: SchemaObject) =>
  (type === "table" && /^(sqlite_(stat\d|sequence)|_litestream_(seq|lock))$/.test(name)) ||
  (sql === null && name.startsWith(`sqlite_autoindex_${MIGRATIONS_TABLE}`))

/** A statement without the differences that mean nothing: white space outside quotes. */
const normalized = (sql: string) =>
  sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\s+/g, (part) => (/^\s/.test(part) ? " " : part)).trim()

const statementOf = ({ name, sql }: SchemaObject) =>
  name === MIGRATIONS_TABLE || sql === null ? "" : normalized(sql)

const keyOf = ({ name, table, type }: SchemaObject) => `${type} ${name} ${table}`

/** Triggers may bear the name of a table; tables, views and indexes share theirs. */
const placeOf = ({ name, type }: SchemaObject) => `${type === "trigger" ? "trigger" : "other"} ${name}`

const compared = (objects: ReadonlyArray<SchemaObject>) => objects.filter((object) => !isInternal(object))

/** A digest of a schema: equal for libraries of one version, however they came to it. */
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

/** An index that can neither refuse a row nor fail over one: it names columns and nothing else. */
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
  // A missing part of a search index is found by the check of the indexes, which knows that they can be rebuilt.
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
      ...altered,
      ...missing.filter((object) => !isMerelyIndex(object)).map((object) => `${named(object)} is missing`),
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
 * digests of released versions are kept; an unknown digest is compared object by object.
 */
export const checkSchema = Effect.fn("SchemaCheck.check")(function* (
  version: number,
  objects: ReadonlyArray<SchemaObject>
) {
  if (released[version] === fingerprintOf(objects)) return SAME
  return compare(compared(yield* schemaOf(version)), compared(objects), version)
})
