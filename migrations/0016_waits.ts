import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Which links wait for a source that is down, what an outage has cost, and the end of giving links up. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE link_waits (
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    PRIMARY KEY (link_id, source)
  ) WITHOUT ROWID`
  yield* sql`CREATE INDEX link_waits_source ON link_waits (source)`
  yield* sql`CREATE INDEX links_partial ON links (id) WHERE enrichment = 'partial'`

  // At most one row: the outage that is going on, what it has cost, and whether the owner has been told.
  yield* sql`CREATE TABLE outage (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    since TEXT NOT NULL,
    sources TEXT NOT NULL,
    links INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0,
    told_at TEXT
  )`

  // Links that were given up after a day are looked at again, spread over a day.
  yield* sql`UPDATE links SET retry_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || (id % 1440) || ' minutes')
    WHERE enrichment = 'partial' AND retry_at IS NULL AND retries > 0
    AND id NOT IN (SELECT link_id FROM spared_links)`
})
