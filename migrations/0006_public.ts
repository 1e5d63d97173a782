import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What the public list reads: the shared links in its order and by category. A link that is not shared is in neither. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The category stands last, so that a walk through the collections can pass over links of another.
  yield* sql`CREATE INDEX links_shared ON links (collection_id, created_at, id, category) WHERE shareable = 1`
  yield* sql`CREATE INDEX links_shared_category ON links (category, created_at, id) WHERE shareable = 1`
})
