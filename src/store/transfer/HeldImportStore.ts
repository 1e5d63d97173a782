import { SqlClient } from "@effect/sql"
import type { Statement } from "@effect/sql/Statement"
import { Array, DateTime, type Duration, Effect, Schema } from "effect"
import { Service } from "../../runtime/Services.ts"
import { PassedTime } from "../PassedTime.ts"
import { readNumber, readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

export const HeldImport = Schema.Struct({
  /** Names the message that sent it, so that a file that is processed twice is held once. */
  key: Schema.String,
  file: Schema.String,
  name: Schema.String,
  format: Schema.String,
  /** Number of links that an import would write, of those that the library has, and of rejected entries. */
  links: Schema.Int,
  known: Schema.Int,
  rejected: Schema.Int,
  /** The job that imports it, once there is one. */
  job: Schema.NullOr(Schema.Int)
})
export type HeldImport = typeof HeldImport.Type

export type NumberedImport = HeldImport & { readonly id: number }

const readHeld = readRows(Schema.Struct({ id: Schema.Int, held: Schema.parseJson(HeldImport) }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const passed = yield* PassedTime
  const select = sql`SELECT id, request ->> '$.held' AS held FROM chat_lists WHERE request ->> '$.held' IS NOT NULL`
  const isWaiting = sql`request ->> '$.held.job' IS NULL`
  const found = (statement: Statement<unknown>) =>
    Effect.map(readHeld(statement), (rows) => rows.map(({ held, id }): NumberedImport => ({ ...held, id })))
  const first = (statement: Statement<unknown>) => Effect.map(found(statement), Array.head)

  return {
    add: Effect.fn("HeldImportStore.add")(function* (held: HeldImport) {
      const createdAt = DateTime.formatIso(yield* DateTime.now)
      return yield* readNumber(
        sql`INSERT INTO chat_lists (request, created_at) VALUES (${JSON.stringify({ held })}, ${createdAt}) RETURNING id`
      )
    }, orUnavailable),
    get: Effect.fn("HeldImportStore.get")((id: number) => first(sql`${select} AND id = ${id}`)),
    byKey: Effect.fn("HeldImportStore.byKey")((key: string) =>
      first(sql`${select} AND request ->> '$.held.key' = ${key}`)
    ),
    started: Effect.fn("HeldImportStore.started")((id: number, job: number) =>
      execute(sql`UPDATE chat_lists SET request = json_set(request, '$.held.job', ${job}) WHERE id = ${id}`)
    ),
    remove: Effect.fn("HeldImportStore.remove")((id: number) =>
      execute(sql`DELETE FROM chat_lists WHERE id = ${id}`)
    ),
    countWaiting: readNumber(
      sql`SELECT count(*) FROM chat_lists WHERE request ->> '$.held' IS NOT NULL AND ${isWaiting}`
    ),
    waiting: Effect.withSpan(found(sql`${select} AND ${isWaiting}`), "HeldImportStore.waiting"),
    /** Those that have waited for longer than this. */
    waitingFor: Effect.fn("HeldImportStore.waitingFor")(function* (age: Duration.Duration) {
      return yield* found(sql`${select} AND ${isWaiting} AND created_at <= ${yield* passed.before(age)}`)
    })
  }
})

/** Stores which files wait for the owner's answer, beside the lists of the chat, whose numbers are never used again. */
export class HeldImportStore extends Service<HeldImportStore>()("HeldImportStore", make) {}
