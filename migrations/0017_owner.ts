import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Scripts written without spaces, as a GLOB: Thai to Myanmar, Khmer, kana, Han. */
const UNSPACED = "*[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]*"
/** Number of characters of a page in such a script that the trigram index holds. */
const TEXT = 8_000

/** The fields of `links_fts` and `links_trigram`. */
const FIELDS = ["title", "tags", "note", "summary", "description", "url", "text"]
const fields = FIELDS.join(", ")
const of = (row: string) => FIELDS.map((field) => `${row}.${field}`).join(", ")

/** A row of the trigram index; a text shorter than three characters is found through the blanks at its end. */
const substrings = (row: string) =>
  [
    ...FIELDS.filter((field) => field !== "text").map((field) => `${row}.${field} || '  '`),
    `iif(${row}.text GLOB '${UNSPACED}', substr(${row}.text, 1, ${TEXT}) || '  ', '')`
  ].join(", ")

/** The fields of `public_links`, as migration 10 defines them. */
const PUBLIC = [
  ...["url", "normalized_url", "host", "title", "summary", "description", "tags", "category", "collection"],
  ...["image", "favicon", "published_at", "created_at"]
].join(", ")

/** The part of an address between `://` and the path; browsers read a backslash as a slash. */
const authority = (address: string) => {
  const rest = `substr(${address}, instr(${address}, '://') + 3)`
  const slashed = `replace(replace(replace(${rest}, '\\', '/'), '?', '/'), '#', '/') || '/'`
  return `substr(${slashed}, 1, instr(${slashed}, '/') - 1)`
}
/** Whether an address has a user name, or is written so that only a browser can tell. */
const hasUser = (address: string) => {
  const isPlain = ["http", "https"]
    .map((scheme) => `lower(${address}) GLOB '${scheme}://[^/\\]*'`)
    .join(" OR ")
  return `(NOT (${isPlain}) OR instr(${authority(address)}, '@') > 0)`
}

/** The last step of a collection's path. A control character stands for the separator, because `rtrim` takes characters. */
const ownName = (name: string) => {
  const steps = `replace(${name}, ' / ', char(31))`
  return `substr(${steps}, length(rtrim(${steps}, replace(${steps}, char(31), ''))) + 1)`
}

/** The columns of `links` that a link keeps in the trash, in the order of the table. */
const KEPT = [
  ...["url", "normalized_url", "host", "title", "note", "summary", "description", "tags", "category"],
  ...["collection_id", "favorite", "shareable", "image", "favicon", "site_name", "author", "published_at"],
  ...["language", "repository", "enrichment", "created_at", "updated_at", "canonical_url", "final_url"],
  ...["hand_tags", "title_by_hand", "summary_by_hand", "category_by_hand", "collection_by_hand", "retries"],
  ...[
    "retry_at",
    "state",
    "type",
    "facts",
    "model",
    "stages",
    "filed_because",
    "refused",
    "tags_by_hand",
    "text"
  ]
]

/**
 * What the owner edits: the state of a link, its tags by hand, the trash, collections as a tree with attributes of their
 * own, other names of tags, categories and collections, and saved searches.
 *
 * A collection's name is its path: `Programming / Effect` lies in `Programming`. `shared` is set on a collection that is
 * shared itself or lies in a shared one, and `in_shared` on its links, which the public projection then shows. It shows
 * a shared collection under its path from the outermost shared one: what lies around that stays private.
 *
 * A link in the trash has left `links`, so nothing that reads `links`, its indexes or its vectors can find it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)

  // The page's text stays the last column: SQLite keeps it on overflow pages, which a list never reads.
  for (const name of ["links_fts_insert", "links_fts_delete", "links_fts_update"])
    yield* run(`DROP TRIGGER ${name}`)
  for (const name of ["links_trigram_insert", "links_trigram_delete", "links_trigram_update"])
    yield* run(`DROP TRIGGER ${name}`)
  yield* run("DROP VIEW links_substrings")
  yield* run(
    "ALTER TABLE links ADD COLUMN state TEXT NOT NULL DEFAULT 'unread' CHECK (state IN ('unread', 'read', 'archived'))"
  )
  yield* run("ALTER TABLE links ADD COLUMN type TEXT NOT NULL DEFAULT 'page'")
  yield* run("ALTER TABLE links ADD COLUMN facts TEXT NOT NULL DEFAULT '{}'")
  yield* run("ALTER TABLE links ADD COLUMN model TEXT")
  yield* run("ALTER TABLE links ADD COLUMN stages TEXT NOT NULL DEFAULT '[]'")
  yield* run("ALTER TABLE links ADD COLUMN filed_because TEXT")
  yield* run("ALTER TABLE links ADD COLUMN refused TEXT NOT NULL DEFAULT '[]'")
  yield* run("ALTER TABLE links ADD COLUMN tags_by_hand INTEGER NOT NULL DEFAULT 0")
  yield* run("ALTER TABLE links ADD COLUMN in_shared INTEGER NOT NULL DEFAULT 0")
  yield* run("ALTER TABLE links ADD COLUMN page_text TEXT NOT NULL DEFAULT ''")
  // Links from before count as read.
  yield* run(
    "UPDATE links SET page_text = text, state = 'read', type = iif(repository IS NULL, 'page', 'repository')"
  )
  yield* run("ALTER TABLE links DROP COLUMN text")
  yield* run("ALTER TABLE links RENAME COLUMN page_text TO text")
  yield* run("CREATE INDEX links_state ON links (state, created_at, id) WHERE state <> 'read'")
  // Sites are sorted without `www.`.
  const site = "iif(substr(host, 1, 4) = 'www.', substr(host, 5), host)"
  yield* run(`CREATE INDEX links_site ON links (${site}, created_at DESC, id DESC)`)
  yield* run("CREATE INDEX links_updated ON links (updated_at, id)")

  yield* run(`CREATE TRIGGER links_fts_insert AFTER INSERT ON links BEGIN
    INSERT INTO links_fts (rowid, ${fields}) VALUES (new.id, ${of("new")});
  END`)
  yield* run(`CREATE TRIGGER links_fts_delete AFTER DELETE ON links BEGIN
    INSERT INTO links_fts (links_fts, rowid, ${fields}) VALUES ('delete', old.id, ${of("old")});
  END`)
  yield* run(`CREATE TRIGGER links_fts_update AFTER UPDATE OF ${fields} ON links BEGIN
    INSERT INTO links_fts (links_fts, rowid, ${fields}) VALUES ('delete', old.id, ${of("old")});
    INSERT INTO links_fts (rowid, ${fields}) VALUES (new.id, ${of("new")});
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
  yield* run(`CREATE TRIGGER links_trigram_update AFTER UPDATE OF ${fields}, enrichment ON links
    WHEN new.enrichment <> 'pending' BEGIN ${remove} ${insert} END`)

  // `messages` are the chat messages that the link answers to, as pairs of chat and message. `in_shared` exists
  // because some queries read links from both tables; a link in the trash is never public.
  yield* run(`CREATE TABLE trash (
    id INTEGER PRIMARY KEY,
    deleted_at TEXT NOT NULL,
    messages TEXT NOT NULL DEFAULT '[]',
    in_shared INTEGER NOT NULL DEFAULT 0 CHECK (in_shared = 0),
    ${KEPT.join(", ")}
  )`)
  yield* run("CREATE INDEX trash_deleted ON trash (deleted_at, id)")
  yield* run("CREATE INDEX trash_address ON trash (normalized_url)")

  for (const column of [
    "parent_id INTEGER REFERENCES collections (id)",
    "description TEXT NOT NULL DEFAULT ''",
    "color TEXT",
    "icon TEXT",
    "position INTEGER NOT NULL DEFAULT 0",
    "shareable INTEGER NOT NULL DEFAULT 0",
    "shared INTEGER NOT NULL DEFAULT 0"
  ])
    yield* run(`ALTER TABLE collections ADD COLUMN ${column}`)
  yield* run("CREATE INDEX collections_parent ON collections (parent_id)")
  // Imports have joined the names of nested folders by a slash: these become paths, with a collection at every step.
  const now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
  yield* run(`WITH RECURSIVE steps (path, rest) AS (
      SELECT '', name || ' / ' FROM collections WHERE instr(name, ' / ') > 0
      UNION ALL SELECT path || iif(path = '', '', ' / ') || substr(rest, 1, instr(rest, ' / ') - 1),
        substr(rest, instr(rest, ' / ') + 3) FROM steps WHERE instr(rest, ' / ') > 0
    ) INSERT INTO collections (name, created_at) SELECT DISTINCT path, ${now} FROM steps
      WHERE trim(path) <> '' AND true ON CONFLICT (name) DO NOTHING`)
  yield* run(`UPDATE collections SET parent_id = (
      SELECT up.id FROM collections up
      WHERE up.id <> collections.id AND substr(collections.name, 1, length(up.name) + 3) = up.name || ' / ' COLLATE NOCASE
      ORDER BY length(up.name) DESC LIMIT 1)`)

  // A link is shown while its collection is shared: a link that is filed there is seen, and one that leaves is not.
  const isShared = "coalesce((SELECT shared FROM collections WHERE id = new.collection_id), 0)"
  yield* run(`CREATE TRIGGER links_in_shared_insert AFTER INSERT ON links WHEN new.in_shared <> ${isShared} BEGIN
    UPDATE links SET in_shared = ${isShared} WHERE id = new.id;
  END`)
  yield* run(`CREATE TRIGGER links_in_shared_update AFTER UPDATE OF collection_id ON links
    WHEN new.in_shared <> ${isShared} BEGIN
    UPDATE links SET in_shared = ${isShared} WHERE id = new.id;
  END`)
  for (const name of [
    "shared_links_insert",
    "shared_links_delete",
    "shared_links_update",
    "shared_links_renamed"
  ])
    yield* run(`DROP TRIGGER ${name}`)
  yield* run("DROP VIEW shared_links")
  yield* run(`CREATE VIEW shared_collections (id, name, description) AS
    WITH RECURSIVE tree (id, name, description) AS (
      SELECT c.id, ${ownName("c.name")}, c.description FROM collections c
        LEFT JOIN collections up ON up.id = c.parent_id WHERE c.shared = 1 AND coalesce(up.shared, 0) = 0
      UNION ALL SELECT c.id, tree.name || ' / ' || ${ownName("c.name")}, c.description
        FROM tree JOIN collections c ON c.parent_id = tree.id WHERE c.shared = 1
    ) SELECT id, name, description FROM tree`)
  yield* run(`CREATE TABLE public_collections (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL
  )`)
  yield* run("CREATE INDEX public_collections_name ON public_collections (name, id)")
  yield* run(`CREATE VIEW shared_links (id, ${PUBLIC}) AS SELECT l.id,
    iif(${hasUser("l.url")}, l.normalized_url, l.url), l.normalized_url, l.host, l.title, l.summary, l.description,
    iif(instr(l.tags, '".') = 0, l.tags,
      (SELECT json_group_array(value) FROM json_each(l.tags) WHERE substr(value, 1, 1) <> '.')),
    l.category, coalesce(s.name, c.name), iif(${hasUser("l.image")}, NULL, l.image),
    iif(${hasUser("l.favicon")}, NULL, l.favicon), l.published_at, l.created_at
    FROM links l LEFT JOIN collections c ON c.id = l.collection_id
    LEFT JOIN public_collections s ON s.id = l.collection_id
    WHERE l.shareable = 1 OR (l.in_shared = 1 AND s.id IS NOT NULL)`)
  yield* run(`CREATE TRIGGER shared_links_insert AFTER INSERT ON links WHEN new.shareable = 1 OR new.in_shared = 1 BEGIN
    INSERT INTO public_links (id, ${PUBLIC}) SELECT id, ${PUBLIC} FROM shared_links WHERE id = new.id
      AND NOT EXISTS (SELECT 1 FROM public_links WHERE id = new.id);
  END`)
  yield* run(`CREATE TRIGGER shared_links_delete AFTER DELETE ON links WHEN old.shareable = 1 OR old.in_shared = 1 BEGIN
    DELETE FROM public_links WHERE id = old.id;
  END`)
  yield* run(`CREATE TRIGGER shared_links_update AFTER UPDATE OF url, normalized_url, host, title, summary,
    description, tags, category, collection_id, image, favicon, published_at, created_at, shareable, in_shared ON links
    WHEN old.shareable = 1 OR new.shareable = 1 OR old.in_shared = 1 OR new.in_shared = 1 BEGIN
    DELETE FROM public_links WHERE id = old.id AND NOT EXISTS (SELECT 1 FROM shared_links WHERE id = new.id);
    UPDATE public_links SET (${PUBLIC}) = (SELECT ${PUBLIC} FROM shared_links WHERE id = new.id)
      WHERE id = new.id AND (${PUBLIC}) IS NOT (SELECT ${PUBLIC} FROM shared_links WHERE id = new.id);
    INSERT INTO public_links (id, ${PUBLIC}) SELECT id, ${PUBLIC} FROM shared_links
      WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM public_links WHERE id = new.id);
  END`)
  yield* run(`CREATE TRIGGER shared_links_renamed AFTER UPDATE OF name ON collections BEGIN
    UPDATE public_links SET collection = new.name WHERE collection IS NOT new.name COLLATE BINARY
      AND id IN (SELECT id FROM links WHERE collection_id = new.id AND shareable = 1)
      AND NOT EXISTS (SELECT 1 FROM public_collections WHERE id = new.id);
  END`)
  // A change to a collection around a shared one is a private change, and one within it changes the paths below.
  const follow = `DELETE FROM public_collections WHERE id NOT IN (SELECT id FROM shared_collections);
    UPDATE public_collections SET name = s.name, description = s.description FROM shared_collections s
      WHERE s.id = public_collections.id
      AND (s.name IS NOT public_collections.name COLLATE BINARY OR s.description IS NOT public_collections.description);
    INSERT INTO public_collections (id, name, description) SELECT id, name, description FROM shared_collections
      WHERE id NOT IN (SELECT id FROM public_collections);`
  yield* run(
    `CREATE TRIGGER shared_collections_insert AFTER INSERT ON collections WHEN new.shared = 1 BEGIN ${follow} END`
  )
  yield* run(
    `CREATE TRIGGER shared_collections_delete AFTER DELETE ON collections WHEN old.shared = 1 BEGIN ${follow} END`
  )
  yield* run(`CREATE TRIGGER shared_collections_update AFTER UPDATE OF name, parent_id, description, shared ON collections
    WHEN old.shared = 1 OR new.shared = 1 BEGIN ${follow} END`)
  // A collection that is no longer shared takes its links along piece by piece; only links that are shared themselves stay.
  const changed = "UPDATE public_state SET changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = 1;"
  const named = `UPDATE public_links SET collection = new.name WHERE collection IS NOT new.name COLLATE BINARY
      AND id IN (SELECT id FROM links WHERE collection_id = new.id);`
  yield* run(`CREATE TRIGGER shared_collections_shown AFTER INSERT ON public_collections BEGIN ${named} ${changed}
    INSERT INTO public_links (id, ${PUBLIC}) SELECT id, ${PUBLIC} FROM shared_links
      WHERE id IN (SELECT id FROM links WHERE collection_id = new.id AND in_shared = 1)
      AND id NOT IN (SELECT id FROM public_links);
  END`)
  yield* run(
    `CREATE TRIGGER shared_collections_renamed AFTER UPDATE ON public_collections BEGIN ${named} ${changed} END`
  )
  yield* run(`CREATE TRIGGER shared_collections_hidden AFTER DELETE ON public_collections BEGIN
    UPDATE public_links SET collection = (SELECT name FROM collections WHERE id = old.id)
      WHERE id IN (SELECT id FROM links WHERE collection_id = old.id AND shareable = 1);
    ${changed}
  END`)

  // `target` is a tag, a category or the number of a collection.
  yield* run(`CREATE TABLE aliases (
    kind TEXT NOT NULL CHECK (kind IN ('tag', 'category', 'collection')),
    name TEXT NOT NULL COLLATE NOCASE,
    target TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) WITHOUT ROWID`)
  yield* run(`CREATE TABLE searches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    query TEXT NOT NULL,
    sort TEXT,
    pinned INTEGER NOT NULL DEFAULT 1,
    position INTEGER NOT NULL DEFAULT 0,
    token TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  )`)

  // A change refers to links in the trash too, so its links are no foreign keys any more.
  yield* run("DROP TRIGGER changes_saved_again")
  yield* run(`CREATE TABLE changes_now (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('edit', 'trash', 'restore', 'delete')),
    fields TEXT NOT NULL DEFAULT '[]',
    automatic INTEGER NOT NULL DEFAULT 0,
    finished INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL
  )`)
  yield* run(`CREATE TABLE change_links_now (
    change_id INTEGER NOT NULL REFERENCES changes_now (id) ON DELETE CASCADE,
    link_id INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    before TEXT,
    wrote TEXT,
    PRIMARY KEY (change_id, link_id)
  ) WITHOUT ROWID`)
  yield* run(`INSERT INTO changes_now
    SELECT id, token, kind, fields, automatic, finished, created_at FROM changes WHERE kind <> 'merge'`)
  // A merge that was interrupted stays half done: its remaining links are still there to be merged.
  // What a change does to things other than links: the row before and after, NULL if it did not exist. A `wrote` with a
  // `removal` is still to be done.
  yield* run(`CREATE TABLE change_things (
    change_id INTEGER NOT NULL REFERENCES changes_now (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('collection', 'alias', 'search')),
    key TEXT NOT NULL,
    before TEXT,
    wrote TEXT,
    PRIMARY KEY (change_id, kind, key)
  ) WITHOUT ROWID`)
  const row = (more: string) => `json_object(${more}, 'description', '', 'color', NULL, 'icon', NULL,
    'position', 0, 'shareable', 0, 'shared', 0)`
  const present = row("'id', c.id, 'name', c.name, 'created_at', c.created_at, 'parent_id', c.parent_id")
  const removed = row(
    "'id', value ->> 'id', 'name', value ->> 'name', 'created_at', value ->> 'createdAt', 'parent_id', NULL"
  )
  yield* run(`INSERT INTO change_things SELECT changes.id, 'collection', c.id, NULL, ${present}
    FROM changes, json_each(made) JOIN collections c ON c.id = value WHERE changes.kind <> 'merge'`)
  yield* run(`INSERT INTO change_things SELECT changes.id, 'collection', value ->> 'id', ${removed}, NULL
    FROM changes, json_each(removed) WHERE changes.kind <> 'merge' ON CONFLICT DO NOTHING`)
  yield* run(`INSERT INTO change_things SELECT changes.id, 'collection', c.id, ${present}, '{"removal":"empty"}'
    FROM changes, json_each(removes) JOIN collections c ON c.id = value WHERE finished = 0 AND changes.kind <> 'merge' ON CONFLICT DO NOTHING`)
  // Collections are named by their numbers from now on.
  const numbered = (column: string) => `iif(json_type(${column}, '$.collection') = 'text',
    json_set(${column}, '$.collection', (SELECT id FROM collections WHERE name = ${column} ->> '$.collection')), ${column})`
  yield* run(`INSERT INTO change_links_now
    SELECT change_id, link_id, pending, ${numbered("before")}, ${numbered("wrote")} FROM change_links
    WHERE change_id IN (SELECT id FROM changes_now)`)
  yield* run("DROP TABLE change_links")
  yield* run("DROP TABLE changes")
  yield* run("ALTER TABLE changes_now RENAME TO changes")
  yield* run("ALTER TABLE change_links_now RENAME TO change_links")
  yield* run("CREATE INDEX changes_unfinished ON changes (id) WHERE finished = 0")
  yield* run("CREATE INDEX changes_created ON changes (created_at)")
  yield* run("CREATE INDEX change_links_link ON change_links (link_id)")
  yield* run("CREATE INDEX change_links_pending ON change_links (change_id, link_id) WHERE pending = 1")
  // An address that is saved while its link is on its way to the trash stays where it is; one that is being deleted for
  // good is saved as a new link.
  const among = (kind: string) => `link_id IN (SELECT id FROM links WHERE normalized_url = new.normalized_url)
    AND pending = 1 AND change_id IN (SELECT id FROM changes WHERE finished = 0 AND kind = '${kind}')`
  yield* run(`CREATE TRIGGER changes_saved_again BEFORE INSERT ON links
    WHEN EXISTS (SELECT 1 FROM changes WHERE finished = 0 AND kind IN ('trash', 'delete')) BEGIN
    DELETE FROM change_links WHERE ${among("trash")};
    DELETE FROM links WHERE id IN (SELECT link_id FROM change_links WHERE ${among("delete")});
  END`)
})
