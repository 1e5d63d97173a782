import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { decodeRows, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** A chat that has written to the bot while it had no owner. */
const StoredClaim = Schema.Struct({
  chatId: Schema.Int,
  name: Schema.String,
  code: Schema.String,
  /** How many wrong codes were tried since its code was made. */
  misses: Schema.Int,
  /** When its code was last sent, as an ISO 8601 time. */
  sentAt: Schema.String
})
export type StoredClaim = typeof StoredClaim.Type

const decodeClaims = decodeRows(StoredClaim)

/** Stores the chats that may be the owner's, each with the code that the bot sent to it. */
export class ClaimStore extends Context.Tag("ClaimStore")<
  ClaimStore,
  {
    /** All of them, the one that wrote last first. */
    readonly all: Effect.Effect<ReadonlyArray<StoredClaim>>
    /** Adds a chat or replaces its row, then deletes all but the newest `most`. */
    readonly put: (claim: StoredClaim, most: number) => Effect.Effect<void, StoreUnavailable>
    /** Counts a wrong code against every chat. */
    readonly missed: Effect.Effect<void, StoreUnavailable>
    /** Deletes the chats whose codes were sent before this time. */
    readonly prune: (before: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
    readonly clear: Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        all: readOrDefect(
          decodeClaims(
            sql`SELECT chat_id, name, code, misses, sent_at FROM chat_claims ORDER BY sent_at DESC, chat_id`
          )
        ),
        put: Effect.fn("ClaimStore.put")(function* (claim, most) {
          yield* orUnavailable(sql`INSERT OR REPLACE INTO chat_claims ${sql.insert(claim)}`)
          yield* orUnavailable(
            sql`DELETE FROM chat_claims WHERE chat_id NOT IN
              (SELECT chat_id FROM chat_claims ORDER BY sent_at DESC, chat_id LIMIT ${most})`
          )
        }),
        missed: Effect.asVoid(orUnavailable(sql`UPDATE chat_claims SET misses = misses + 1`)),
        prune: Effect.fn("ClaimStore.prune")((before) =>
          Effect.asVoid(
            orUnavailable(sql`DELETE FROM chat_claims WHERE sent_at < ${DateTime.formatIso(before)}`)
          )
        ),
        clear: Effect.asVoid(orUnavailable(sql`DELETE FROM chat_claims`))
      }
    })
  )
}
