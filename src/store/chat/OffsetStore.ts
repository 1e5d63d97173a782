import { SqlClient } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { decodeRows, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** The update that a bot's long polling asks for next, and when that was stored (ISO 8601). */
const StoredOffset = Schema.Struct({ nextUpdate: Schema.Int, storedAt: Schema.String })
type StoredOffset = typeof StoredOffset.Type

const decodeOffsets = decodeRows(StoredOffset)

/** Stores how far long polling has read the updates of each bot, by the bot's number. */
export class OffsetStore extends Context.Tag("OffsetStore")<
  OffsetStore,
  {
    readonly of: (bot: number) => Effect.Effect<Option.Option<StoredOffset>>
    readonly put: (bot: number, nextUpdate: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        of: Effect.fn("OffsetStore.of")((bot) =>
          Effect.map(
            readOrDefect(
              decodeOffsets(sql`SELECT next_update, stored_at FROM chat_offsets WHERE bot_id = ${bot}`)
            ),
            Array.head
          )
        ),
        put: Effect.fn("OffsetStore.put")(function* (botId, nextUpdate) {
          const row = { botId, nextUpdate, storedAt: DateTime.formatIso(yield* DateTime.now) }
          yield* orUnavailable(sql`INSERT OR REPLACE INTO chat_offsets ${sql.insert(row)}`)
        })
      }
    })
  )
}
