import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Lets nothing of a deleted link stay: results of jobs name links by their numbers, arrivals that are done lose their
 * text, and the full-text indexes overwrite what is taken out of them. The indexes are rebuilt once, because they still
 * hold words of links deleted earlier; `upkeep` asks for the file itself to be rewritten, which a transaction cannot do.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE jobs SET result = json_set(result, '$.moves', json((
      SELECT json_group_array(json_remove(value, '$.title')) FROM json_each(result, '$.moves')
      WHERE value ->> 'id' IN (SELECT id FROM links)
    ))) WHERE json_type(result, '$.moves') = 'array'`
  yield* sql`UPDATE jobs SET result = NULL WHERE action = 'refresh'`
  yield* sql`UPDATE inbox SET payload = '' WHERE state = 'done' AND payload <> ''`
  // Lists of similar links had a title in their heading.
  yield* sql`DELETE FROM chat_lists WHERE (request ->> 'list') ->> 'head' LIKE 'Like #%'`
  yield* sql`CREATE INDEX inbox_dead ON inbox (id) WHERE state = 'dead'`

  for (const index of ["links_fts", "links_trigram"]) {
    // https://www.sqlite.org/fts5.html#the_secure_delete_configuration_option
    yield* sql`INSERT INTO ${sql(index)} (${sql(index)}, rank) VALUES ('secure-delete', 1)`
    yield* sql`INSERT INTO ${sql(index)} (${sql(index)}) VALUES ('rebuild')`
  }

  yield* sql`CREATE TABLE upkeep (task TEXT PRIMARY KEY) WITHOUT ROWID`
  yield* sql`INSERT INTO upkeep (task) SELECT 'compact' WHERE EXISTS (SELECT 1 FROM links)`
})
