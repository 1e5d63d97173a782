import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Imports as changes, so that one can be taken back: `import` is `added` for an import and for its take-back. A take-back
 * deletes the links that the import has added and edits others, so the links of a pending deletion are not always to be
 * deleted.
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
