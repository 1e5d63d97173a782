import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Schema } from "effect"
import { readRows } from "../Rows.ts"
import { execute } from "../Transaction.ts"

const readChats = readRows(Schema.Struct({ chatId: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Returns the chats whose message is due. */
    due: Effect.gen(function* () {
      const now = DateTime.formatIso(yield* DateTime.now)
      const rows = yield* readChats(sql`SELECT chat_id FROM weekly_highlights WHERE next_at <= ${now}`)
      return rows.map(({ chatId }) => chatId)
    }).pipe(Effect.withSpan("WeeklyHighlightStore.due")),
    isOn: Effect.fn("WeeklyHighlightStore.isOn")((chatId: number) =>
      Effect.map(
        readChats(sql`SELECT chat_id FROM weekly_highlights WHERE chat_id = ${chatId}`),
        (rows) => rows.length > 0
      )
    ),
    /** Sets when a chat gets its next message. */
    schedule: Effect.fn("WeeklyHighlightStore.schedule")((chatId: number, at: DateTime.Utc) =>
      execute(
        sql`INSERT OR REPLACE INTO weekly_highlights (chat_id, next_at) VALUES (${chatId}, ${DateTime.formatIso(at)})`
      )
    ),
    stop: Effect.fn("WeeklyHighlightStore.stop")((chatId: number) =>
      execute(sql`DELETE FROM weekly_highlights WHERE chat_id = ${chatId}`)
    )
  }
})

/** Stores which chats get earlier highlights every week, and when next. */
export class WeeklyHighlightStore extends Context.Tag("WeeklyHighlightStore")<
  WeeklyHighlightStore,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
}
