import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The chats that get some earlier highlights every week, and when next, as ISO 8601 in UTC. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE weekly_highlights (chat_id INTEGER PRIMARY KEY, next_at TEXT NOT NULL)`
})
