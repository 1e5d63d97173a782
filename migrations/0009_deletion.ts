import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Lets nothing of a deleted link stay: results of jobs name links by their numbers, arrivals that are done lose their
 * text, and the full-text indexes are merged once, because they still hold words of links deleted earlier. `upkeep` lists
 * what the service does to the file later, with how often it was asked for: `compact` rewrites it, which a transaction
 * cannot do, and `merge` merges the indexes after deletions.
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

  for (const index of ["links_fts", "links_trigram"])
    yield* sql`INSERT INTO ${sql(index)} (${sql(index)}) VALUES ('optimize')`

  yield* sql`CREATE TABLE upkeep (task TEXT PRIMARY KEY, asked INTEGER NOT NULL) WITHOUT ROWID`
  yield* sql`INSERT INTO upkeep (task, asked) SELECT 'compact', 1 WHERE EXISTS (SELECT 1 FROM links)`
})
