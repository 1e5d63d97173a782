import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * How far the owner has read each kept article. A link that moves to the trash and back keeps its position; one that is
 * deleted for good loses it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE reading_positions (
    link_id INTEGER PRIMARY KEY,
    at REAL NOT NULL CHECK (at BETWEEN 0 AND 1),
    text_offset INTEGER NOT NULL CHECK (text_offset >= 0),
    updated_at TEXT NOT NULL
  )`
  yield* sql`CREATE TRIGGER reading_positions_link AFTER DELETE ON links
    WHEN NOT EXISTS (SELECT 1 FROM trash WHERE id = old.id) BEGIN
    DELETE FROM reading_positions WHERE link_id = old.id;
  END`
  yield* sql`CREATE TRIGGER reading_positions_trash AFTER DELETE ON trash
    WHEN NOT EXISTS (SELECT 1 FROM links WHERE id = old.id) BEGIN
    DELETE FROM reading_positions WHERE link_id = old.id;
  END`
})
