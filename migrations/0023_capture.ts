import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The pages that captures have brought from the owner's browser, compressed, until the captures are done or given up. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE captured_pages (
    inbox_id INTEGER PRIMARY KEY REFERENCES inbox (id) ON DELETE CASCADE,
    page BLOB NOT NULL
  )`
  yield* sql`CREATE TRIGGER captured_pages_done AFTER UPDATE OF state ON inbox WHEN new.state <> 'waiting' BEGIN
    DELETE FROM captured_pages WHERE inbox_id = new.id;
  END`
})
