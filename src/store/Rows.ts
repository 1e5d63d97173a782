import type { Statement } from "@effect/sql/Statement"
import { Array, Effect, type Option, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import { lazily } from "../shared/Lazily.ts"

/**
 * Decodes a statement's rows. A failed read is a defect everywhere in the store, because no caller can answer it: SQLite
 * fails a read only if the database is unusable, and a schema rejects a row only if another program wrote it. The decoder
 * is compiled at the first rows: a start would compile some two hundred, and use a few.
 */
export const decodeRows = <A, I>(schema: Schema.Schema<A, I>) => {
  const decoder = lazily(() => Schema.decodeUnknown(Schema.Array(schema)))
  return <E, R>(
    statement: Effect.Effect<ReadonlyArray<unknown>, E, R>
  ): Effect.Effect<ReadonlyArray<A>, E, R> =>
    Effect.flatMap(statement, (rows) => Effect.orDie(decoder()(rows)))
}

/** Reads and decodes a statement's rows; a failure is a defect. */
export const readRows = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decodeRows(schema)
  return <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) => Effect.orDie(decode(statement))
}

export const firstRow = <A, E, R>(
  rows: Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<Option.Option<A>, never, R> => Effect.map(Effect.orDie(rows), Array.head)

export const decodeNames = decodeRows(Schema.Struct({ name: Schema.String }))

/** Decodes the JSON texts in a statement's column `json`. */
export const readJson = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = readRows(Schema.Struct({ json: Schema.parseJson(schema) }))
  return (statement: Statement<unknown>) =>
    Effect.map(
      read(statement),
      Array.map(({ json }) => json)
    )
}

const readFirst =
  <A>(as: (value: unknown) => A) =>
  (statement: Statement<unknown>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(Effect.orDie(statement.values), (rows) => rows.map(([value]) => as(value)))

/** Reads the texts in a statement's first column. */
export const readTexts = readFirst(String)

/** Reads the numbers in a statement's first column; null reads as 0. */
export const readNumbers = readFirst(Number)

/** Reads the number in a statement's first row and column; 0 without a row. */
export const readNumber = (statement: Statement<unknown>): Effect.Effect<number> =>
  Effect.map(readNumbers(statement), ([value]) => value ?? 0)

/** Reads whether the number in a statement's first row and column is above 0, as `EXISTS` and `count` give it. */
export const readFlag = (statement: Statement<unknown>): Effect.Effect<boolean> =>
  Effect.map(readNumber(statement), (value) => value > 0)

export const readLinkIds = readFirst((value) => LinkId.make(Number(value)))

export const firstLinkId = (statement: Statement<unknown>): Effect.Effect<Option.Option<LinkId>> =>
  Effect.map(readLinkIds(statement), Array.head)

type Value = string | number | null

/** A statement composed once, with named parameters: its text and their values in the order of `sql.unsafe`. */
export const statementOf = <const Name extends string>(
  names: ReadonlyArray<Name>,
  compose: (parameter: (name: Name) => string) => string
) => {
  const text = compose((name) => `?${names.indexOf(name) + 1}`)
  return (values: Readonly<Record<Name, Value>>): readonly [string, ReadonlyArray<Value>] => [
    text,
    names.map((name) => values[name])
  ]
}
