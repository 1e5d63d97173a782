import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Records imports as changes that can be undone: `import` is `added` for an import and for its undo. The undo deletes the
 * links that the import added and edits others, so a pending deletion no longer deletes all of its links.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE changes ADD COLUMN import TEXT CHECK (import = 'added')`
  yield* sql`DROP TRIGGER changes_saved_again`
  const same = `link_id IN (SELECT id FROM links WHERE normalized_url = new.normalized_url) AND pending = 1`
  const of = (kind: string) => `change_id IN (SELECT id FROM changes WHERE finished = 0 AND kind = '${kind}')`
  yield* sql.unsafe(`CREATE TRIGGER changes_saved_again BEFORE INSERT ON links
    WHEN EXISTS (SELECT 1 FROM changes WHERE finished = 0 AND kind IN ('trash', 'delete')) BEGIN
    DELETE FROM change_links WHERE ${same} AND ${of("trash")};
    DELETE FROM links WHERE id IN (SELECT link_id FROM change_links WHERE ${same} AND ${of("delete")} AND wrote IS NULL);
  END`)
})
