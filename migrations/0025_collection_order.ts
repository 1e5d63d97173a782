import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The index of the collections in each other also has their order, in which a new one takes the last place. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX collections_order ON collections (parent_id, position)`
  yield* sql`DROP INDEX collections_parent`
})
