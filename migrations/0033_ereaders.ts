import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The secret with which the owner's e-readers read kept pages, if the owner has made one, and when, in ISO 8601. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ereaders (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    token TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`
})
