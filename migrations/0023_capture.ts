import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The pages that captures have brought from the owner's browser, compressed, until their links are enriched. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE captured_pages (
    inbox_id INTEGER PRIMARY KEY REFERENCES inbox (id) ON DELETE CASCADE,
    page BLOB NOT NULL
  )`
})
