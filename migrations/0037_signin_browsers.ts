import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The browsers in which the owner has signed in, by the SHA-256 of their cookies. Such a cookie opens nothing. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE signin_browsers (
    secret TEXT PRIMARY KEY,
    used_at TEXT NOT NULL
  )`
})
