import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What the service remembers of its clock, in milliseconds; times are since 1970. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seen INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    lag INTEGER NOT NULL,
    lag_until INTEGER NOT NULL
  )`
})
