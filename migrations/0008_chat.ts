import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What the bot has asked in the chat, and the lists whose further pages its buttons show. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE chat_prompts (
    chat_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    asks TEXT NOT NULL,
    PRIMARY KEY (chat_id, message_id)
  ) WITHOUT ROWID`
  yield* sql`CREATE INDEX chat_prompts_link ON chat_prompts (link_id)`
  // A button's data holds 64 bytes: what a list shows is kept here.
  yield* sql`CREATE TABLE chat_lists (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    request TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX chat_lists_created ON chat_lists (created_at)`
})
