import { SqlClient } from "@effect/sql"
import type { Statement } from "@effect/sql/Statement"
import { Context, DateTime, type Duration, Effect, Layer, Option, Schema } from "effect"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { PassedTime } from "../PassedTime.ts"
import { decodeIds, decodeRows, readNumber, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** A file that waits until the owner says whether to import it. */
export const HeldImport = Schema.Struct({
  /** Names the message that sent it, so that a file that is processed twice is held once. */
  key: Schema.String,
  /** Name of the file in the folder of imports. */
  file: Schema.String,
  /** Name under which the owner sent it. */
  name: Schema.String,
  /** The format's name, for people. */
  format: Schema.String,
  /** Number of links that an import would write, of those that the library has, and of rejected entries. */
  links: Schema.Int,
  known: Schema.Int,
  rejected: Schema.Int,
  /** The job that imports it, once there is one. */
  job: Schema.NullOr(Schema.Int)
})
export type HeldImport = typeof HeldImport.Type

/** A held file with its number. */
export type NumberedImport = HeldImport & { readonly id: number }

const decodeHeld = decodeRows(Schema.Struct({ id: Schema.Int, held: Schema.parseJson(HeldImport) }))

/** Stores which files wait for the owner's answer, beside the lists of the chat, whose numbers are never used again. */
export class HeldImportStore extends Context.Tag("HeldImportStore")<
  HeldImportStore,
  {
    readonly add: (held: HeldImport) => Effect.Effect<number, StoreUnavailable>
    readonly get: (id: number) => Effect.Effect<Option.Option<NumberedImport>>
    readonly byKey: (key: string) => Effect.Effect<Option.Option<NumberedImport>>
    /** Records the job that imports it. */
    readonly started: (id: number, job: number) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** The number of files that wait for an answer. */
    readonly countWaiting: Effect.Effect<number>
    /** The files that wait for an answer. */
    readonly waiting: Effect.Effect<ReadonlyArray<NumberedImport>>
    /** Those that have waited for longer than this. */
    readonly waitingFor: (age: Duration.Duration) => Effect.Effect<ReadonlyArray<NumberedImport>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const passed = yield* PassedTime
      const select = sql`SELECT id, request ->> '$.held' AS held FROM chat_lists WHERE request ->> '$.held' IS NOT NULL`
      const isWaiting = sql`request ->> '$.held.job' IS NULL`
      const found = (statement: Statement<unknown>) =>
        Effect.map(readOrDefect(decodeHeld(statement)), (rows) =>
          rows.map(({ held, id }): NumberedImport => ({ ...held, id }))
        )
      const first = (statement: Statement<unknown>) =>
        Effect.map(found(statement), ([one]) => Option.fromNullable(one))

      return {
        add: Effect.fn("HeldImportStore.add")(function* (held) {
          const createdAt = DateTime.formatIso(yield* DateTime.now)
          const [row] = yield* decodeIds(
            sql`INSERT INTO chat_lists (request, created_at) VALUES (${JSON.stringify({ held })}, ${createdAt}) RETURNING id`
          )
          return row?.id ?? 0
        }, orUnavailable),
        get: Effect.fn("HeldImportStore.get")((id) => first(sql`${select} AND id = ${id}`)),
        byKey: Effect.fn("HeldImportStore.byKey")((key) =>
          first(sql`${select} AND request ->> '$.held.key' = ${key}`)
        ),
        started: Effect.fn("HeldImportStore.started")((id, job) =>
          Effect.asVoid(
            orUnavailable(
              sql`UPDATE chat_lists SET request = json_set(request, '$.held.job', ${job}) WHERE id = ${id}`
            )
          )
        ),
        remove: Effect.fn("HeldImportStore.remove")((id) =>
          Effect.asVoid(orUnavailable(sql`DELETE FROM chat_lists WHERE id = ${id}`))
        ),
        countWaiting: readNumber(
          sql`SELECT count(*) FROM chat_lists WHERE request ->> '$.held' IS NOT NULL AND ${isWaiting}`
        ),
        waiting: Effect.withSpan(found(sql`${select} AND ${isWaiting}`), "HeldImportStore.waiting"),
        waitingFor: Effect.fn("HeldImportStore.waitingFor")(function* (age) {
          return yield* found(sql`${select} AND ${isWaiting} AND created_at <= ${yield* passed.before(age)}`)
        })
      }
    })
  )
}
