import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * An arrival keeps its page for as long as its payload, so also when it is given up. A capture whose link lies in the
 * trash when it is done keeps both, and is processed again when the link comes back. `retried` marks spared links that
 * had their last try.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TRIGGER captured_pages_done`
  yield* sql`CREATE TRIGGER captured_pages_done AFTER UPDATE OF payload ON inbox WHEN new.payload = '' BEGIN
    DELETE FROM captured_pages WHERE inbox_id = new.id;
  END`
  yield* sql`CREATE INDEX inbox_links_link ON inbox_links (link_id)`
  yield* sql`CREATE TRIGGER inbox_trash_deleted AFTER DELETE ON trash
    WHEN NOT EXISTS (SELECT 1 FROM links WHERE id = old.id) BEGIN
    UPDATE inbox SET payload = '' WHERE state = 'done' AND payload <> ''
      AND id IN (SELECT inbox_id FROM inbox_links WHERE link_id = old.id);
  END`
  yield* sql`ALTER TABLE spared_links ADD COLUMN retried INTEGER NOT NULL DEFAULT 0`
})
