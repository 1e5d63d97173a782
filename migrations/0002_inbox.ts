import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What arrived and is still to be done, which message saved which link, and the replies to be sent. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Every acknowledgement waits for a row here: no index but those that work on it.
  yield* sql`CREATE TABLE inbox (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL CHECK (source IN ('chat', 'capture')),
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at TEXT NOT NULL,
    received_at TEXT NOT NULL,
    UNIQUE (source, key)
  )`
  yield* sql`CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'waiting'`

  yield* sql`CREATE TABLE message_links (
    chat_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    note TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (chat_id, message_id, link_id)
  ) WITHOUT ROWID`
  yield* sql`CREATE INDEX message_links_link ON message_links (link_id)`

  yield* sql`CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message TEXT NOT NULL,
    link_ids TEXT NOT NULL DEFAULT '[]',
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`
})
