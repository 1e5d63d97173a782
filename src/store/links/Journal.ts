import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Field } from "../../domain/Change.ts"
import { valuesOf } from "./ChangeColumns.ts"

/* The rows that a change touches, before and after it. Functions run in the caller's transaction. */

export type LabelKind = "collection" | "alias" | "search" | "highlight"

interface LabelTable {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly primaryKey: string
  /** Returns the SQL condition that the row `t` has this key. */
  readonly hasKey: (key: string) => string
}

const words = (names: string): ReadonlyArray<string> => names.split(" ")
const hasNumber = (key: string) => `t.id = CAST(${key} AS INTEGER)`

export const tables: Record<LabelKind, LabelTable> = {
  collection: {
    table: "collections",
    columns: words("id name created_at parent_id description color icon position shareable shared"),
    primaryKey: "id",
    hasKey: hasNumber
  },
  alias: {
    table: "aliases",
    columns: words("kind name target"),
    primaryKey: "kind, name",
    hasKey: (key) =>
      `t.kind = substr(${key}, 1, instr(${key}, ' ') - 1) AND t.name = substr(${key}, instr(${key}, ' ') + 1)`
  },
  search: {
    table: "searches",
    columns: words("id name query sort pinned feed_text position token created_at"),
    primaryKey: "id",
    hasKey: hasNumber
  },
  highlight: {
    table: "highlights",
    columns: words(
      "id link_id quote prefix suffix start_at end_at lost colour note source created_at updated_at"
    ),
    primaryKey: "id",
    hasKey: hasNumber
  }
}

export const imageOf = (kind: LabelKind, key: string) => {
  const { columns, hasKey, table } = tables[kind]
  const image = `json_object(${columns.map((column) => `'${column}', t.${column}`).join(", ")})`
  return `(SELECT ${image} FROM ${table} t WHERE ${hasKey(key)})`
}

export const aliasKey = (kind: string, name: string): string => `${kind} ${name}`

type Keys = ReadonlyArray<string | number>

/** Rows of one kind by their keys, and the SQL expression for the image of the one with a key. */
interface Touched {
  readonly kind: LabelKind | "link"
  readonly keys: Keys
  readonly image: (key: string) => string
}

const listOf = ({ keys, kind }: Touched) => JSON.stringify(kind === "link" ? keys : keys.map(String))
/** Links have numbers as keys; the texts of others ignore case. */
const keyIn = ({ kind }: Touched, value: string) => (kind === "link" ? value : `lower(${value})`)

const labelsOf = (kind: LabelKind, keys: Keys): Touched => ({
  kind,
  keys,
  image: (key) => imageOf(kind, key)
})

const rememberAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, change: number, rows: Touched) {
  yield* sql`INSERT INTO change_rows (change_id, kind, key, before)
    SELECT ${change}, ${rows.kind}, ${sql.literal(keyIn(rows, "k.value"))}, ${sql.literal(rows.image("k.value"))}
    FROM json_each(${listOf(rows)}) AS k WHERE true ON CONFLICT DO NOTHING`
})

const settleAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, change: number, rows: Touched) {
  yield* sql`UPDATE change_rows SET after = ${sql.literal(rows.image("change_rows.key"))}
    WHERE change_id = ${change} AND kind = ${rows.kind}
      AND key IN (SELECT ${sql.literal(keyIn(rows, "value"))} FROM json_each(${listOf(rows)}))`
})

export const remember = (sql: SqlClient.SqlClient, change: number, kind: LabelKind, keys: Keys) =>
  rememberAll(sql, change, labelsOf(kind, keys))

export const recordedLinks = Effect.fnUntraced(function* <A, E, R>(
  sql: SqlClient.SqlClient,
  change: number,
  { fields, ids }: { readonly ids: ReadonlyArray<number>; readonly fields: ReadonlyArray<Field> },
  work: Effect.Effect<A, E, R>
) {
  const rows: Touched = {
    kind: "link",
    keys: ids,
    image: (key) => `(SELECT ${valuesOf(fields)} FROM links l WHERE l.id = ${key})`
  }
  yield* rememberAll(sql, change, rows)
  const done = yield* work
  yield* settleAll(sql, change, rows)
  return done
})

export const recorded = Effect.fnUntraced(function* <A, E, R>(
  sql: SqlClient.SqlClient,
  change: number,
  kind: LabelKind,
  keys: Keys,
  work: Effect.Effect<A, E, R>
) {
  const rows = labelsOf(kind, keys)
  yield* rememberAll(sql, change, rows)
  const done = yield* work
  yield* settleAll(sql, change, rows)
  // A thing that did not change is not part of the change.
  yield* sql`DELETE FROM change_rows WHERE change_id = ${change} AND kind = ${kind} AND before IS after`
  return done
})

export const recordCreated = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  change: number,
  kind: LabelKind,
  keys: Keys
) {
  if (keys.length === 0) return
  const rows = labelsOf(kind, keys)
  yield* sql`INSERT INTO change_rows (change_id, kind, key, after)
    SELECT ${change}, ${kind}, lower(k.value), ${sql.literal(rows.image("k.value"))}
    FROM json_each(${listOf(rows)}) AS k WHERE true ON CONFLICT DO UPDATE SET after = excluded.after`
})
