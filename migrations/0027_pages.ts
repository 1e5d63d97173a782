import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What is kept of a page besides its HTML; an earlier version has the same. */
const ABOUT = `title TEXT NOT NULL,
    author TEXT,
    site_name TEXT,
    published_at TEXT,
    language TEXT,
    source TEXT NOT NULL CHECK (source IN ('site', 'browser', 'file')),
    url TEXT NOT NULL,
    words INTEGER NOT NULL,
    reading_time INTEGER NOT NULL,
    saved_at TEXT NOT NULL,
    bytes INTEGER NOT NULL`

/**
 * The kept pages of links, compressed, and their earlier versions, each as what differs from the next one. A list asks
 * for every link whether its page is kept: the rows of `pages` are small for that, and the contents lie apart. The pages
 * of a link stay while it is in the trash.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`CREATE TABLE pages (
    link_id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    ${ABOUT},
    digest BLOB NOT NULL
  )`)
  yield* sql`CREATE TABLE page_contents (
    link_id INTEGER PRIMARY KEY REFERENCES pages (link_id) ON DELETE CASCADE,
    html BLOB NOT NULL
  )`
  yield* sql.unsafe(`CREATE TABLE page_versions (
    link_id INTEGER NOT NULL REFERENCES pages (link_id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    ${ABOUT},
    difference BLOB NOT NULL,
    PRIMARY KEY (link_id, version)
  )`)
  yield* sql`CREATE TRIGGER pages_link_deleted AFTER DELETE ON links
    WHEN NOT EXISTS (SELECT 1 FROM trash WHERE id = old.id) BEGIN
    DELETE FROM pages WHERE link_id = old.id;
  END`
  yield* sql`CREATE TRIGGER pages_trash_deleted AFTER DELETE ON trash
    WHEN NOT EXISTS (SELECT 1 FROM links WHERE id = old.id) BEGIN
    DELETE FROM pages WHERE link_id = old.id;
  END`
})
