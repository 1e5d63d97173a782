import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Chat messages and captures wait in separate lanes, a message and its edits in their order; a capture remembers what it
 * was asked and answered; and a reply can step aside for later ones.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX inbox_waiting`
  yield* sql`CREATE INDEX inbox_waiting ON inbox (source, id) WHERE state = 'waiting'`

  // What an arrival is about: of those about the same, one at a time is worked on.
  yield* sql`ALTER TABLE inbox ADD COLUMN subject TEXT`
  yield* sql`CREATE INDEX inbox_subject ON inbox (subject, id) WHERE state = 'waiting' AND subject IS NOT NULL`

  // A digest of the request, which tells a repeated capture from another one under the same key.
  yield* sql`ALTER TABLE inbox ADD COLUMN digest TEXT`
  yield* sql`CREATE TABLE capture_answers (
    inbox_id INTEGER PRIMARY KEY REFERENCES inbox (id) ON DELETE CASCADE,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    title TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX capture_answers_link ON capture_answers (link_id)`

  // When the reply failed while others went through; later replies no longer wait for it.
  yield* sql`ALTER TABLE outbox ADD COLUMN aside_at TEXT`
})
