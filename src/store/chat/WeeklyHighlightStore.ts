import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { decodeRows, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

const decodeChats = decodeRows(Schema.Struct({ chatId: Schema.Int }))

/** Stores which chats get earlier highlights every week, and when next. */
export class WeeklyHighlightStore extends Context.Tag("WeeklyHighlightStore")<
  WeeklyHighlightStore,
  {
    /** Returns the chats whose message is due. */
    readonly due: Effect.Effect<ReadonlyArray<number>>
    readonly isOn: (chatId: number) => Effect.Effect<boolean>
    /** Sets when a chat gets its next message. */
    readonly schedule: (chatId: number, at: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
    readonly stop: (chatId: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        due: Effect.gen(function* () {
          const now = DateTime.formatIso(yield* DateTime.now)
          const rows = yield* readOrDefect(
            decodeChats(sql`SELECT chat_id FROM weekly_highlights WHERE next_at <= ${now}`)
          )
          return rows.map(({ chatId }) => chatId)
        }).pipe(Effect.withSpan("WeeklyHighlightStore.due")),
        isOn: Effect.fn("WeeklyHighlightStore.isOn")((chatId) =>
          Effect.map(
            readOrDefect(decodeChats(sql`SELECT chat_id FROM weekly_highlights WHERE chat_id = ${chatId}`)),
            (rows) => rows.length > 0
          )
        ),
        schedule: Effect.fn("WeeklyHighlightStore.schedule")((chatId, at) =>
          Effect.asVoid(
            orUnavailable(
              sql`INSERT OR REPLACE INTO weekly_highlights (chat_id, next_at) VALUES (${chatId}, ${DateTime.formatIso(at)})`
            )
          )
        ),
        stop: Effect.fn("WeeklyHighlightStore.stop")((chatId) =>
          Effect.asVoid(orUnavailable(sql`DELETE FROM weekly_highlights WHERE chat_id = ${chatId}`))
        )
      }
    })
  )
}
