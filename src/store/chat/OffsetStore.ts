import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Schema } from "effect"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readRows } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** The update that a bot's long polling asks for next, and when that was stored (ISO 8601). */
const StoredOffset = Schema.Struct({ nextUpdate: Schema.Int, storedAt: Schema.String })

const readOffsets = readRows(StoredOffset)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    of: Effect.fn("OffsetStore.of")((bot: number) =>
      firstRow(readOffsets(sql`SELECT next_update, stored_at FROM chat_offsets WHERE bot_id = ${bot}`))
    ),
    put: Effect.fn("OffsetStore.put")(function* (botId: number, nextUpdate: number) {
      const row = { botId, nextUpdate, storedAt: DateTime.formatIso(yield* DateTime.now) }
      yield* orUnavailable(sql`INSERT OR REPLACE INTO chat_offsets ${sql.insert(row)}`)
    })
  }
})

/** Stores how far long polling has read the updates of each bot, by the bot's number. */
export class OffsetStore extends Service<OffsetStore>()("OffsetStore", make) {}
