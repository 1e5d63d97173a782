import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Where an arrival has brought a link back from, and whether the response to a capture told that it is private now. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE inbox_links ADD COLUMN returned_from TEXT`
  yield* sql`ALTER TABLE capture_answers ADD COLUMN unshared INTEGER NOT NULL DEFAULT 0`
})
