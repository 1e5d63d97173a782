import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What a library holds, apart from when a link was last written, and from queues of work and their numbers. */
const TABLES: Readonly<Record<string, string>> = {
  links: "SELECT * FROM links ORDER BY id",
  link_tags: "SELECT * FROM link_tags ORDER BY tag, link_id",
  tags_in_use: "SELECT * FROM tags_in_use ORDER BY tag",
  categories_in_use: "SELECT * FROM categories_in_use ORDER BY category",
  collections: "SELECT * FROM collections ORDER BY id",
  aliases: "SELECT * FROM aliases ORDER BY kind, name",
  searches: "SELECT * FROM searches ORDER BY id",
  trash: "SELECT * FROM trash ORDER BY id",
  messages: "SELECT * FROM message_links ORDER BY link_id, message_id",
  page_keys: "SELECT link_id FROM page_keys ORDER BY link_id",
  vectors: "SELECT link_id, embedder_id, hex(codes) AS codes FROM vectors ORDER BY link_id",
  pages: "SELECT * FROM pages JOIN page_contents USING (link_id) ORDER BY link_id",
  reading: "SELECT subject, due_at FROM tasks WHERE kind = 'read' ORDER BY subject",
  public: "SELECT * FROM public_links ORDER BY id",
  public_collections: "SELECT * FROM public_collections ORDER BY id",
  public_tags: "SELECT * FROM public_tags ORDER BY tag, link_id",
  words: "SELECT term, doc, cnt FROM links_words ORDER BY term",
  substrings: "SELECT term, doc, cnt FROM links_trigrams ORDER BY term",
  public_words: "SELECT term, doc, cnt FROM public_words ORDER BY term"
}

/** Everything in the library, by table: equal for libraries that hold the same. */
export const contents = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const all: Record<string, ReadonlyArray<unknown>> = {}
  for (const [name, select] of Object.entries(TABLES)) {
    const rows = yield* sql.unsafe<Record<string, unknown>>(select)
    all[name] = rows.map(({ updated_at: _, ...row }) => row)
  }
  return all
})

/** Whether the full-text indexes agree with the tables that they index. */
export const checkIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const index of ["links_fts", "links_trigram", "public_fts", "public_trigram"])
    yield* sql.unsafe(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)
})
