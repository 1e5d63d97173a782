import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Library-wide work with its progress and result, and what it takes to take a change back. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    action TEXT NOT NULL,
    subject INTEGER,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'interrupted')),
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    error TEXT,
    undo TEXT,
    started_at TEXT NOT NULL,
    ended_at TEXT
  )`
  yield* sql`CREATE TABLE undo (
    token TEXT PRIMARY KEY,
    before TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) WITHOUT ROWID`
  yield* sql`CREATE INDEX undo_created ON undo (created_at)`
})
