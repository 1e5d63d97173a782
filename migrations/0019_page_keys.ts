import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * By which key each link's page is recognized when its address is saved in another form. The program computes the keys:
 * NULL stands for one that is still to be computed, of a link that is new or has another address. A later migration
 * sets all of them to NULL when the rules change.
 *
 * A link in the trash keeps its key, so that saving its page in any form takes it out.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)
  yield* run(`CREATE TABLE page_keys (
    link_id INTEGER PRIMARY KEY,
    key TEXT
  )`)
  yield* run("INSERT INTO page_keys (link_id) SELECT id FROM links UNION SELECT id FROM trash")
  yield* run("CREATE INDEX page_keys_key ON page_keys (key) WHERE key IS NOT NULL")
  yield* run("CREATE INDEX page_keys_missing ON page_keys (link_id) WHERE key IS NULL")

  for (const [table, other] of [
    ["links", "trash"],
    ["trash", "links"]
  ] as const) {
    // A link moves to the trash and back by an insertion there before its deletion here.
    yield* run(`CREATE TRIGGER page_keys_${table}_insert AFTER INSERT ON ${table}
      WHEN NOT EXISTS (SELECT 1 FROM page_keys WHERE link_id = new.id) BEGIN
      INSERT INTO page_keys (link_id) VALUES (new.id);
    END`)
    yield* run(`CREATE TRIGGER page_keys_${table}_update AFTER UPDATE OF url ON ${table}
      WHEN old.url <> new.url BEGIN
      UPDATE page_keys SET key = NULL WHERE link_id = new.id;
    END`)
    yield* run(`CREATE TRIGGER page_keys_${table}_delete AFTER DELETE ON ${table}
      WHEN NOT EXISTS (SELECT 1 FROM ${other} WHERE id = old.id) BEGIN
      DELETE FROM page_keys WHERE link_id = old.id;
    END`)
  }
})
