import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

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
const spellings: ReadonlyArray<readonly [written: string, folded: string]> = [
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

const fields = "title, tags, note, summary, description, url, text"
const texts = "title, tags, summary, description, url"
const namesIn = (list: string) => list.split(", ")

/** The fields of a link as the indexes hold them; the note has the words of the highlights too. */
const words = namesIn(fields).map((field) =>
  folded(
    field === "note"
      ? "(links.note || iif(links.highlighted = '', '', char(10) || links.highlighted))"
      : `links.${field}`
  )
)
/** What the trigram index holds; the blanks at the end let a short text be looked up. */
const substrings = words.map((field, at) =>
  at === words.length - 1
    ? `iif(links.text GLOB '${UNSPACED}', ${folded(`substr(links.text, 1, ${TEXT})`)} || '  ', '')`
    : `${field} || '  '`
)
const publicWords = namesIn(texts).map((field) => folded(`public_links.${field}`))

/** Adds a row to a full-text index as its view shows it, or takes it out. */
const add = (index: string, view: string, columns: string) =>
  `INSERT INTO ${index} (rowid, ${columns}) SELECT id, ${columns} FROM ${view} WHERE id = new.id;`
const remove = (index: string, view: string, columns: string) =>
  `INSERT INTO ${index} (${index}, rowid, ${columns}) SELECT 'delete', id, ${columns} FROM ${view} WHERE id = old.id;`

/**
 * Lets words in Arabic, Hebrew and Indic scripts be found in every spelling: the full-text indexes hold texts whose vowel
 * points, tatweels and the like are replaced (`src/shared/ScriptFolding.ts` does the same to searches). Views show the
 * texts as the indexes hold them. A row is taken out of an index before it changes, while its view still shows what the
 * index holds.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement)

  for (const name of ["links_fts", "links_trigram", "highlights_fts"])
    for (const when of ["insert", "delete", "update"]) yield* run(`DROP TRIGGER ${name}_${when}`)
  for (const when of ["insert", "delete", "text"]) yield* run(`DROP TRIGGER public_links_${when}`)
  for (const name of ["links_indexed", "links_substrings", "public_substrings"])
    yield* run(`DROP VIEW ${name}`)
  for (const name of ["links_words", "public_words", "links_fts", "public_fts", "highlights_fts"])
    yield* run(`DROP TABLE ${name}`)

  // A table: a view of these rows would be compiled again with each of its uses in each trigger.
  yield* run(
    "CREATE TABLE spellings (place INTEGER PRIMARY KEY, written TEXT NOT NULL, folded TEXT NOT NULL) STRICT"
  )
  const values = spellings.map(([written, one], place) => `(${place}, '${written}', '${one}')`)
  yield* run(`INSERT INTO spellings VALUES ${values.join(", ")}`)
  const viewOf = (name: string, columns: string, shown: ReadonlyArray<string>, from: string) =>
    run(`CREATE VIEW ${name} (id, ${columns}) AS SELECT id, ${shown.join(", ")} FROM ${from}`)
  yield* viewOf("links_indexed", fields, words, "links")
  yield* viewOf("links_substrings", fields, substrings, "links WHERE enrichment <> 'pending'")
  yield* viewOf("public_indexed", texts, publicWords, "public_links")
  yield* viewOf(
    "public_substrings",
    texts,
    publicWords.map((field) => `${field} || '  '`),
    "public_links"
  )
  yield* viewOf(
    "highlights_indexed",
    "quote, note",
    [folded("highlights.quote"), folded("highlights.note")],
    "highlights"
  )

  for (const [index, columns, view] of [
    ["links_fts", fields, "links_indexed"],
    ["public_fts", texts, "public_indexed"],
    ["highlights_fts", "quote, note", "highlights_indexed"]
  ] as const)
    yield* run(`CREATE VIRTUAL TABLE ${index} USING fts5 (
      ${columns}, content = '${view}', content_rowid = 'id',
      tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
    )`)
  yield* run("CREATE VIRTUAL TABLE links_words USING fts5vocab (links_fts, row)")
  yield* run("CREATE VIRTUAL TABLE public_words USING fts5vocab (public_fts, row)")
  for (const index of ["links_fts", "links_trigram", "public_fts", "public_trigram", "highlights_fts"])
    yield* run(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`)

  const trigger = (name: string, event: string, statements: string) =>
    run(`CREATE TRIGGER ${name} ${event} BEGIN ${statements} END`)
  const watched = `${fields}, highlighted`
  const word = ["links_fts", "links_indexed", fields] as const
  yield* trigger("links_fts_insert", "AFTER INSERT ON links", add(...word))
  yield* trigger("links_fts_delete", "BEFORE DELETE ON links", remove(...word))
  yield* trigger("links_fts_remove", `BEFORE UPDATE OF ${watched} ON links`, remove(...word))
  yield* trigger("links_fts_update", `AFTER UPDATE OF ${watched} ON links`, add(...word))

  const part = ["links_trigram", "links_substrings", fields] as const
  const isRead = (row: string) => `WHEN ${row}.enrichment <> 'pending'`
  yield* trigger("links_trigram_insert", `AFTER INSERT ON links ${isRead("new")}`, add(...part))
  yield* trigger("links_trigram_delete", `BEFORE DELETE ON links ${isRead("old")}`, remove(...part))
  const changed = `UPDATE OF ${watched}, enrichment ON links ${isRead("new")}`
  yield* trigger("links_trigram_remove", `BEFORE ${changed}`, remove(...part))
  yield* trigger("links_trigram_update", `AFTER ${changed}`, add(...part))

  const passage = ["highlights_fts", "highlights_indexed", "quote, note"] as const
  yield* trigger("highlights_fts_insert", "AFTER INSERT ON highlights", add(...passage))
  yield* trigger("highlights_fts_delete", "BEFORE DELETE ON highlights", remove(...passage))
  yield* trigger("highlights_fts_remove", "BEFORE UPDATE OF quote, note ON highlights", remove(...passage))
  yield* trigger("highlights_fts_update", "AFTER UPDATE OF quote, note ON highlights", add(...passage))

  const touch = "UPDATE public_state SET changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = 1;"
  const index = `${add("public_fts", "public_indexed", texts)} ${add("public_trigram", "public_substrings", texts)}
    INSERT INTO public_tags (tag, link_id) SELECT DISTINCT value, new.id FROM json_each(new.tags);
    DELETE FROM public_embedding_queue WHERE link_id = new.id;
    INSERT INTO public_embedding_queue (link_id) VALUES (new.id);`
  const unindex = `${remove("public_fts", "public_indexed", texts)}
    ${remove("public_trigram", "public_substrings", texts)}
    DELETE FROM public_tags WHERE link_id = old.id;`
  const of = (row: string) => namesIn(texts).map((field) => `${row}.${field}`)
  const textChange = `UPDATE OF ${texts} ON public_links WHEN (${of("old")}) IS NOT (${of("new")})`
  yield* trigger("public_links_insert", "AFTER INSERT ON public_links", `${index} ${touch}`)
  yield* trigger(
    "public_links_delete",
    "BEFORE DELETE ON public_links",
    `${unindex} DELETE FROM public_vectors WHERE link_id = old.id;
    DELETE FROM public_embedding_queue WHERE link_id = old.id; ${touch}`
  )
  yield* trigger("public_links_unindex", `BEFORE ${textChange}`, unindex)
  yield* trigger("public_links_text", `AFTER ${textChange}`, index)
})
