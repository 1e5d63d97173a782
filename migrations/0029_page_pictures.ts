import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Pictures of kept pages. `page_pictures` has the addresses of a page's pictures, which are also the queue of those to
 * fetch, and `pictures` has each picture once, however many pages show it. A picture goes with the last page that shows
 * it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)
  // `hash` is the SHA-256 of `bytes`; `size` is their number, so that a sum reads no pictures.
  yield* run(`CREATE TABLE pictures (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL
  )`)
  yield* run("CREATE INDEX pictures_size ON pictures (size)")
  // `place` is NULL for a picture that only an earlier version of the page has; `due_at` is set while it waits.
  yield* run(`CREATE TABLE page_pictures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL REFERENCES pages (link_id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    host TEXT NOT NULL,
    place INTEGER,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'kept', 'failed')),
    picture_id INTEGER REFERENCES pictures (id),
    tries INTEGER NOT NULL DEFAULT 0,
    due_at TEXT,
    changed_at TEXT NOT NULL,
    UNIQUE (link_id, address)
  )`)
  yield* run(`CREATE INDEX page_pictures_due ON page_pictures (link_id DESC, place, due_at, host)
    WHERE due_at IS NOT NULL`)
  yield* run("CREATE INDEX page_pictures_at ON page_pictures (due_at) WHERE due_at IS NOT NULL")
  yield* run(`CREATE INDEX page_pictures_address ON page_pictures (address, changed_at)
    WHERE picture_id IS NOT NULL`)
  yield* run(`CREATE INDEX page_pictures_picture ON page_pictures (picture_id) WHERE picture_id IS NOT NULL`)

  yield* run(`CREATE TRIGGER page_pictures_deleted AFTER DELETE ON page_pictures
  WHEN old.picture_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM page_pictures WHERE picture_id = old.picture_id) BEGIN
    DELETE FROM pictures WHERE id = old.picture_id;
  END`)
})
