import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Scripts written without spaces, as a GLOB: Thai to Myanmar, Khmer, kana, Han. */
const UNSPACED = "*[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]*"
/** How much of a page in such a script can be found by any part of it, in characters. */
const TEXT = 8_000

const fields = "title, tags, note, summary, description, url, text"

/** The owner's own words on a link: the note, and the words of the highlights. */
const note = (row: string) =>
  `${row}.note || iif(${row}.highlighted = '', '', char(10) || ${row}.highlighted)`

const words = (row: string) =>
  [
    `${row}.title, ${row}.tags, ${note(row)}`,
    ...["summary", "description", "url", "text"].map((field) => `${row}.${field}`)
  ].join(", ")

/** What the trigram index holds of a link; the blanks at the end let a short text be looked up. */
const substrings = (row: string) =>
  [
    ...["title", "tags"].map((field) => `${row}.${field} || '  '`),
    `${note(row)} || '  '`,
    ...["summary", "description", "url"].map((field) => `${row}.${field} || '  '`),
    `iif(${row}.text GLOB '${UNSPACED}', substr(${row}.text, 1, ${TEXT}) || '  ', '')`
  ].join(", ")

/**
 * Passages that the owner has highlighted: quote, context and position in the text of the kept page.
 *
 * The words of a link's highlights are in its column `highlighted`, which both full-text indexes hold as part of the
 * note, so that a search finds them like everything else about the link. The column comes after the page's text, so that
 * no list reads it. The indexes stay as they are: no link has a highlight yet.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)

  // `start_at` and `end_at` are NULL while the passage is not in the page: `lost` says that it was looked for.
  yield* run(`CREATE TABLE highlights (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL,
    quote TEXT NOT NULL,
    prefix TEXT NOT NULL,
    suffix TEXT NOT NULL,
    start_at INTEGER,
    end_at INTEGER,
    lost INTEGER NOT NULL DEFAULT 0 CHECK (lost IN (0, 1)),
    colour TEXT NOT NULL CHECK (colour IN ('yellow', 'green', 'blue', 'pink')),
    note TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  )`)
  yield* run("CREATE INDEX highlights_link ON highlights (link_id)")
  yield* run("CREATE INDEX highlights_created ON highlights (created_at, id)")

  yield* run(`CREATE TABLE change_things_now (
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('collection', 'alias', 'search', 'highlight')),
    key TEXT NOT NULL,
    before TEXT,
    wrote TEXT,
    PRIMARY KEY (change_id, kind, key)
  ) WITHOUT ROWID`)
  yield* run("INSERT INTO change_things_now SELECT change_id, kind, key, before, wrote FROM change_things")
  yield* run("DROP TABLE change_things")
  yield* run("ALTER TABLE change_things_now RENAME TO change_things")
  yield* run(`CREATE INDEX change_things_highlight ON change_things (coalesce(before, wrote) ->> 'link_id')
    WHERE kind = 'highlight'`)

  // A link moves to the trash and back by an insertion there before its deletion here. What changes of a highlight hold
  // to undo them goes with its link.
  for (const [table, other] of [
    ["links", "trash"],
    ["trash", "links"]
  ] as const)
    yield* run(`CREATE TRIGGER highlights_${table}_delete AFTER DELETE ON ${table}
      WHEN NOT EXISTS (SELECT 1 FROM ${other} WHERE id = old.id) BEGIN
      DELETE FROM highlights WHERE link_id = old.id;
      DELETE FROM change_things WHERE kind = 'highlight' AND coalesce(before, wrote) ->> 'link_id' = old.id;
    END`)

  for (const table of ["links", "trash"])
    yield* run(`ALTER TABLE ${table} ADD COLUMN highlighted TEXT NOT NULL DEFAULT ''`)

  for (const name of ["links_fts_insert", "links_fts_delete", "links_fts_update"])
    yield* run(`DROP TRIGGER ${name}`)
  for (const name of ["links_trigram_insert", "links_trigram_delete", "links_trigram_update"])
    yield* run(`DROP TRIGGER ${name}`)
  yield* run("DROP VIEW links_substrings")
  const watched = `${fields}, highlighted`
  // What the word index holds of each link.
  yield* run(`CREATE VIEW links_indexed (id, ${fields}) AS SELECT links.id, ${words("links")} FROM links`)
  yield* run(`CREATE TRIGGER links_fts_insert AFTER INSERT ON links BEGIN
    INSERT INTO links_fts (rowid, ${fields}) VALUES (new.id, ${words("new")});
  END`)
  yield* run(`CREATE TRIGGER links_fts_delete AFTER DELETE ON links BEGIN
    INSERT INTO links_fts (links_fts, rowid, ${fields}) VALUES ('delete', old.id, ${words("old")});
  END`)
  yield* run(`CREATE TRIGGER links_fts_update AFTER UPDATE OF ${watched} ON links BEGIN
    INSERT INTO links_fts (links_fts, rowid, ${fields}) VALUES ('delete', old.id, ${words("old")});
    INSERT INTO links_fts (rowid, ${fields}) VALUES (new.id, ${words("new")});
  END`)
  yield* run(`CREATE VIEW links_substrings (id, ${fields})
    AS SELECT links.id, ${substrings("links")} FROM links WHERE enrichment <> 'pending'`)
  const insert = `INSERT INTO links_trigram (rowid, ${fields})
    SELECT new.id, ${substrings("new")} WHERE new.enrichment <> 'pending';`
  const remove = `INSERT INTO links_trigram (links_trigram, rowid, ${fields})
    SELECT 'delete', old.id, ${substrings("old")} WHERE old.enrichment <> 'pending';`
  yield* run(
    `CREATE TRIGGER links_trigram_insert AFTER INSERT ON links WHEN new.enrichment <> 'pending' BEGIN ${insert} END`
  )
  yield* run(
    `CREATE TRIGGER links_trigram_delete AFTER DELETE ON links WHEN old.enrichment <> 'pending' BEGIN ${remove} END`
  )
  yield* run(`CREATE TRIGGER links_trigram_update AFTER UPDATE OF ${watched}, enrichment ON links
    WHEN new.enrichment <> 'pending' BEGIN ${remove} ${insert} END`)

  // The built-in embedder's vectors also represent what was highlighted; an endpoint never receives it.
  yield* run("DROP TRIGGER embedding_queue_note")
  yield* run(`CREATE TRIGGER embedding_queue_note AFTER UPDATE OF note, highlighted ON links
    WHEN new.enrichment <> 'pending' AND (old.note <> new.note OR old.highlighted <> new.highlighted)
      AND EXISTS (SELECT 1 FROM vectors v JOIN embedders e ON e.id = v.embedder_id
      WHERE v.link_id = new.id AND e.name GLOB 'linkbower-*') BEGIN
    INSERT OR REPLACE INTO embedding_queue (link_id) VALUES (new.id);
  END`)

  // The highlights' own index, for the list of all.
  yield* run(`CREATE VIRTUAL TABLE highlights_fts USING fts5 (
    quote, note, content = 'highlights', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
  )`)
  yield* run(`CREATE TRIGGER highlights_fts_insert AFTER INSERT ON highlights BEGIN
    INSERT INTO highlights_fts (rowid, quote, note) VALUES (new.id, new.quote, new.note);
  END`)
  yield* run(`CREATE TRIGGER highlights_fts_delete AFTER DELETE ON highlights BEGIN
    INSERT INTO highlights_fts (highlights_fts, rowid, quote, note) VALUES ('delete', old.id, old.quote, old.note);
  END`)
  yield* run(`CREATE TRIGGER highlights_fts_update AFTER UPDATE OF quote, note ON highlights BEGIN
    INSERT INTO highlights_fts (highlights_fts, rowid, quote, note) VALUES ('delete', old.id, old.quote, old.note);
    INSERT INTO highlights_fts (rowid, quote, note) VALUES (new.id, new.quote, new.note);
  END`)
})
