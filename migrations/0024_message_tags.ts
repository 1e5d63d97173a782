import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The tags that each message has given its links, and the last change before it, so that editing the message keeps them
 * in step.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE message_links ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'`
  yield* sql`ALTER TABLE message_links ADD COLUMN after_change INTEGER NOT NULL DEFAULT 0`
})
