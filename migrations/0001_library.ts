import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Collections, links, the tags a link is found by, and the full-text index over links. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    created_at TEXT NOT NULL
  )`
  // The page's text stands last: SQLite keeps it on overflow pages, which a list never reads.
  yield* sql`CREATE TABLE links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL,
    normalized_url TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    title TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    summary TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '[]',
    category TEXT NOT NULL,
    collection_id INTEGER REFERENCES collections (id) ON DELETE SET NULL,
    favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
    shareable INTEGER NOT NULL DEFAULT 0 CHECK (shareable IN (0, 1)),
    image TEXT,
    favicon TEXT,
    site_name TEXT,
    author TEXT,
    published_at TEXT,
    language TEXT,
    repository TEXT,
    enrichment TEXT NOT NULL DEFAULT 'pending' CHECK (enrichment IN ('pending', 'complete', 'partial')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    canonical_url TEXT,
    final_url TEXT,
    hand_tags TEXT NOT NULL DEFAULT '[]',
    title_by_hand INTEGER NOT NULL DEFAULT 0,
    summary_by_hand INTEGER NOT NULL DEFAULT 0,
    category_by_hand INTEGER NOT NULL DEFAULT 0,
    collection_by_hand INTEGER NOT NULL DEFAULT 0,
    retries INTEGER NOT NULL DEFAULT 0,
    retry_at TEXT,
    text TEXT NOT NULL DEFAULT ''
  )`
  yield* sql`CREATE INDEX links_created ON links (created_at, id)`
  yield* sql`CREATE INDEX links_title ON links (title COLLATE NOCASE, id)`
  yield* sql`CREATE INDEX links_category ON links (category, created_at, id)`
  yield* sql`CREATE INDEX links_collection ON links (collection_id, created_at, id)`
  yield* sql`CREATE INDEX links_favorite ON links (created_at, id) WHERE favorite = 1`
  yield* sql`CREATE INDEX links_shareable ON links (created_at, id) WHERE shareable = 1`
  yield* sql`CREATE INDEX links_retry ON links (retry_at) WHERE retry_at IS NOT NULL`

  yield* sql`CREATE TABLE link_tags (
    tag TEXT NOT NULL,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, link_id)
  ) WITHOUT ROWID`
  yield* sql`CREATE INDEX link_tags_link ON link_tags (link_id)`
  yield* sql`CREATE TRIGGER link_tags_insert AFTER INSERT ON links BEGIN
    INSERT OR IGNORE INTO link_tags (tag, link_id) SELECT value, new.id FROM json_each(new.tags);
  END`
  yield* sql`CREATE TRIGGER link_tags_update AFTER UPDATE OF tags ON links WHEN old.tags <> new.tags BEGIN
    DELETE FROM link_tags WHERE link_id = new.id;
    INSERT OR IGNORE INTO link_tags (tag, link_id) SELECT value, new.id FROM json_each(new.tags);
  END`

  // External content (https://www.sqlite.org/fts5.html#external_content_tables): the triggers keep it in step.
  yield* sql`CREATE VIRTUAL TABLE links_fts USING fts5 (
    title, tags, note, summary, description, url, text,
    content = 'links', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
  )`
  yield* sql`CREATE TRIGGER links_fts_insert AFTER INSERT ON links BEGIN
    INSERT INTO links_fts (rowid, title, tags, note, summary, description, url, text)
    VALUES (new.id, new.title, new.tags, new.note, new.summary, new.description, new.url, new.text);
  END`
  yield* sql`CREATE TRIGGER links_fts_delete AFTER DELETE ON links BEGIN
    INSERT INTO links_fts (links_fts, rowid, title, tags, note, summary, description, url, text)
    VALUES ('delete', old.id, old.title, old.tags, old.note, old.summary, old.description, old.url, old.text);
  END`
  yield* sql`CREATE TRIGGER links_fts_update
  AFTER UPDATE OF title, tags, note, summary, description, url, text ON links BEGIN
    INSERT INTO links_fts (links_fts, rowid, title, tags, note, summary, description, url, text)
    VALUES ('delete', old.id, old.title, old.tags, old.note, old.summary, old.description, old.url, old.text);
    INSERT INTO links_fts (rowid, title, tags, note, summary, description, url, text)
    VALUES (new.id, new.title, new.tags, new.note, new.summary, new.description, new.url, new.text);
  END`
})
