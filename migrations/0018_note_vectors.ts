import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The built-in embedder's vectors represent notes from this version on: a link whose note changes is embedded again, and
 * so is every link that has one now. An endpoint never receives notes, so its vectors stay right.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TRIGGER embedding_queue_note AFTER UPDATE OF note ON links
    WHEN new.enrichment <> 'pending' AND old.note <> new.note AND EXISTS (SELECT 1 FROM vectors v JOIN embedders e ON e.id = v.embedder_id
      WHERE v.link_id = new.id AND e.name GLOB 'linkbower-*') BEGIN
    INSERT OR REPLACE INTO embedding_queue (link_id) VALUES (new.id);
  END`
  yield* sql`INSERT OR IGNORE INTO embedding_queue (link_id) SELECT v.link_id FROM embedders e
    JOIN vectors v ON v.embedder_id = e.id JOIN links l ON l.id = v.link_id
    WHERE e.name GLOB 'linkbower-*' AND l.note <> '' ORDER BY v.link_id`
})
