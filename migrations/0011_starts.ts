import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** How often work was begun whose process ended in the middle, and the links that are no longer looked at for it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `starts` counts the runs of the program that began the work; `run` names the one that has it in hand.
  yield* sql`ALTER TABLE inbox ADD COLUMN starts INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE inbox ADD COLUMN run INTEGER`
  yield* sql`ALTER TABLE reading_queue ADD COLUMN starts INTEGER NOT NULL DEFAULT 0`
  yield* sql`CREATE TABLE spared_links (
    link_id INTEGER PRIMARY KEY REFERENCES links (id) ON DELETE CASCADE,
    spared_at TEXT NOT NULL
  )`
})
