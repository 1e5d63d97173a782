import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Scripts written without spaces, as a GLOB: Thai to Myanmar, Khmer, kana, Han. */
const UNSPACED = "*[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]*"
/** How much of a page in such a script can be found by any part of it, in characters. */
const TEXT = 8_000

/**
 * What the trigram index holds of a link. The blanks at the end let a text shorter than three characters be looked up as
 * the beginning of a trigram wherever it stands.
 */
const substrings = (row: string) =>
  [
    ...["title", "tags", "note", "summary", "description", "url"].map((column) => `${row}.${column} || '  '`),
    `iif(${row}.text GLOB '${UNSPACED}', substr(${row}.text, 1, ${TEXT}) || '  ', '')`
  ].join(", ")

/** One vector a link for the semantic index, the trigram index for parts of words, and what jobs need to go on. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE embedders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    threshold REAL NOT NULL
  )`
  // The number grows with every write, so that a reader of the table can ask for what is new since it last looked.
  yield* sql`CREATE TABLE vectors (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    embedder_id INTEGER NOT NULL REFERENCES embedders (id) ON DELETE CASCADE,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    UNIQUE (link_id, embedder_id)
  )`
  yield* sql`CREATE TABLE vector_floats (
    id INTEGER PRIMARY KEY,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    embedder_id INTEGER NOT NULL REFERENCES embedders (id) ON DELETE CASCADE,
    floats BLOB NOT NULL,
    UNIQUE (link_id, embedder_id)
  )`
  yield* sql`CREATE TABLE vector_removals (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL,
    embedder_id INTEGER NOT NULL
  )`
  yield* sql`CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
    INSERT INTO vector_removals (link_id, embedder_id) VALUES (old.link_id, old.embedder_id);
  END`

  yield* sql`CREATE TABLE embedding_queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL UNIQUE REFERENCES links (id) ON DELETE CASCADE
  )`
  yield* sql`CREATE TRIGGER embedding_queue_update
  AFTER UPDATE OF title, description, summary, tags, enrichment ON links
  WHEN new.enrichment <> 'pending' AND (old.enrichment = 'pending' OR old.title <> new.title
    OR old.description <> new.description OR old.summary <> new.summary OR old.tags <> new.tags) BEGIN
    INSERT OR REPLACE INTO embedding_queue (link_id) VALUES (new.id);
  END`
  yield* sql`INSERT INTO embedding_queue (link_id) SELECT id FROM links WHERE enrichment <> 'pending' ORDER BY id`

  // A link is in it once something has been found out about it: taking a link in should cost no more than it must.
  yield* sql.unsafe(`CREATE VIEW links_substrings (id, title, tags, note, summary, description, url, text)
    AS SELECT links.id, ${substrings("links")} FROM links WHERE enrichment <> 'pending'`)
  yield* sql`CREATE VIRTUAL TABLE links_trigram USING fts5 (
    title, tags, note, summary, description, url, text,
    content = 'links_substrings', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
  )`
  const insert = `INSERT INTO links_trigram (rowid, title, tags, note, summary, description, url, text)
    SELECT new.id, ${substrings("new")} WHERE new.enrichment <> 'pending';`
  const remove = `INSERT INTO links_trigram (links_trigram, rowid, title, tags, note, summary, description, url, text)
    SELECT 'delete', old.id, ${substrings("old")} WHERE old.enrichment <> 'pending';`
  yield* sql.unsafe(
    `CREATE TRIGGER links_trigram_insert AFTER INSERT ON links WHEN new.enrichment <> 'pending' BEGIN ${insert} END`
  )
  yield* sql.unsafe(
    `CREATE TRIGGER links_trigram_delete AFTER DELETE ON links WHEN old.enrichment <> 'pending' BEGIN ${remove} END`
  )
  yield* sql.unsafe(`CREATE TRIGGER links_trigram_update
    AFTER UPDATE OF title, tags, note, summary, description, url, text, enrichment ON links
    WHEN new.enrichment <> 'pending' BEGIN ${remove} ${insert} END`)
  yield* sql`INSERT INTO links_trigram (links_trigram) VALUES ('rebuild')`

  // The words and trigrams in use (https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
  yield* sql`CREATE VIRTUAL TABLE links_words USING fts5vocab (links_fts, row)`
  yield* sql`CREATE VIRTUAL TABLE links_trigrams USING fts5vocab (links_trigram, row)`

  // A job changes links in many small steps; what it takes to take it back is written with each of them.
  yield* sql`CREATE TABLE undo_parts (
    token TEXT NOT NULL,
    part INTEGER NOT NULL,
    before TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (token, part)
  ) WITHOUT ROWID`
  yield* sql`INSERT INTO undo_parts SELECT token, 0, before, created_at FROM undo`
  yield* sql`DROP TABLE undo`
  yield* sql`ALTER TABLE undo_parts RENAME TO undo`
  yield* sql`CREATE INDEX undo_created ON undo (created_at)`

  // Where a job that was interrupted goes on.
  yield* sql`ALTER TABLE jobs ADD COLUMN resume TEXT`
  yield* sql`CREATE TABLE job_messages (
    job_id INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    chat_id INTEGER NOT NULL,
    message_id INTEGER,
    told INTEGER NOT NULL DEFAULT 0
  )`
})
