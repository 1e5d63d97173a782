import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Which links an arrival in hand has saved. After a crash it is worked on again, and must not bring back a link that was
 * deleted meanwhile: a link that is gone leaves its row here until the arrival is done.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE inbox_links (
    inbox_id INTEGER NOT NULL REFERENCES inbox (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    link_id INTEGER NOT NULL,
    PRIMARY KEY (inbox_id, place)
  ) WITHOUT ROWID`
})
