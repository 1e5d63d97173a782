import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Computes all page keys again: fragments that carry state have become part of an address. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE page_keys SET key = NULL`
})
