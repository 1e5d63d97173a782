import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Identifies a database as a library of Linkbower: "LbwL" (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x4c_62_77_4c

const namesIn = (list: string) => list.split(", ")

/**
 * What goes with a link that is deleted for good. A link moves to the trash and back by an insertion there before its
 * deletion here.
 */
const deletedWithLink = (name: string, ...statements: ReadonlyArray<string>) =>
  (
    [
      ["links", "trash"],
      ["trash", "links"]
    ] as const
  ).map(
    ([table, other]) => `CREATE TRIGGER ${name}_${table}_delete AFTER DELETE ON ${table}
    WHEN NOT EXISTS (SELECT 1 FROM ${other} WHERE id = old.id) BEGIN
      ${statements.map((statement) => `${statement};`).join("\n      ")}
    END`
  )

/**
 * A collection's name is its path: `Programming / Effect` lies in `Programming`. `shared` is set on a collection that is
 * shared itself or lies in a shared one.
 */
const collections = [
  `CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    created_at TEXT NOT NULL,
    parent_id INTEGER REFERENCES collections (id),
    description TEXT NOT NULL DEFAULT '',
    color TEXT,
    icon TEXT,
    position INTEGER NOT NULL DEFAULT 0,
    shareable INTEGER NOT NULL DEFAULT 0,
    shared INTEGER NOT NULL DEFAULT 0
  )`,
  // In this order a new one takes the last place.
  "CREATE INDEX collections_order ON collections (parent_id, position)"
]

/**
 * `in_shared` is set on the links of a shared collection. The text of the page and the words of its highlights stand
 * last: SQLite keeps them on overflow pages, which a list never reads.
 */
const links = [
  `CREATE TABLE links (
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
    state TEXT NOT NULL DEFAULT 'unread' CHECK (state IN ('unread', 'read', 'archived')),
    type TEXT NOT NULL DEFAULT 'page',
    facts TEXT NOT NULL DEFAULT '{}',
    model TEXT,
    stages TEXT NOT NULL DEFAULT '[]',
    filed_because TEXT,
    refused TEXT NOT NULL DEFAULT '[]',
    tags_by_hand INTEGER NOT NULL DEFAULT 0,
    in_shared INTEGER NOT NULL DEFAULT 0,
    text TEXT NOT NULL DEFAULT '',
    highlighted TEXT NOT NULL DEFAULT ''
  )`,
  "CREATE INDEX links_created ON links (created_at, id)",
  "CREATE INDEX links_title ON links (title COLLATE NOCASE, id)",
  "CREATE INDEX links_category ON links (category, created_at, id)",
  "CREATE INDEX links_collection ON links (collection_id, created_at, id)",
  "CREATE INDEX links_favorite ON links (created_at, id) WHERE favorite = 1",
  "CREATE INDEX links_shareable ON links (created_at, id) WHERE shareable = 1",
  "CREATE INDEX links_retry ON links (retry_at) WHERE retry_at IS NOT NULL",
  "CREATE INDEX links_partial ON links (id) WHERE enrichment = 'partial'",
  "CREATE INDEX links_state ON links (state, created_at, id) WHERE state <> 'read'",
  // Sites are sorted without `www.`.
  `CREATE INDEX links_site ON links
    (iif(substr(host, 1, 4) = 'www.', substr(host, 5), host), created_at DESC, id DESC)`,
  "CREATE INDEX links_updated ON links (updated_at, id)"
]

const COUNT_CATEGORY = `INSERT INTO categories_in_use (category, links) SELECT new.category, 0
      WHERE NOT EXISTS (SELECT 1 FROM categories_in_use WHERE category = new.category);
    UPDATE categories_in_use SET links = links + 1 WHERE category = new.category;`
const UNCOUNT_CATEGORY = `UPDATE categories_in_use SET links = links - 1 WHERE category = old.category;
    DELETE FROM categories_in_use WHERE category = old.category AND links = 0;`

/**
 * The tags of links, and how many links each tag and each category has: every save asks for the tags that are spelled
 * like its own, and for the categories.
 */
const tagsAndCategories = [
  `CREATE TABLE link_tags (
    tag TEXT NOT NULL,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, link_id)
  ) WITHOUT ROWID`,
  "CREATE INDEX link_tags_link ON link_tags (link_id)",
  `CREATE TRIGGER link_tags_insert AFTER INSERT ON links BEGIN
    INSERT OR IGNORE INTO link_tags (tag, link_id) SELECT value, new.id FROM json_each(new.tags);
  END`,
  `CREATE TRIGGER link_tags_update AFTER UPDATE OF tags ON links WHEN old.tags <> new.tags BEGIN
    DELETE FROM link_tags WHERE link_id = new.id;
    INSERT OR IGNORE INTO link_tags (tag, link_id) SELECT value, new.id FROM json_each(new.tags);
  END`,

  // No statement names a conflict policy: that of the statement that fires the trigger would replace it.
  `CREATE TABLE tags_in_use (
    tag TEXT PRIMARY KEY,
    spelling TEXT NOT NULL,
    links INTEGER NOT NULL
  ) WITHOUT ROWID`,
  "CREATE INDEX tags_in_use_spelling ON tags_in_use (spelling)",
  "CREATE INDEX tags_in_use_links ON tags_in_use (links DESC, tag)",
  `CREATE TRIGGER tags_in_use_insert AFTER INSERT ON link_tags BEGIN
    INSERT INTO tags_in_use (tag, spelling, links) SELECT new.tag, replace(new.tag, '-', ''), 0
      WHERE NOT EXISTS (SELECT 1 FROM tags_in_use WHERE tag = new.tag);
    UPDATE tags_in_use SET links = links + 1 WHERE tag = new.tag;
  END`,
  `CREATE TRIGGER tags_in_use_delete AFTER DELETE ON link_tags BEGIN
    UPDATE tags_in_use SET links = links - 1 WHERE tag = old.tag;
    DELETE FROM tags_in_use WHERE tag = old.tag AND links = 0;
  END`,
  "CREATE TABLE categories_in_use (category TEXT PRIMARY KEY, links INTEGER NOT NULL) WITHOUT ROWID",
  `CREATE TRIGGER categories_in_use_insert AFTER INSERT ON links BEGIN ${COUNT_CATEGORY} END`,
  `CREATE TRIGGER categories_in_use_delete AFTER DELETE ON links BEGIN ${UNCOUNT_CATEGORY} END`,
  `CREATE TRIGGER categories_in_use_update AFTER UPDATE OF category ON links
    WHEN old.category <> new.category BEGIN ${UNCOUNT_CATEGORY} ${COUNT_CATEGORY} END`
]

/** The columns of `links` that a link keeps in the trash. */
const TRASHED = [
  ...["url", "normalized_url", "host", "title", "note", "summary", "description", "tags", "category"],
  ...["collection_id", "favorite", "shareable", "image", "favicon", "site_name", "author", "published_at"],
  ...["language", "repository", "enrichment", "created_at", "updated_at", "canonical_url", "final_url"],
  ...["hand_tags", "title_by_hand", "summary_by_hand", "category_by_hand", "collection_by_hand", "retries"],
  ...["retry_at", "state", "type", "facts", "model", "stages", "filed_because", "refused", "tags_by_hand"],
  "text"
]

/**
 * A link in the trash has left `links`, so nothing that reads `links`, its indexes or its vectors can find it.
 * `messages` are the chat messages that the link answers to, as pairs of chat and message. `in_shared` exists because
 * some queries read links from both tables; a link in the trash is never public.
 */
const trash = [
  `CREATE TABLE trash (
    id INTEGER PRIMARY KEY,
    deleted_at TEXT NOT NULL,
    messages TEXT NOT NULL DEFAULT '[]',
    in_shared INTEGER NOT NULL DEFAULT 0 CHECK (in_shared = 0),
    ${TRASHED.join(", ")},
    highlighted TEXT NOT NULL DEFAULT ''
  )`,
  "CREATE INDEX trash_deleted ON trash (deleted_at, id)",
  "CREATE INDEX trash_address ON trash (normalized_url)"
]

/** Other names of tags, categories and collections: `target` is a tag, a category or the number of a collection. */
const aliases = [
  `CREATE TABLE aliases (
    kind TEXT NOT NULL CHECK (kind IN ('tag', 'category', 'collection')),
    name TEXT NOT NULL COLLATE NOCASE,
    target TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) WITHOUT ROWID`
]

const searches = [
  `CREATE TABLE searches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    query TEXT NOT NULL,
    sort TEXT,
    pinned INTEGER NOT NULL DEFAULT 1,
    feed_text INTEGER NOT NULL DEFAULT 0,
    position INTEGER NOT NULL DEFAULT 0,
    token TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  )`
]

/** The pending work of an unfinished change of this kind on a link whose address is saved again. */
const savedAgain = (kind: string) =>
  `link_id IN (SELECT id FROM links WHERE normalized_url = new.normalized_url)
      AND change_id IN (SELECT id FROM changes WHERE finished = 0 AND kind = '${kind}')`

/**
 * The journal of changes that can be undone: who made each, the rows that it has touched, before and after, and the work
 * that is left of one that is made in pieces, so that a crash between two of them loses nothing. The links of a change are
 * no foreign keys, because it refers to links in the trash too. `import` is `added` for an import and for its undo;
 * `undone_by` is the change that has undone it. `label` names a change made in the chat, `told` is its place among those
 * that `/undo` can still undo.
 */
const changes = [
  `CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('edit', 'trash', 'restore', 'delete')),
    fields TEXT NOT NULL DEFAULT '[]',
    automatic INTEGER NOT NULL DEFAULT 0,
    author TEXT NOT NULL DEFAULT 'owner',
    finished INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    import TEXT CHECK (import = 'added'),
    undone_by INTEGER,
    label TEXT,
    told INTEGER
  )`,
  // `before` and `after` are NULL if the row did not exist. Links have their numbers as keys, all else has texts.
  `CREATE TABLE change_rows (
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('link', 'collection', 'alias', 'search', 'highlight')),
    key BLOB NOT NULL,
    before TEXT,
    after TEXT,
    PRIMARY KEY (change_id, kind, key)
  ) WITHOUT ROWID`,
  // What is to become of each link: new values, and with `move` its new place.
  `CREATE TABLE change_work (
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    link_id INTEGER NOT NULL,
    work TEXT NOT NULL,
    PRIMARY KEY (change_id, link_id)
  ) WITHOUT ROWID`,
  "CREATE INDEX changes_unfinished ON changes (id) WHERE finished = 0",
  "CREATE INDEX changes_created ON changes (created_at)",
  "CREATE INDEX changes_author ON changes (author, id)",
  "CREATE INDEX changes_label ON changes (label ->> 'id') WHERE label IS NOT NULL",
  "CREATE INDEX changes_told ON changes (told) WHERE told IS NOT NULL",
  "CREATE INDEX change_rows_link ON change_rows (key) WHERE kind = 'link'",
  "CREATE INDEX change_work_link ON change_work (link_id)",
  `CREATE INDEX change_rows_highlight ON change_rows (coalesce(before, after) ->> 'link_id')
    WHERE kind = 'highlight'`,
  // An address that is saved while its link is on its way to the trash stays where it is; one that is being deleted for
  // good is saved as a new link.
  `CREATE TRIGGER changes_saved_again BEFORE INSERT ON links
    WHEN EXISTS (SELECT 1 FROM changes WHERE finished = 0 AND kind IN ('trash', 'delete')) BEGIN
    DELETE FROM change_work WHERE ${savedAgain("trash")};
    DELETE FROM links WHERE id IN (SELECT link_id FROM change_work WHERE ${savedAgain("delete")}
      AND work ->> 'move' = 'delete');
  END`
]

/**
 * By which key each link's page is recognized when its address is saved in another form. The program computes the keys:
 * NULL stands for one that is still to be computed. A link in the trash keeps its key, so that saving its page in any
 * form takes it out. When the rules change, a migration sets all keys to NULL.
 */
const pageKeys = [
  `CREATE TABLE page_keys (
    link_id INTEGER PRIMARY KEY,
    key TEXT
  )`,
  "CREATE INDEX page_keys_key ON page_keys (key) WHERE key IS NOT NULL",
  "CREATE INDEX page_keys_missing ON page_keys (link_id) WHERE key IS NULL",
  ...["links", "trash"].flatMap((table) => [
    `CREATE TRIGGER page_keys_${table}_insert AFTER INSERT ON ${table}
      WHEN NOT EXISTS (SELECT 1 FROM page_keys WHERE link_id = new.id) BEGIN
      INSERT INTO page_keys (link_id) VALUES (new.id);
    END`,
    `CREATE TRIGGER page_keys_${table}_update AFTER UPDATE OF url ON ${table} WHEN old.url <> new.url BEGIN
      UPDATE page_keys SET key = NULL WHERE link_id = new.id;
    END`
  ]),
  ...deletedWithLink("page_keys", "DELETE FROM page_keys WHERE link_id = old.id")
]

/** When a link in the trash is due: never. */
const NEVER = Number.MAX_SAFE_INTEGER

const isoTime = (millis: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${millis} / 1000.0, 'unixepoch')`

/**
 * What is known about the page behind each link, and when to look at it next, in milliseconds since 1970: NULL until the
 * program plans it, for a link that is new, has another address or has left the trash. A link in the trash keeps what is
 * known, and is not due.
 *
 * `declined` is the new address of a page that the owner does not want; `capture_url` is what the Wayback Machine has, and
 * `capture_asked` when it was asked. `shown` is what a list shows, as JSONB; NULL for a page that has not been checked. It
 * is stored, because to make it for a whole list takes half as long as the list.
 */
const linkChecks = [
  `CREATE TABLE link_checks (
    link_id INTEGER PRIMARY KEY,
    state TEXT NOT NULL DEFAULT 'unknown' CHECK (state IN ('unknown', 'ok', 'broken', 'moved', 'changed')),
    since INTEGER,
    reason TEXT,
    moved_to TEXT,
    declined TEXT,
    failed_at TEXT NOT NULL DEFAULT '[]',
    broken_looks INTEGER NOT NULL DEFAULT 0,
    looked_at INTEGER,
    next_at INTEGER,
    capture_url TEXT,
    capture_at TEXT,
    capture_asked INTEGER,
    shown BLOB AS (iif(state = 'unknown' AND looked_at IS NULL, NULL, jsonb_object(
      'state', state, 'since', ${isoTime("since")}, 'reason', reason, 'to', moved_to,
      'lookedAt', ${isoTime("looked_at")},
      'archived', iif(capture_url IS NULL OR state NOT IN ('broken', 'changed'), jsonb('null'),
        jsonb_object('url', capture_url, 'at', capture_at))))) STORED
  )`,
  "CREATE INDEX link_checks_next ON link_checks (next_at)",
  `CREATE INDEX link_checks_state ON link_checks (state, link_id)
    WHERE state IN ('broken', 'moved', 'changed')`,
  "CREATE INDEX link_checks_ok ON link_checks (looked_at) WHERE state = 'ok'",
  `CREATE TRIGGER link_checks_insert AFTER INSERT ON links BEGIN
    UPDATE link_checks SET next_at = NULL WHERE link_id = new.id;
    INSERT INTO link_checks (link_id) SELECT new.id
      WHERE NOT EXISTS (SELECT 1 FROM link_checks WHERE link_id = new.id);
  END`,
  `CREATE TRIGGER link_checks_trashed AFTER INSERT ON trash BEGIN
    UPDATE link_checks SET next_at = ${NEVER} WHERE link_id = new.id;
  END`,
  ...deletedWithLink(
    "link_checks",
    "DELETE FROM link_checks WHERE link_id = old.id",
    "DELETE FROM tasks WHERE subject = old.id AND kind = 'archive'"
  ),
  ...["links", "trash"].map(
    (table) => `CREATE TRIGGER link_checks_${table}_address AFTER UPDATE OF url ON ${table}
    WHEN old.url <> new.url BEGIN
      DELETE FROM link_checks WHERE link_id = new.id;
      DELETE FROM tasks WHERE subject = new.id AND kind = 'archive';
      INSERT INTO link_checks (link_id, next_at) VALUES (new.id, ${table === "links" ? "NULL" : NEVER});
    END`
  )
]

/** What is kept of a page besides its HTML; an earlier version of it has the same. */
const ABOUT_PAGE = `title TEXT NOT NULL,
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
 * The kept pages of links, compressed, and their earlier versions, each as the difference to the next one. A list asks
 * for every link whether its page is kept: the rows of `pages` are small for that, and the contents lie apart. The pages
 * of a link stay while it is in the trash.
 */
const pages = [
  `CREATE TABLE pages (
    link_id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    ${ABOUT_PAGE},
    digest BLOB NOT NULL
  )`,
  `CREATE TABLE page_contents (
    link_id INTEGER PRIMARY KEY REFERENCES pages (link_id) ON DELETE CASCADE,
    html BLOB NOT NULL
  )`,
  `CREATE TABLE page_versions (
    link_id INTEGER NOT NULL REFERENCES pages (link_id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    ${ABOUT_PAGE},
    difference BLOB NOT NULL,
    PRIMARY KEY (link_id, version)
  )`,
  ...deletedWithLink("pages", "DELETE FROM pages WHERE link_id = old.id"),
  `CREATE TRIGGER public_pages_forgotten AFTER DELETE ON pages BEGIN
    DELETE FROM public_pages WHERE link_id = old.link_id;
  END`
]

/**
 * Pictures of kept pages. `page_pictures` has the addresses of a page's pictures, which are also the queue of those to
 * fetch: `place` is NULL for a picture that only an earlier version of the page has, and `due_at` is set while it waits.
 * `pictures` has each picture once, until the last page that shows it is gone: `hash` is the SHA-256 of `bytes`, and
 * `size` their number, so that a sum reads no pictures.
 */
const pictures = [
  `CREATE TABLE pictures (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL
  )`,
  "CREATE INDEX pictures_size ON pictures (size)",
  `CREATE TABLE page_pictures (
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
  )`,
  `CREATE INDEX page_pictures_due ON page_pictures (link_id DESC, place, due_at, host)
    WHERE due_at IS NOT NULL`,
  "CREATE INDEX page_pictures_at ON page_pictures (due_at) WHERE due_at IS NOT NULL",
  `CREATE INDEX page_pictures_address ON page_pictures (address, changed_at)
    WHERE picture_id IS NOT NULL`,
  "CREATE INDEX page_pictures_picture ON page_pictures (picture_id) WHERE picture_id IS NOT NULL",
  `CREATE TRIGGER page_pictures_deleted AFTER DELETE ON page_pictures
  WHEN old.picture_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM page_pictures WHERE picture_id = old.picture_id) BEGIN
    DELETE FROM pictures WHERE id = old.picture_id;
  END`
]

/**
 * Pictures in the folder of `DATA_DIR` that no link shows any more; written with the deletion itself, so that a crash
 * after it leaves no file behind.
 */
const imageRemovals = [
  `CREATE TABLE image_removals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('image', 'favicon')),
    address TEXT NOT NULL
  )`,
  `CREATE TRIGGER image_removals_delete AFTER DELETE ON links
  WHEN old.image IS NOT NULL OR old.favicon IS NOT NULL BEGIN
    INSERT INTO image_removals (kind, address) SELECT 'image', old.image WHERE old.image IS NOT NULL;
    INSERT INTO image_removals (kind, address) SELECT 'favicon', old.favicon WHERE old.favicon IS NOT NULL;
  END`,
  `CREATE TRIGGER image_removals_update AFTER UPDATE OF image, favicon ON links
  WHEN (old.image IS NOT NULL AND old.image IS NOT new.image)
    OR (old.favicon IS NOT NULL AND old.favicon IS NOT new.favicon) BEGIN
    INSERT INTO image_removals (kind, address)
      SELECT 'image', old.image WHERE old.image IS NOT NULL AND old.image IS NOT new.image;
    INSERT INTO image_removals (kind, address)
      SELECT 'favicon', old.favicon WHERE old.favicon IS NOT NULL AND old.favicon IS NOT new.favicon;
  END`
]

/**
 * Passages that the owner has highlighted: quote, context and position in the text of the kept page. `start_at` and
 * `end_at` are NULL while the passage is not in the page: `lost` says that it was looked for. What a change needs to
 * undo an edit of a highlight goes with its link.
 */
const highlights = [
  `CREATE TABLE highlights (
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
  )`,
  "CREATE INDEX highlights_link ON highlights (link_id)",
  "CREATE INDEX highlights_created ON highlights (created_at, id)",
  ...deletedWithLink(
    "highlights",
    "DELETE FROM highlights WHERE link_id = old.id",
    "DELETE FROM change_rows WHERE kind = 'highlight' AND coalesce(before, after) ->> 'link_id' = old.id"
  )
]

/** How far the owner has read each kept article: a share of it, and a place in its text. */
const readingPositions = [
  `CREATE TABLE reading_positions (
    link_id INTEGER PRIMARY KEY,
    at REAL NOT NULL CHECK (at BETWEEN 0 AND 1),
    text_offset INTEGER NOT NULL CHECK (text_offset >= 0),
    updated_at TEXT NOT NULL
  )`,
  ...deletedWithLink("reading_positions", "DELETE FROM reading_positions WHERE link_id = old.id")
]

/**
 * The newest snapshot of each link's page, as the owner's browser made it, and earlier ones: HTML, compressed. `size` is
 * its size in bytes, so that a sum reads no snapshots. Snapshots stay while their link is in the trash.
 */
const snapshots = [
  `CREATE TABLE snapshots (
    link_id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    html BLOB NOT NULL
  )`,
  "CREATE INDEX snapshots_size ON snapshots (size)",
  ...deletedWithLink("snapshots", "DELETE FROM snapshots WHERE link_id = old.id"),
  `CREATE TABLE snapshot_versions (
    link_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    url TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    html BLOB NOT NULL,
    PRIMARY KEY (link_id, version)
  )`,
  "CREATE INDEX snapshot_versions_size ON snapshot_versions (size)",
  `CREATE TRIGGER snapshot_versions_deleted AFTER DELETE ON snapshots BEGIN
    DELETE FROM snapshot_versions WHERE link_id = old.link_id;
  END`
]

/**
 * What arrived and is still to be done. Every acknowledgement waits for a row of `inbox`: it has no index but those that
 * work on it. `subject` is what an arrival is about: of those about the same, one at a time is worked on. `digest` tells a
 * repeated capture from another one under the same key. `starts` counts the runs of the program that began the work;
 * `run` names the one that has it in hand.
 *
 * `inbox_links` has the links that an arrival in hand has saved. After a crash it is worked on again, and must not bring
 * back a link that was deleted meanwhile: a link that is gone leaves its row here until the arrival is done.
 * `returned_from` says where an arrival has brought a link back from.
 */
const inbox = [
  `CREATE TABLE inbox (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL CHECK (source IN ('chat', 'capture')),
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at TEXT NOT NULL,
    received_at TEXT NOT NULL,
    starts INTEGER NOT NULL DEFAULT 0,
    run INTEGER,
    subject TEXT,
    digest TEXT,
    UNIQUE (source, key)
  )`,
  "CREATE INDEX inbox_dead ON inbox (id) WHERE state = 'dead'",
  "CREATE INDEX inbox_waiting ON inbox (source, id) WHERE state = 'waiting'",
  "CREATE INDEX inbox_subject ON inbox (subject, id) WHERE state = 'waiting' AND subject IS NOT NULL",
  `CREATE TABLE inbox_links (
    inbox_id INTEGER NOT NULL REFERENCES inbox (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    link_id INTEGER NOT NULL,
    returned_from TEXT,
    PRIMARY KEY (inbox_id, place)
  ) WITHOUT ROWID`,
  "CREATE INDEX inbox_links_link ON inbox_links (link_id)",
  // A capture whose link lies in the trash when it is done keeps its payload, and is processed again when the link comes
  // back.
  `CREATE TRIGGER inbox_trash_deleted AFTER DELETE ON trash
    WHEN NOT EXISTS (SELECT 1 FROM links WHERE id = old.id) BEGIN
    UPDATE inbox SET payload = '' WHERE state = 'done' AND payload <> ''
      AND id IN (SELECT inbox_id FROM inbox_links WHERE link_id = old.id);
  END`,
  // `unshared`: whether the response to a capture told that the link is private now.
  `CREATE TABLE capture_answers (
    inbox_id INTEGER PRIMARY KEY REFERENCES inbox (id) ON DELETE CASCADE,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    unshared INTEGER NOT NULL DEFAULT 0
  )`,
  "CREATE INDEX capture_answers_link ON capture_answers (link_id)",
  // The pages that captures have brought from the owner's browser, compressed, for as long as the payloads stay.
  `CREATE TABLE captured_pages (
    inbox_id INTEGER PRIMARY KEY REFERENCES inbox (id) ON DELETE CASCADE,
    page BLOB NOT NULL
  )`,
  `CREATE TRIGGER captured_pages_done AFTER UPDATE OF payload ON inbox WHEN new.payload = '' BEGIN
    DELETE FROM captured_pages WHERE inbox_id = new.id;
  END`
]

/**
 * Library-wide work with its progress and result: `resume` is where a job that was interrupted goes on, and
 * `job_messages` are the messages of the chat that report it.
 */
const jobs = [
  `CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    action TEXT NOT NULL,
    subject INTEGER,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'interrupted')),
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    error TEXT,
    undo TEXT,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    resume TEXT
  )`,
  `CREATE TABLE job_messages (
    job_id INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    chat_id INTEGER NOT NULL,
    message_id INTEGER,
    told INTEGER NOT NULL DEFAULT 0
  )`
]

/**
 * Work to be done behind, at most one task a kind and subject: the number of a link or a chat, or 0. `due_at` is in
 * milliseconds since 1970, 0 for at once, and NULL while the task is held. `attempts` counts those that failed, `starts`
 * those that began and have not ended: what a crash leaves.
 */
const tasks = [
  `CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject INTEGER NOT NULL,
    due_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    starts INTEGER NOT NULL DEFAULT 0,
    UNIQUE (subject, kind)
  )`,
  "CREATE INDEX tasks_due ON tasks (kind, due_at)",
  "CREATE INDEX tasks_begun ON tasks (kind, due_at) WHERE starts > 0",
  // To submit a link to the web archive is still due if it returns from the trash.
  `CREATE TRIGGER tasks_links_delete AFTER DELETE ON links BEGIN
    DELETE FROM tasks WHERE subject = old.id AND kind IN ('read', 'suspect');
  END`
]

/** The links that wait for a source that is down. */
const waits = [
  `CREATE TABLE link_waits (
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    PRIMARY KEY (link_id, source)
  ) WITHOUT ROWID`,
  "CREATE INDEX link_waits_source ON link_waits (source)"
]

/**
 * `message_links` has the links that each message has saved, with the tags it gave them and the last change before it, so
 * that editing the message keeps them in step. `chat_lists` has what a list shows, because a button's data holds 64 bytes.
 * `chat_claims` has the chats that have written to a bot without an owner, and `chat_offsets` how far long polling has
 * read each bot's updates. `aside_at` is when a reply failed while others went through; later ones no longer wait for it.
 */
const chat = [
  `CREATE TABLE message_links (
    chat_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    note TEXT NOT NULL,
    created INTEGER NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    after_change INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (chat_id, message_id, link_id)
  ) WITHOUT ROWID`,
  "CREATE INDEX message_links_link ON message_links (link_id)",
  `CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message TEXT NOT NULL,
    link_ids TEXT NOT NULL DEFAULT '[]',
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    aside_at TEXT
  )`,
  `CREATE TABLE chat_prompts (
    chat_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    asks TEXT NOT NULL,
    PRIMARY KEY (chat_id, message_id)
  ) WITHOUT ROWID`,
  "CREATE INDEX chat_prompts_link ON chat_prompts (link_id)",
  `CREATE TABLE chat_lists (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    request TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`,
  "CREATE INDEX chat_lists_created ON chat_lists (created_at)",
  `CREATE TABLE chat_claims (
    chat_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    code TEXT NOT NULL,
    misses INTEGER NOT NULL DEFAULT 0,
    sent_at TEXT NOT NULL
  )`,
  `CREATE TABLE chat_offsets (
    bot_id INTEGER PRIMARY KEY,
    next_update INTEGER NOT NULL,
    stored_at TEXT NOT NULL
  )`,
  // One row at most: the outage that is going on, what it has cost, and whether the owner has been told.
  `CREATE TABLE outage (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    since TEXT NOT NULL,
    sources TEXT NOT NULL,
    links INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0,
    told_at TEXT
  )`
]

/**
 * How the owner signs in to the dashboard. No secret is stored as it is: sessions, known browsers and the one-time code
 * as SHA-256 of random bits, the password as argon2id, passkeys as public keys. The e-readers' secret alone is, because
 * their addresses are shown.
 */
const signIn = [
  // A session whose way is `code` can only set up a way to sign in.
  `CREATE TABLE signin_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    secret TEXT NOT NULL UNIQUE,
    way TEXT NOT NULL CHECK (way IN ('code', 'password', 'passkey', 'oidc', 'bot')),
    device TEXT NOT NULL,
    address TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  )`,
  // One row at most: the user handle of every passkey, and the password's hash, which is NULL until a password is set.
  `CREATE TABLE signin_owner (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    handle TEXT NOT NULL,
    password TEXT
  )`,
  `CREATE TABLE signin_passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    credential TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    host TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT
  )`,
  // One row at most: the valid one-time code. A try counts if it has the code's first group, which is stored as it is.
  `CREATE TABLE signin_code (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    first TEXT NOT NULL,
    secret TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('log', 'command')),
    tries INTEGER NOT NULL,
    expires_at TEXT NOT NULL
  )`,
  // The browsers in which the owner has signed in, by their cookies. Such a cookie opens nothing.
  `CREATE TABLE signin_browsers (
    secret TEXT PRIMARY KEY,
    used_at TEXT NOT NULL
  )`,
  `CREATE TABLE ereaders (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    token TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`,
  // Programs that have registered themselves (OAuth), with the addresses to which they take the browser back.
  `CREATE TABLE oauth_clients (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    redirects TEXT NOT NULL CHECK (json_valid(redirects)),
    created_at TEXT NOT NULL,
    allowed_at TEXT
  )`,
  // The programs' tokens. A revoked one stays for a while without its secret, so that its changes can be undone. One with
  // a client was allowed on the consent page: its secrets are replaced together, and it ends with the second.
  `CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    handle TEXT NOT NULL UNIQUE,
    secret TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_valid(scopes)),
    created_at TEXT NOT NULL,
    expires_at TEXT,
    used_at TEXT,
    revoked_at TEXT,
    client TEXT,
    returns_to TEXT,
    refresh TEXT,
    refresh_until TEXT
  )`,
  "CREATE UNIQUE INDEX tokens_client ON tokens (client) WHERE revoked_at IS NULL",
  "CREATE UNIQUE INDEX tokens_name ON tokens (name) WHERE revoked_at IS NULL"
]

/** What the service remembers of the machine's clock, in milliseconds; times are since 1970. */
const clock = [
  `CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seen INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    lag INTEGER NOT NULL,
    lag_until INTEGER NOT NULL
  )`
]

/**
 * One vector a link and embedder, in float16 and as codes of a byte. The revisions grow with every write, so that an index
 * in memory can ask for the rows that are new since it last looked.
 */
const vectors = [
  `CREATE TABLE embedders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    threshold REAL NOT NULL
  )`,
  `CREATE TABLE vectors (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    embedder_id INTEGER NOT NULL REFERENCES embedders (id) ON DELETE CASCADE,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    UNIQUE (link_id, embedder_id)
  )`,
  `CREATE TABLE vector_floats (
    id INTEGER PRIMARY KEY,
    link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
    embedder_id INTEGER NOT NULL REFERENCES embedders (id) ON DELETE CASCADE,
    floats BLOB NOT NULL,
    UNIQUE (link_id, embedder_id)
  )`,
  `CREATE TABLE vector_removals (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL,
    embedder_id INTEGER NOT NULL
  )`,
  `CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
    INSERT INTO vector_removals (link_id, embedder_id) VALUES (old.link_id, old.embedder_id);
  END`,
  `CREATE TABLE embedding_queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL UNIQUE REFERENCES links (id) ON DELETE CASCADE
  )`,
  `CREATE TRIGGER embedding_queue_update
  AFTER UPDATE OF title, description, summary, tags, enrichment ON links
  WHEN new.enrichment <> 'pending' AND (old.enrichment = 'pending' OR old.title <> new.title
    OR old.description <> new.description OR old.summary <> new.summary OR old.tags <> new.tags) BEGIN
    INSERT OR REPLACE INTO embedding_queue (link_id) VALUES (new.id);
  END`,
  // The built-in embedder's vectors also represent notes and highlights; an endpoint never receives them.
  `CREATE TRIGGER embedding_queue_note AFTER UPDATE OF note, highlighted ON links
    WHEN new.enrichment <> 'pending' AND (old.note <> new.note OR old.highlighted <> new.highlighted)
      AND EXISTS (SELECT 1 FROM vectors v JOIN embedders e ON e.id = v.embedder_id
      WHERE v.link_id = new.id AND e.name GLOB 'linkbower-*') BEGIN
    INSERT OR REPLACE INTO embedding_queue (link_id) VALUES (new.id);
  END`
]

/** A combining mark that the indexes ignore within a word. */
const IGNORED = "\u0301"
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at))
/** Vowel points of Arabic and Hebrew, the tatweel, and dots of Indic letters. */
const marks = [
  ...["\u0640", "\u0670", "\u05bf", "\u05c1", "\u05c2", "\u05c7"],
  ...[...range(0x64b, 0x655), ...range(0x5b0, 0x5bd)],
  ...["\u093c", "\u09bc", "\u0a3c", "\u0abc", "\u0b3c", "\u0cbc"]
]
/** Letters that contain such a mark. */
const marked = [
  ...range(0x622, 0x626),
  ...[...range(0x958, 0x95f), "\u0929", "\u0931", "\u0934"],
  ...["\u09dc", "\u09dd", "\u09df", "\u0a33", "\u0a36", ...range(0xa59, 0xa5b), "\u0a5e", "\u0b5c", "\u0b5d"]
]
/** Nasals of Devanagari that are also written as a dot. */
const nasals = ["\u0919", "\u091e", "\u0923", "\u0928", "\u092e"].map((letter) => `${letter}\u094d`)
const spelledAlike: ReadonlyArray<readonly [written: string, folded: string]> = [
  ...marked.map((letter) => [letter, letter.normalize("NFD").charAt(0)] as const),
  ["\u0671", "\u0627"],
  ["\u0901", "\u0902"],
  ...nasals.map((nasal) => [nasal, `\u0902${IGNORED}`] as const),
  ...marks.map((mark) => [mark, IGNORED] as const)
]

/** A text with the spellings that occur in it replaced, one after another. */
const folded = (text: string) => `iif(${text} GLOB '*[\u05b0-\u0cbc]*', (
  WITH RECURSIVE steps (place, text) AS (SELECT -1, ${text}
    UNION ALL SELECT s.place, replace(text, s.written, s.folded) FROM steps JOIN spellings s ON s.place = (
      SELECT min(n.place) FROM spellings n WHERE n.place > steps.place AND instr(text, n.written) > 0))
  SELECT text FROM steps ORDER BY place DESC LIMIT 1), ${text})`

/** Scripts written without spaces, as a GLOB: Thai to Myanmar, Khmer, kana, Han. */
const UNSPACED = "*[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]*"
/** How much of a page in such a script can be found by any part of it, in characters. */
const TEXT = 8_000

/** The searched fields of a link, of a shared link and of a highlight. */
const FIELDS = "title, tags, note, summary, description, url, text"
const PUBLIC_TEXTS = "title, tags, summary, description, url"
const PASSAGE = "quote, note"

/** The fields of a link as the indexes hold them; the note has the words of the highlights too. */
const words = namesIn(FIELDS).map((field) =>
  folded(
    field === "note"
      ? "(links.note || iif(links.highlighted = '', '', char(10) || links.highlighted))"
      : `links.${field}`
  )
)
/** What the trigram index holds; the blanks at the end let a text of less than three characters be found. */
const substrings = words.map((field, at) =>
  at === words.length - 1
    ? `iif(links.text GLOB '${UNSPACED}', ${folded(`substr(links.text, 1, ${TEXT})`)} || '  ', '')`
    : `${field} || '  '`
)
const publicWords = namesIn(PUBLIC_TEXTS).map((field) => folded(`public_links.${field}`))

const indexView = (name: string, columns: string, shown: ReadonlyArray<string>, from: string) =>
  `CREATE VIEW ${name} (id, ${columns}) AS SELECT id, ${shown.join(", ")} FROM ${from}`
const wordIndex = (name: string, columns: string, view: string) => `CREATE VIRTUAL TABLE ${name} USING fts5 (
    ${columns}, content = '${view}', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
  )`
const trigramIndex = (
  name: string,
  columns: string,
  view: string
) => `CREATE VIRTUAL TABLE ${name} USING fts5 (
    ${columns}, content = '${view}', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
  )`
/** A table that lists the words in an index (https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module). */
const vocabulary = (name: string, index: string) =>
  `CREATE VIRTUAL TABLE ${name} USING fts5vocab (${index}, row)`

/** Adds a row to a full-text index as its view shows it, or takes it out. */
const addTo = (index: string, view: string, columns: string) =>
  `INSERT INTO ${index} (rowid, ${columns}) SELECT id, ${columns} FROM ${view} WHERE id = new.id;`
const removeFrom = (index: string, view: string, columns: string) =>
  `INSERT INTO ${index} (${index}, rowid, ${columns}) SELECT 'delete', id, ${columns} FROM ${view} WHERE id = old.id;`

const LINK_WORDS = ["links_fts", "links_indexed", FIELDS] as const
const LINK_PARTS = ["links_trigram", "links_substrings", FIELDS] as const
const PASSAGES = ["highlights_fts", "highlights_indexed", PASSAGE] as const
const WATCHED = `${FIELDS}, highlighted`
const PART_CHANGES = `UPDATE OF ${WATCHED}, enrichment ON links WHEN new.enrichment <> 'pending'`

/**
 * The full-text indexes over links and highlights. Words in Arabic, Hebrew and Indic scripts are found in every spelling:
 * the indexes hold texts as views show them, with the `spellings` replaced (`src/shared/ScriptFolding.ts` does the same to
 * searches). `spellings` is a table, because a view of its rows would be compiled again with each of its uses in each
 * trigger. A row is taken out of an index before it changes, while its view still shows what the index holds.
 *
 * A link enters the trigram index once something has been found out about it, so that saving it costs little.
 */
const search = [
  "CREATE TABLE spellings (place INTEGER PRIMARY KEY, written TEXT NOT NULL, folded TEXT NOT NULL) STRICT",
  `INSERT INTO spellings VALUES ${spelledAlike.map(([written, one], place) => `(${place}, '${written}', '${one}')`).join(", ")}`,
  indexView("links_indexed", FIELDS, words, "links"),
  indexView("links_substrings", FIELDS, substrings, "links WHERE enrichment <> 'pending'"),
  indexView(
    "highlights_indexed",
    PASSAGE,
    [folded("highlights.quote"), folded("highlights.note")],
    "highlights"
  ),
  wordIndex("links_fts", FIELDS, "links_indexed"),
  trigramIndex("links_trigram", FIELDS, "links_substrings"),
  wordIndex("highlights_fts", PASSAGE, "highlights_indexed"),
  vocabulary("links_words", "links_fts"),
  vocabulary("links_trigrams", "links_trigram"),
  `CREATE TRIGGER links_fts_insert AFTER INSERT ON links BEGIN ${addTo(...LINK_WORDS)} END`,
  `CREATE TRIGGER links_fts_delete BEFORE DELETE ON links BEGIN ${removeFrom(...LINK_WORDS)} END`,
  `CREATE TRIGGER links_fts_remove BEFORE UPDATE OF ${WATCHED} ON links BEGIN ${removeFrom(...LINK_WORDS)} END`,
  `CREATE TRIGGER links_fts_update AFTER UPDATE OF ${WATCHED} ON links BEGIN ${addTo(...LINK_WORDS)} END`,
  `CREATE TRIGGER links_trigram_insert AFTER INSERT ON links WHEN new.enrichment <> 'pending'
    BEGIN ${addTo(...LINK_PARTS)} END`,
  `CREATE TRIGGER links_trigram_delete BEFORE DELETE ON links WHEN old.enrichment <> 'pending'
    BEGIN ${removeFrom(...LINK_PARTS)} END`,
  `CREATE TRIGGER links_trigram_remove BEFORE ${PART_CHANGES} BEGIN ${removeFrom(...LINK_PARTS)} END`,
  `CREATE TRIGGER links_trigram_update AFTER ${PART_CHANGES} BEGIN ${addTo(...LINK_PARTS)} END`,
  `CREATE TRIGGER highlights_fts_insert AFTER INSERT ON highlights BEGIN ${addTo(...PASSAGES)} END`,
  `CREATE TRIGGER highlights_fts_delete BEFORE DELETE ON highlights BEGIN ${removeFrom(...PASSAGES)} END`,
  `CREATE TRIGGER highlights_fts_remove BEFORE UPDATE OF ${PASSAGE} ON highlights
    BEGIN ${removeFrom(...PASSAGES)} END`,
  `CREATE TRIGGER highlights_fts_update AFTER UPDATE OF ${PASSAGE} ON highlights BEGIN ${addTo(...PASSAGES)} END`
]

/** The public fields of a shared link; its normal form is looked up, never shown. */
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

/** A link is shown while its collection is shared: a link that is filed there is seen, and one that leaves is not. */
const IN_SHARED = "coalesce((SELECT shared FROM collections WHERE id = new.collection_id), 0)"
const SHOWN_LINK = `SELECT ${PUBLIC} FROM shared_links WHERE id = new.id`
const FOLLOW_COLLECTIONS = `DELETE FROM public_collections WHERE id NOT IN (SELECT id FROM shared_collections);
    UPDATE public_collections SET name = s.name, description = s.description FROM shared_collections s
      WHERE s.id = public_collections.id
      AND (s.name IS NOT public_collections.name COLLATE BINARY OR s.description IS NOT public_collections.description);
    INSERT INTO public_collections (id, name, description) SELECT id, name, description FROM shared_collections
      WHERE id NOT IN (SELECT id FROM public_collections);`
const RENAME_IN_LINKS = `UPDATE public_links SET collection = new.name WHERE collection IS NOT new.name COLLATE BINARY
      AND id IN (SELECT id FROM links WHERE collection_id = new.id);`
const TOUCH_PUBLIC =
  "UPDATE public_state SET changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = 1;"
const INDEX_PUBLIC = `${addTo("public_fts", "public_indexed", PUBLIC_TEXTS)}
    ${addTo("public_trigram", "public_substrings", PUBLIC_TEXTS)}
    INSERT INTO public_tags (tag, link_id) SELECT DISTINCT value, new.id FROM json_each(new.tags);
    DELETE FROM public_embedding_queue WHERE link_id = new.id;
    INSERT INTO public_embedding_queue (link_id) VALUES (new.id);`
const UNINDEX_PUBLIC = `${removeFrom("public_fts", "public_indexed", PUBLIC_TEXTS)}
    ${removeFrom("public_trigram", "public_substrings", PUBLIC_TEXTS)}
    DELETE FROM public_tags WHERE link_id = old.id;`
const textsOf = (row: string) => namesIn(PUBLIC_TEXTS).map((field) => `${row}.${field}`)
const PUBLIC_TEXT_CHANGES = `UPDATE OF ${PUBLIC_TEXTS} ON public_links
    WHEN (${textsOf("old")}) IS NOT (${textsOf("new")})`

/**
 * The projection that the public list reads: copies of the shared links' public fields, with words, trigrams, tags and
 * vectors of their own. Triggers keep it in step within the transaction of every change. A private change touches nothing
 * here, not even the time of the last change in `public_state`, which is for Last-Modified.
 *
 * A user and password in an address are left out: the normal form, the identity of a link, has neither. Tags that begin
 * with a dot are private. A shared collection is shown under its path from the outermost shared one: what lies around that
 * stays private. No statement names a conflict policy: that of the statement which fires the trigger, a foreign key's
 * action included, would replace it.
 */
const projection = [
  `CREATE TRIGGER links_in_shared_insert AFTER INSERT ON links WHEN new.in_shared <> ${IN_SHARED} BEGIN
    UPDATE links SET in_shared = ${IN_SHARED} WHERE id = new.id;
  END`,
  `CREATE TRIGGER links_in_shared_update AFTER UPDATE OF collection_id ON links
    WHEN new.in_shared <> ${IN_SHARED} BEGIN
    UPDATE links SET in_shared = ${IN_SHARED} WHERE id = new.id;
  END`,
  `CREATE VIEW shared_collections (id, name, description) AS
    WITH RECURSIVE tree (id, name, description) AS (
      SELECT c.id, ${ownName("c.name")}, c.description FROM collections c
        LEFT JOIN collections up ON up.id = c.parent_id WHERE c.shared = 1 AND coalesce(up.shared, 0) = 0
      UNION ALL SELECT c.id, tree.name || ' / ' || ${ownName("c.name")}, c.description
        FROM tree JOIN collections c ON c.parent_id = tree.id WHERE c.shared = 1
    ) SELECT id, name, description FROM tree`,
  `CREATE TABLE public_collections (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL
  )`,
  "CREATE INDEX public_collections_name ON public_collections (name, id)",
  `CREATE VIEW shared_links (id, ${PUBLIC}) AS SELECT l.id,
    iif(${hasUser("l.url")}, l.normalized_url, l.url), l.normalized_url, l.host, l.title, l.summary, l.description,
    iif(instr(l.tags, '".') = 0, l.tags,
      (SELECT json_group_array(value) FROM json_each(l.tags) WHERE substr(value, 1, 1) <> '.')),
    l.category, coalesce(s.name, c.name), iif(${hasUser("l.image")}, NULL, l.image),
    iif(${hasUser("l.favicon")}, NULL, l.favicon), l.published_at, l.created_at
    FROM links l LEFT JOIN collections c ON c.id = l.collection_id
    LEFT JOIN public_collections s ON s.id = l.collection_id
    WHERE l.shareable = 1 OR (l.in_shared = 1 AND s.id IS NOT NULL)`,
  `CREATE TABLE public_links (
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
  )`,
  "CREATE INDEX public_links_created ON public_links (created_at, id)",
  "CREATE INDEX public_links_title ON public_links (title COLLATE NOCASE, id)",
  "CREATE INDEX public_links_category ON public_links (category, created_at, id)",
  `CREATE INDEX public_links_collection
    ON public_links (collection IS NULL, collection, created_at DESC, id DESC)`,
  "CREATE INDEX public_links_address ON public_links (normalized_url)",
  "CREATE INDEX public_links_image ON public_links (image) WHERE image IS NOT NULL",
  "CREATE INDEX public_links_favicon ON public_links (favicon) WHERE favicon IS NOT NULL",
  `CREATE TABLE public_tags (
    tag TEXT NOT NULL,
    link_id INTEGER NOT NULL,
    PRIMARY KEY (tag, link_id)
  ) WITHOUT ROWID`,
  "CREATE INDEX public_tags_link ON public_tags (link_id)",
  // Kept pages under secret addresses, as they were when they were shared: `secret` is the SHA-256 of what is secret.
  `CREATE TABLE public_pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL,
    secret TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    author TEXT,
    site_name TEXT,
    published_at TEXT,
    language TEXT,
    source TEXT NOT NULL,
    url TEXT NOT NULL,
    reading_time INTEGER NOT NULL,
    saved_at TEXT NOT NULL,
    html BLOB NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT
  )`,
  "CREATE INDEX public_pages_link ON public_pages (link_id)",
  `CREATE TABLE public_page_pictures (
    page_id INTEGER NOT NULL REFERENCES public_pages (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (page_id, number)
  )`,
  // Also when the link moves to the trash, from which it comes back private.
  `CREATE TRIGGER public_pages_link_delete AFTER DELETE ON links BEGIN
    DELETE FROM public_pages WHERE link_id = old.id;
  END`,
  "CREATE TABLE public_state (id INTEGER PRIMARY KEY CHECK (id = 1), changed_at TEXT NOT NULL)",
  "INSERT INTO public_state VALUES (1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",

  `CREATE TABLE public_vectors (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL UNIQUE,
    embedder TEXT NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    floats BLOB NOT NULL
  )`,
  `CREATE TABLE public_vector_removals (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL
  )`,
  `CREATE TABLE public_embedding_queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    link_id INTEGER NOT NULL UNIQUE
  )`,
  `CREATE TRIGGER public_vectors_removed AFTER DELETE ON public_vectors BEGIN
    INSERT INTO public_vector_removals (link_id) VALUES (old.link_id);
  END`,

  indexView("public_indexed", PUBLIC_TEXTS, publicWords, "public_links"),
  indexView(
    "public_substrings",
    PUBLIC_TEXTS,
    publicWords.map((field) => `${field} || '  '`),
    "public_links"
  ),
  wordIndex("public_fts", PUBLIC_TEXTS, "public_indexed"),
  trigramIndex("public_trigram", PUBLIC_TEXTS, "public_substrings"),
  vocabulary("public_words", "public_fts"),
  vocabulary("public_trigrams", "public_trigram"),

  `CREATE TRIGGER shared_links_insert AFTER INSERT ON links WHEN new.shareable = 1 OR new.in_shared = 1 BEGIN
    INSERT INTO public_links (id, ${PUBLIC}) SELECT id, ${PUBLIC} FROM shared_links WHERE id = new.id
      AND NOT EXISTS (SELECT 1 FROM public_links WHERE id = new.id);
  END`,
  `CREATE TRIGGER shared_links_delete AFTER DELETE ON links WHEN old.shareable = 1 OR old.in_shared = 1 BEGIN
    DELETE FROM public_links WHERE id = old.id;
  END`,
  `CREATE TRIGGER shared_links_update AFTER UPDATE OF url, normalized_url, host, title, summary,
    description, tags, category, collection_id, image, favicon, published_at, created_at, shareable, in_shared ON links
    WHEN old.shareable = 1 OR new.shareable = 1 OR old.in_shared = 1 OR new.in_shared = 1 BEGIN
    DELETE FROM public_links WHERE id = old.id AND NOT EXISTS (SELECT 1 FROM shared_links WHERE id = new.id);
    UPDATE public_links SET (${PUBLIC}) = (${SHOWN_LINK})
      WHERE id = new.id AND (${PUBLIC}) IS NOT (${SHOWN_LINK});
    INSERT INTO public_links (id, ${PUBLIC}) SELECT id, ${PUBLIC} FROM shared_links
      WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM public_links WHERE id = new.id);
  END`,
  `CREATE TRIGGER shared_links_renamed AFTER UPDATE OF name ON collections BEGIN
    UPDATE public_links SET collection = new.name WHERE collection IS NOT new.name COLLATE BINARY
      AND id IN (SELECT id FROM links WHERE collection_id = new.id AND shareable = 1)
      AND NOT EXISTS (SELECT 1 FROM public_collections WHERE id = new.id);
  END`,
  // A change to a collection around a shared one is a private change, and one within it changes the paths below.
  `CREATE TRIGGER shared_collections_insert AFTER INSERT ON collections WHEN new.shared = 1
    BEGIN ${FOLLOW_COLLECTIONS} END`,
  `CREATE TRIGGER shared_collections_delete AFTER DELETE ON collections WHEN old.shared = 1
    BEGIN ${FOLLOW_COLLECTIONS} END`,
  `CREATE TRIGGER shared_collections_update AFTER UPDATE OF name, parent_id, description, shared ON collections
    WHEN old.shared = 1 OR new.shared = 1 BEGIN ${FOLLOW_COLLECTIONS} END`,
  `CREATE TRIGGER shared_collections_shown AFTER INSERT ON public_collections BEGIN ${RENAME_IN_LINKS} ${TOUCH_PUBLIC}
    INSERT INTO public_links (id, ${PUBLIC}) SELECT id, ${PUBLIC} FROM shared_links
      WHERE id IN (SELECT id FROM links WHERE collection_id = new.id AND in_shared = 1)
      AND id NOT IN (SELECT id FROM public_links);
  END`,
  `CREATE TRIGGER shared_collections_renamed AFTER UPDATE ON public_collections
    BEGIN ${RENAME_IN_LINKS} ${TOUCH_PUBLIC} END`,
  // A collection that is no longer shared takes its links along piece by piece; links that are shared themselves stay.
  `CREATE TRIGGER shared_collections_hidden AFTER DELETE ON public_collections BEGIN
    UPDATE public_links SET collection = (SELECT name FROM collections WHERE id = old.id)
      WHERE id IN (SELECT id FROM links WHERE collection_id = old.id AND shareable = 1);
    ${TOUCH_PUBLIC}
  END`,
  `CREATE TRIGGER public_links_update AFTER UPDATE ON public_links BEGIN ${TOUCH_PUBLIC} END`,
  `CREATE TRIGGER public_links_insert AFTER INSERT ON public_links BEGIN ${INDEX_PUBLIC} ${TOUCH_PUBLIC} END`,
  `CREATE TRIGGER public_links_delete BEFORE DELETE ON public_links BEGIN ${UNINDEX_PUBLIC}
    DELETE FROM public_vectors WHERE link_id = old.id;
    DELETE FROM public_embedding_queue WHERE link_id = old.id; ${TOUCH_PUBLIC} END`,
  `CREATE TRIGGER public_links_unindex BEFORE ${PUBLIC_TEXT_CHANGES} BEGIN ${UNINDEX_PUBLIC} END`,
  `CREATE TRIGGER public_links_text AFTER ${PUBLIC_TEXT_CHANGES} BEGIN ${INDEX_PUBLIC} END`
]

/** The whole schema. Triggers of one table fire in the reverse of their order here. */
const statements = [
  `PRAGMA application_id = ${APPLICATION_ID}`,
  ...[
    collections,
    links,
    tagsAndCategories,
    trash,
    aliases,
    searches,
    vectors,
    imageRemovals,
    projection
  ].flat(),
  ...[changes, pageKeys, linkChecks, pages, pictures, highlights, readingPositions, snapshots].flat(),
  ...[inbox, jobs, tasks, waits, chat, signIn, clock, search].flat()
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
