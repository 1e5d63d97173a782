import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The earlier snapshots of links: a newer one takes the place of none. Like the newest, they stay with the trash. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE snapshot_versions (
    link_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    url TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    html BLOB NOT NULL,
    PRIMARY KEY (link_id, version)
  )`
  yield* sql`CREATE INDEX snapshot_versions_size ON snapshot_versions (size)`
  yield* sql`CREATE TRIGGER snapshot_versions_deleted AFTER DELETE ON snapshots BEGIN
    DELETE FROM snapshot_versions WHERE link_id = old.link_id;
  END`
})
