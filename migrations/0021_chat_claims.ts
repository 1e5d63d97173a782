import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The chats that have written to a bot without an owner, and how far long polling has read each bot's updates. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE chat_claims (
    chat_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    code TEXT NOT NULL,
    misses INTEGER NOT NULL DEFAULT 0,
    sent_at TEXT NOT NULL
  )`
  yield* sql`CREATE TABLE chat_offsets (
    bot_id INTEGER PRIMARY KEY,
    next_update INTEGER NOT NULL,
    stored_at TEXT NOT NULL
  )`
})
