import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Changes of links as rows instead of one JSON text: what each link was before, what the change wrote, and whether that is
 * still to be done. A change of many links is written down here first and then made in pieces, so that a crash between two
 * of them loses nothing; an undo compares what a link says with what the change wrote. Beside them, how many links each tag and
 * each category has.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `removes` are collections to remove at the end where they are empty; `made` and `removed` are those the change itself
  // has made and removed. A link that others are merged into ends the merge when it is deleted.
  yield* sql`CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('edit', 'delete', 'merge')),
    into_id INTEGER REFERENCES links (id) ON DELETE CASCADE,
    fields TEXT NOT NULL DEFAULT '[]',
    automatic INTEGER NOT NULL DEFAULT 0,
    removes TEXT NOT NULL DEFAULT '[]',
    made TEXT NOT NULL DEFAULT '[]',
    removed TEXT NOT NULL DEFAULT '[]',
    finished INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX changes_unfinished ON changes (id) WHERE finished = 0`
  yield* sql`CREATE INDEX changes_created ON changes (created_at)`
  yield* sql`CREATE INDEX changes_into ON changes (into_id) WHERE into_id IS NOT NULL`
  // `wrote` is NULL where it is not known: in changes of earlier versions.
  yield* sql`CREATE TABLE change_links (
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    pending INTEGER NOT NULL,
    before TEXT,
    wrote TEXT,
    PRIMARY KEY (change_id, link_id)
  ) WITHOUT ROWID`
  yield* sql`CREATE INDEX change_links_link ON change_links (link_id)`
  yield* sql`CREATE INDEX change_links_pending ON change_links (change_id, link_id) WHERE pending = 1`

  yield* sql`INSERT INTO changes (token, kind, fields, automatic, made, removed, finished, created_at)
    SELECT token, 'edit', coalesce(before ->> '$.fields', '[]'), coalesce(before ->> '$.automatic', 0),
      (SELECT json_group_array(part.value) FROM undo AS other, json_each(other.before, '$.removes') AS part
        WHERE other.token = undo.token),
      (SELECT json_group_array(json(part.value)) FROM undo AS other, json_each(other.before, '$.restores') AS part
        WHERE other.token = undo.token),
      1, created_at
    FROM undo WHERE part = (SELECT min(part) FROM undo AS other WHERE other.token = undo.token) ORDER BY created_at`
  // What a link was before the first part of a change is what it was before the whole.
  yield* sql`INSERT OR IGNORE INTO change_links (change_id, link_id, pending, before)
    SELECT changes.id, link.value ->> 'id', 0, json_remove(link.value, '$.id')
    FROM undo JOIN changes USING (token), json_each(undo.before, '$.links') AS link
    WHERE link.value ->> 'id' IN (SELECT id FROM links) ORDER BY undo.part`
  yield* sql`DROP TABLE undo`

  // Every save asks for the tags that say the same as its own, and for the categories: counting them each time would take
  // longer with every link. No statement names a conflict policy, which that of the statement that fires would replace.
  yield* sql`CREATE TABLE tags_in_use (
    tag TEXT PRIMARY KEY,
    spelling TEXT NOT NULL,
    links INTEGER NOT NULL
  ) WITHOUT ROWID`
  yield* sql`INSERT INTO tags_in_use SELECT tag, replace(tag, '-', ''), count(*) FROM link_tags GROUP BY tag`
  yield* sql`CREATE INDEX tags_in_use_spelling ON tags_in_use (spelling)`
  yield* sql`CREATE INDEX tags_in_use_links ON tags_in_use (links DESC, tag)`
  yield* sql`CREATE TRIGGER tags_in_use_insert AFTER INSERT ON link_tags BEGIN
    INSERT INTO tags_in_use (tag, spelling, links) SELECT new.tag, replace(new.tag, '-', ''), 0
      WHERE NOT EXISTS (SELECT 1 FROM tags_in_use WHERE tag = new.tag);
    UPDATE tags_in_use SET links = links + 1 WHERE tag = new.tag;
  END`
  yield* sql`CREATE TRIGGER tags_in_use_delete AFTER DELETE ON link_tags BEGIN
    UPDATE tags_in_use SET links = links - 1 WHERE tag = old.tag;
    DELETE FROM tags_in_use WHERE tag = old.tag AND links = 0;
  END`
  yield* sql`CREATE TABLE categories_in_use (category TEXT PRIMARY KEY, links INTEGER NOT NULL) WITHOUT ROWID`
  yield* sql`INSERT INTO categories_in_use SELECT category, count(*) FROM links GROUP BY category`
  const counted = `INSERT INTO categories_in_use (category, links) SELECT new.category, 0
      WHERE NOT EXISTS (SELECT 1 FROM categories_in_use WHERE category = new.category);
    UPDATE categories_in_use SET links = links + 1 WHERE category = new.category;`
  const uncounted = `UPDATE categories_in_use SET links = links - 1 WHERE category = old.category;
    DELETE FROM categories_in_use WHERE category = old.category AND links = 0;`
  yield* sql.unsafe(`CREATE TRIGGER categories_in_use_insert AFTER INSERT ON links BEGIN ${counted} END`)
  yield* sql.unsafe(`CREATE TRIGGER categories_in_use_delete AFTER DELETE ON links BEGIN ${uncounted} END`)
  yield* sql.unsafe(`CREATE TRIGGER categories_in_use_update AFTER UPDATE OF category ON links
    WHEN old.category <> new.category BEGIN ${uncounted} ${counted} END`)

  // An address that is saved while its link is being deleted with many others is a new link.
  yield* sql`CREATE TRIGGER changes_saved_again BEFORE INSERT ON links
    WHEN EXISTS (SELECT 1 FROM changes WHERE finished = 0 AND kind = 'delete') BEGIN
    DELETE FROM links WHERE normalized_url = new.normalized_url AND id IN (
      SELECT link_id FROM change_links WHERE pending = 1
      AND change_id IN (SELECT id FROM changes WHERE finished = 0 AND kind = 'delete'));
  END`
})
