import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What anybody may see of a shared link; its normal form is looked up, never shown. */
const FIELDS = [
  "url",
  "normalized_url",
  "host",
  "title",
  "summary",
  "description",
  "tags",
  "category",
  "collection",
  "image",
  "favicon",
  "published_at",
  "created_at"
]
const fields = FIELDS.join(", ")
/** The fields that are searched. */
const TEXTS = ["title", "tags", "summary", "description", "url"]
const texts = TEXTS.join(", ")

/** The part of an address between `://` and the path; browsers read a backslash as a slash. */
const authority = (address: string) => {
  const rest = `substr(${address}, instr(${address}, '://') + 3)`
  const slashed = `replace(replace(replace(${rest}, '\\', '/'), '?', '/'), '#', '/') || '/'`
  return `substr(${slashed}, 1, instr(${slashed}, '/') - 1)`
}
/** Whether an address names a user, or is written in a way that leaves it to a browser to find one. */
const hasUser = (address: string) => {
  const isPlain = ["http", "https"]
    .map((scheme) => `lower(${address}) GLOB '${scheme}://[^/\\]*'`)
    .join(" OR ")
  return `(NOT (${isPlain}) OR instr(${authority(address)}, '@') > 0)`
}

/** A trigram index finds texts shorter than three characters only where blanks follow them. */
const padded = (row: string) => TEXTS.map((column) => `${row}.${column} || '  '`).join(", ")
const from = (row: string) => TEXTS.map((column) => `${row}.${column}`).join(", ")

/**
 * The projection that the public list reads: copies of the shared links' public fields, with words, trigrams, tags and
 * vectors of their own. Triggers keep it in step within the transaction of every change.
 *
 * A user and password in an address are left out: the normal form, the identity of a link, has neither. Tags that begin
 * with a dot are private.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)

  yield* run(`CREATE VIEW shared_links (id, ${fields}) AS SELECT l.id,
    iif(${hasUser("l.url")}, l.normalized_url, l.url), l.normalized_url, l.host, l.title, l.summary, l.description,
    iif(instr(l.tags, '".') = 0, l.tags,
      (SELECT json_group_array(value) FROM json_each(l.tags) WHERE substr(value, 1, 1) <> '.')),
    l.category, c.name, iif(${hasUser("l.image")}, NULL, l.image), iif(${hasUser("l.favicon")}, NULL, l.favicon),
    l.published_at, l.created_at
    FROM links l LEFT JOIN collections c ON c.id = l.collection_id WHERE l.shareable = 1`)

  yield* run(`CREATE TABLE public_links (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    normalized_url TEXT NOT NULL,
    host TEXT NOT NULL,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    description TEXT NOT NULL,
    tags TEXT NOT NULL,
    category TEXT NOT NULL,
    collection TEXT COLLATE NOCASE,
    image TEXT,
    favicon TEXT,
    published_at TEXT,
    created_at TEXT NOT NULL
  )`)
  yield* run("CREATE INDEX public_links_created ON public_links (created_at, id)")
  yield* run("CREATE INDEX public_links_title ON public_links (title COLLATE NOCASE, id)")
  yield* run("CREATE INDEX public_links_category ON public_links (category, created_at, id)")
  yield* run(
    "CREATE INDEX public_links_collection ON public_links (collection IS NULL, collection, created_at DESC, id DESC)"
  )
  yield* run("CREATE INDEX public_links_address ON public_links (normalized_url)")
  yield* run("CREATE INDEX public_links_image ON public_links (image) WHERE image IS NOT NULL")
  yield* run("CREATE INDEX public_links_favicon ON public_links (favicon) WHERE favicon IS NOT NULL")

  yield* run(`CREATE TABLE public_tags (
    tag TEXT NOT NULL,
    link_id INTEGER NOT NULL,
    PRIMARY KEY (tag, link_id)
  ) WITHOUT ROWID`)
  yield* run("CREATE INDEX public_tags_link ON public_tags (link_id)")
  // When something public last changed, for Last-Modified.
  yield* run("CREATE TABLE public_state (id INTEGER PRIMARY KEY CHECK (id = 1), changed_at TEXT NOT NULL)")
  yield* run("INSERT INTO public_state VALUES (1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))")

  yield* run(`CREATE VIRTUAL TABLE public_fts USING fts5 (
    ${texts}, content = 'public_links', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
  )`)
  yield* run(
    `CREATE VIEW public_substrings (id, ${texts}) AS SELECT id, ${padded("public_links")} FROM public_links`
  )
  yield* run(`CREATE VIRTUAL TABLE public_trigram USING fts5 (
    ${texts}, content = 'public_substrings', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
  )`)
  yield* run("CREATE VIRTUAL TABLE public_words USING fts5vocab (public_fts, row)")
  yield* run("CREATE VIRTUAL TABLE public_trigrams USING fts5vocab (public_trigram, row)")

  yield* run(`CREATE TABLE public_vectors (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL UNIQUE,
    embedder TEXT NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    floats BLOB NOT NULL
  )`)
  yield* run(`CREATE TABLE public_vector_removals (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL
  )`)
  yield* run(`CREATE TABLE public_embedding_queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL UNIQUE
  )`)
  yield* run(`CREATE TRIGGER public_vectors_removed AFTER DELETE ON public_vectors BEGIN
    INSERT INTO public_vector_removals (link_id) VALUES (old.link_id);
  END`)

  const changed = "UPDATE public_state SET changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = 1;"
  const index = `INSERT INTO public_fts (rowid, ${texts}) VALUES (new.id, ${from("new")});
    INSERT INTO public_trigram (rowid, ${texts}) VALUES (new.id, ${padded("new")});
    INSERT INTO public_tags (tag, link_id) SELECT DISTINCT value, new.id FROM json_each(new.tags);`
  const unindex = `INSERT INTO public_fts (public_fts, rowid, ${texts}) VALUES ('delete', old.id, ${from("old")});
    INSERT INTO public_trigram (public_trigram, rowid, ${texts}) VALUES ('delete', old.id, ${padded("old")});
    DELETE FROM public_tags WHERE link_id = old.id;`
  const enqueue = `DELETE FROM public_embedding_queue WHERE link_id = new.id;
    INSERT INTO public_embedding_queue (link_id) VALUES (new.id);`
  yield* run(
    `CREATE TRIGGER public_links_insert AFTER INSERT ON public_links BEGIN ${index} ${enqueue} ${changed} END`
  )
  yield* run(`CREATE TRIGGER public_links_delete AFTER DELETE ON public_links BEGIN ${unindex}
    DELETE FROM public_vectors WHERE link_id = old.id;
    DELETE FROM public_embedding_queue WHERE link_id = old.id;
    ${changed}
  END`)
  yield* run(`CREATE TRIGGER public_links_update AFTER UPDATE ON public_links BEGIN ${changed} END`)
  yield* run(`CREATE TRIGGER public_links_text AFTER UPDATE OF ${texts} ON public_links
    WHEN (${from("old")}) IS NOT (${from("new")}) BEGIN ${unindex} ${index} ${enqueue} END`)

  // A private change touches nothing here, not even the time of the last change. No statement names a conflict policy:
  // that of the statement which fires the trigger, a foreign key's action included, would replace it.
  yield* run(`CREATE TRIGGER shared_links_insert AFTER INSERT ON links WHEN new.shareable = 1 BEGIN
    INSERT INTO public_links (id, ${fields}) SELECT id, ${fields} FROM shared_links WHERE id = new.id;
  END`)
  yield* run(`CREATE TRIGGER shared_links_delete AFTER DELETE ON links WHEN old.shareable = 1 BEGIN
    DELETE FROM public_links WHERE id = old.id;
  END`)
  yield* run(`CREATE TRIGGER shared_links_update AFTER UPDATE OF url, normalized_url, host, title, summary,
    description, tags, category, collection_id, image, favicon, published_at, created_at, shareable ON links
    WHEN old.shareable = 1 OR new.shareable = 1 BEGIN
    DELETE FROM public_links WHERE id = old.id AND new.shareable = 0;
    UPDATE public_links SET (${fields}) = (SELECT ${fields} FROM shared_links WHERE id = new.id)
      WHERE id = new.id AND (${fields}) IS NOT (SELECT ${fields} FROM shared_links WHERE id = new.id);
    INSERT INTO public_links (id, ${fields}) SELECT id, ${fields} FROM shared_links
      WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM public_links WHERE id = new.id);
  END`)
  yield* run(`CREATE TRIGGER shared_links_renamed AFTER UPDATE OF name ON collections BEGIN
    UPDATE public_links SET collection = new.name WHERE collection IS NOT new.name COLLATE BINARY
      AND id IN (SELECT id FROM links WHERE collection_id = new.id AND shareable = 1);
  END`)

  yield* run(`INSERT INTO public_links (id, ${fields}) SELECT id, ${fields} FROM shared_links`)
  // The public list read these; the projection has its own.
  for (const name of ["links_shared", "links_shared_category", "links_shared_image", "links_shared_favicon"])
    yield* run(`DROP INDEX ${name}`)
})
