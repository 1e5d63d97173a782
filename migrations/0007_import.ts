import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The links of files whose pages are still to be read, in the order in which they came in. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE reading_queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL UNIQUE REFERENCES links (id) ON DELETE CASCADE,
    held INTEGER NOT NULL CHECK (held IN (0, 1))
  )`
  yield* sql`CREATE INDEX reading_queue_due ON reading_queue (place) WHERE held = 0`
})
