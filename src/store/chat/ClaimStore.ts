import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Schema } from "effect"
import { Service } from "../../runtime/Services.ts"
import { readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

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

const readClaims = readRows(StoredClaim)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    all: readClaims(
      sql`SELECT chat_id, name, code, misses, sent_at FROM chat_claims ORDER BY sent_at DESC, chat_id`
    ),
    /** Adds a chat or replaces its row, then deletes all but the newest `most`. */
    put: Effect.fn("ClaimStore.put")(function* (claim: StoredClaim, most: number) {
      yield* orUnavailable(sql`INSERT OR REPLACE INTO chat_claims ${sql.insert(claim)}`)
      yield* orUnavailable(
        sql`DELETE FROM chat_claims WHERE chat_id NOT IN
              (SELECT chat_id FROM chat_claims ORDER BY sent_at DESC, chat_id LIMIT ${most})`
      )
    }),
    missed: execute(sql`UPDATE chat_claims SET misses = misses + 1`),
    prune: Effect.fn("ClaimStore.prune")((before: DateTime.Utc) =>
      execute(sql`DELETE FROM chat_claims WHERE sent_at < ${DateTime.formatIso(before)}`)
    ),
    clear: execute(sql`DELETE FROM chat_claims`)
  }
})

export class ClaimStore extends Service<ClaimStore>()("ClaimStore", make) {}
