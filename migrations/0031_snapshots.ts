import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The newest snapshot of each link's page, as the owner's browser made it: HTML, compressed. `size` is what that takes,
 * so that a sum reads no snapshots. A snapshot stays while its link is in the trash.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE snapshots (
    link_id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    html BLOB NOT NULL
  )`
  yield* sql`CREATE INDEX snapshots_size ON snapshots (size)`
  yield* sql`CREATE TRIGGER snapshots_link_deleted AFTER DELETE ON links
    WHEN NOT EXISTS (SELECT 1 FROM trash WHERE id = old.id) BEGIN
    DELETE FROM snapshots WHERE link_id = old.id;
  END`
  yield* sql`CREATE TRIGGER snapshots_trash_deleted AFTER DELETE ON trash
    WHEN NOT EXISTS (SELECT 1 FROM links WHERE id = old.id) BEGIN
    DELETE FROM snapshots WHERE link_id = old.id;
  END`
})
