import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * What is known about the page behind each link, and when to look at it next, in milliseconds since 1970: NULL until the
 * program plans it, for a link that is new or has another address.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE link_checks (
    link_id INTEGER PRIMARY KEY REFERENCES links (id) ON DELETE CASCADE,
    state TEXT NOT NULL DEFAULT 'unknown' CHECK (state IN ('unknown', 'ok', 'broken', 'moved', 'changed')),
    since INTEGER,
    reason TEXT,
    moved_to TEXT,
    failed_at TEXT NOT NULL DEFAULT '[]',
    broken_looks INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER
  )`
  yield* sql`INSERT INTO link_checks (link_id) SELECT id FROM links`
  yield* sql`CREATE INDEX link_checks_next ON link_checks (next_at)`
  yield* sql`CREATE INDEX link_checks_state ON link_checks (state, link_id) WHERE state IN ('broken', 'moved', 'changed')`
  yield* sql`CREATE TRIGGER link_checks_insert AFTER INSERT ON links BEGIN
    INSERT INTO link_checks (link_id) VALUES (new.id);
  END`
  yield* sql`CREATE TRIGGER link_checks_address AFTER UPDATE OF normalized_url ON links
    WHEN new.normalized_url <> old.normalized_url BEGIN
    DELETE FROM link_checks WHERE link_id = new.id;
    INSERT INTO link_checks (link_id) VALUES (new.id);
  END`
})
