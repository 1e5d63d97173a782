import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** When a link in the trash is due: never. */
const NEVER = Number.MAX_SAFE_INTEGER

const isoTime = (millis: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${millis} / 1000.0, 'unixepoch')`

/** What a list shows of a check, as JSONB; NULL for a page that has not been checked. */
const SHOWN = `iif(state = 'unknown' AND looked_at IS NULL, NULL, jsonb_object(
  'state', state, 'since', ${isoTime("since")}, 'reason', reason, 'to', moved_to, 'lookedAt', ${isoTime("looked_at")},
  'archived', iif(capture_url IS NULL OR state NOT IN ('broken', 'changed'), jsonb('null'),
    jsonb_object('url', capture_url, 'at', capture_at))))`

/**
 * What is known about the page behind each link, and when to look at it next, in milliseconds since 1970: NULL until the
 * program plans it, for a link that is new, has another address or has left the trash.
 *
 * A link in the trash keeps what is known, and is not due. `declined` is the new address of a page that the owner does
 * not want; `capture_url` is what the Wayback Machine has, and `capture_asked` when it was asked. Every row of a list has
 * `shown`, so it is made when the row is written: to make it for the whole list would take half as long as the list.
 *
 * `archive_queue` has the new links that are still to be submitted to the Wayback Machine.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)
  yield* run(`CREATE TABLE link_checks (
    link_id INTEGER PRIMARY KEY,
    state TEXT NOT NULL DEFAULT 'unknown' CHECK (state IN ('unknown', 'ok', 'broken', 'moved', 'changed')),
    since INTEGER,
    reason TEXT,
    moved_to TEXT,
    declined TEXT,
    failed_at TEXT NOT NULL DEFAULT '[]',
    broken_looks INTEGER NOT NULL DEFAULT 0,
    looked_at INTEGER,
    next_at INTEGER,
    capture_url TEXT,
    capture_at TEXT,
    capture_asked INTEGER,
    shown BLOB AS (${SHOWN}) STORED
  )`)
  yield* run("INSERT INTO link_checks (link_id) SELECT id FROM links ORDER BY id")
  yield* run(
    `INSERT INTO link_checks (link_id, next_at) SELECT id, ${NEVER} FROM trash WHERE true ON CONFLICT DO NOTHING`
  )
  yield* run("CREATE INDEX link_checks_next ON link_checks (next_at)")
  yield* run(`CREATE INDEX link_checks_state ON link_checks (state, link_id)
    WHERE state IN ('broken', 'moved', 'changed')`)
  yield* run("CREATE INDEX link_checks_ok ON link_checks (looked_at) WHERE state = 'ok'")
  yield* run(`CREATE TABLE archive_queue (
    link_id INTEGER PRIMARY KEY,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL
  )`)
  yield* run("CREATE INDEX archive_queue_next ON archive_queue (next_at)")

  // A link moves to the trash and back by an insertion there before its deletion here.
  yield* run(`CREATE TRIGGER link_checks_insert AFTER INSERT ON links BEGIN
    UPDATE link_checks SET next_at = NULL WHERE link_id = new.id;
    INSERT INTO link_checks (link_id) SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM link_checks WHERE link_id = new.id);
  END`)
  yield* run(`CREATE TRIGGER link_checks_trashed AFTER INSERT ON trash BEGIN
    UPDATE link_checks SET next_at = ${NEVER} WHERE link_id = new.id;
  END`)
  for (const [table, other] of [
    ["links", "trash"],
    ["trash", "links"]
  ] as const) {
    yield* run(`CREATE TRIGGER link_checks_${table}_deleted AFTER DELETE ON ${table}
      WHEN NOT EXISTS (SELECT 1 FROM ${other} WHERE id = old.id) BEGIN
      DELETE FROM link_checks WHERE link_id = old.id;
      DELETE FROM archive_queue WHERE link_id = old.id;
    END`)
    yield* run(`CREATE TRIGGER link_checks_${table}_address AFTER UPDATE OF url ON ${table} WHEN old.url <> new.url BEGIN
      DELETE FROM link_checks WHERE link_id = new.id;
      DELETE FROM archive_queue WHERE link_id = new.id;
      INSERT INTO link_checks (link_id, next_at) VALUES (new.id, ${table === "links" ? "NULL" : NEVER});
    END`)
  }
})
