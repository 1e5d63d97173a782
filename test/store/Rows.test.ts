import { expect } from "bun:test"
import { SqlClient, SqlError } from "@effect/sql"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { storageFailureIn } from "../../src/domain/StoreUnavailable.ts"
import {
  decodeRows,
  readFlag,
  readJson,
  readLinkIds,
  readNumber,
  readNumbers,
  readTexts
} from "../../src/store/Rows.ts"
import { libraryTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"

const it = libraryTest(stores())

/** The cause of a read that ends in a defect. */
const defectOf = <A, E>(read: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(read), (exit) =>
    Exit.isFailure(exit) && Option.isNone(Cause.failureOption(exit.cause)) ? exit.cause : undefined
  )

const Row = Schema.Struct({ id: Schema.Int })

it("decodeRows decodes rows, and a row that the schema rejects is a defect", function* () {
  const sql = yield* SqlClient.SqlClient
  const decode = decodeRows(Row)
  expect(yield* decode(sql`SELECT value AS id FROM json_each('[3, 1]')`)).toEqual([{ id: 3 }, { id: 1 }])
  expect(yield* defectOf(decode(sql`SELECT 'three' AS id`))).toBeDefined()
  expect(yield* defectOf(decode(sql`SELECT 3 AS number`))).toBeDefined()
})

it("a failed read keeps the storage failure in its defect", function* () {
  const damaged = new SqlError.SqlError({
    cause: new Error("database disk image is malformed (SQLITE_CORRUPT)")
  })
  const cause = yield* defectOf(Effect.orDie(Effect.fail(damaged)))
  expect(cause && storageFailureIn(cause)?.reason).toBe("damaged")
})

it("readNumbers and readNumber read the first column, null and no row as 0", function* () {
  const sql = yield* SqlClient.SqlClient
  expect(yield* readNumbers(sql`SELECT value, 'x' FROM json_each('[3, 1]')`)).toEqual([3, 1])
  expect(yield* readNumber(sql`SELECT max(id) FROM links`)).toBe(0)
  expect(yield* readNumber(sql`SELECT id FROM links`)).toBe(0)
  expect(yield* readNumber(sql`SELECT 7`)).toBe(7)
  expect(yield* readFlag(sql`SELECT 7`)).toBe(true)
  expect(yield* readFlag(sql`SELECT 0`)).toBe(false)
  expect(yield* readFlag(sql`SELECT id FROM links`)).toBe(false)
})

it("readTexts and readJson read texts, and JSON that the schema rejects is a defect", function* () {
  const sql = yield* SqlClient.SqlClient
  expect(yield* readTexts(sql`SELECT value, 1 FROM json_each('["a", "b"]')`)).toEqual(["a", "b"])
  expect(yield* readJson(Row)(sql`SELECT '{"id": 3}' AS json`)).toEqual([{ id: 3 }])
  expect(yield* defectOf(readJson(Row)(sql`SELECT '{}' AS json`))).toBeDefined()
  expect(yield* defectOf(readLinkIds(sql`SELECT 'three'`))).toBeDefined()
})
