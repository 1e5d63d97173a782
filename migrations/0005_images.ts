import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What pictures of pages need: which addresses anybody may ask for, and which files nobody needs any more. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A link that is not shared has no entry here, so that taking one in costs nothing.
  yield* sql`CREATE INDEX links_shared_image ON links (image) WHERE shareable = 1 AND image IS NOT NULL`
  yield* sql`CREATE INDEX links_shared_favicon ON links (favicon) WHERE shareable = 1 AND favicon IS NOT NULL`

  // Written with the deletion itself, so that a crash after it leaves no file behind.
  yield* sql`CREATE TABLE image_removals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('image', 'favicon')),
    address TEXT NOT NULL
  )`
  yield* sql`CREATE TRIGGER image_removals_delete AFTER DELETE ON links
  WHEN old.image IS NOT NULL OR old.favicon IS NOT NULL BEGIN
    INSERT INTO image_removals (kind, address) SELECT 'image', old.image WHERE old.image IS NOT NULL;
    INSERT INTO image_removals (kind, address) SELECT 'favicon', old.favicon WHERE old.favicon IS NOT NULL;
  END`
  yield* sql`CREATE TRIGGER image_removals_update AFTER UPDATE OF image, favicon ON links
  WHEN (old.image IS NOT NULL AND old.image IS NOT new.image)
    OR (old.favicon IS NOT NULL AND old.favicon IS NOT new.favicon) BEGIN
    INSERT INTO image_removals (kind, address)
      SELECT 'image', old.image WHERE old.image IS NOT NULL AND old.image IS NOT new.image;
    INSERT INTO image_removals (kind, address)
      SELECT 'favicon', old.favicon WHERE old.favicon IS NOT NULL AND old.favicon IS NOT new.favicon;
  END`
})
