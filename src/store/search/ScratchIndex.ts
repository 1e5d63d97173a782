import { Database } from "bun:sqlite"
import { Effect } from "effect"
import { MARK_END, MARK_START } from "../../domain/LinkQuery.ts"

/** A link's texts as the word index stores them. */
export interface IndexedRow {
  readonly id: number
  readonly title: string
  readonly tags: string
  readonly note: string
  readonly summary: string
  readonly description: string
  readonly url: string
  readonly text: string
}

/** The maximum length of an excerpt, in words. */
const EXCERPT_WORDS = 24

const marked = (column: number) => `highlight(links_fts, ${column}, '${MARK_START}', '${MARK_END}')`

/**
 * Makes an in-memory word index, like the library's, that holds a few rows during one query.
 *
 * It is a separate database, used directly: an Effect client would join an open transaction of the library. Nothing in
 * it is ever committed.
 */
export const makeScratchIndex = Effect.gen(function* () {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new Database(":memory:")),
    (open) => Effect.sync(() => open.close())
  )
  database.run(`CREATE VIRTUAL TABLE links_fts USING fts5 (title, tags, note, summary, description, url, text,
    tokenize = 'porter unicode61 remove_diacritics 2')`)
  const insert =
    database.query(`INSERT INTO links_fts (rowid, title, tags, note, summary, description, url, text)
    SELECT value ->> 'id', value ->> 'title', value ->> 'tags', value ->> 'note', value ->> 'summary',
      value ->> 'description', value ->> 'url', value ->> 'text' FROM json_each(?)`)
  const highlights = database.query<Record<string, unknown>, [string]>(
    `SELECT rowid, ${[0, 1, 2, 3, 4, 5].map(marked).join(", ")} FROM links_fts WHERE links_fts MATCH ?`
  )
  const snippets = database.query<Record<string, unknown>, [string]>(
    `SELECT rowid, snippet(links_fts, 6, '${MARK_START}', '${MARK_END}', '…', ${EXCERPT_WORDS})
      FROM links_fts WHERE links_fts MATCH ?`
  )

  const queryOver =
    (statement: typeof highlights) => (rows: ReadonlyArray<IndexedRow>, expression: string) => {
      database.run("BEGIN")
      try {
        insert.run(JSON.stringify(rows))
        return statement
          .values(expression)
          .map(([id, ...columns]) => [Number(id), columns.map(String)] as const)
      } finally {
        database.run("ROLLBACK")
      }
    }
  return {
    /** Returns the fields of the rows that match the FTS5 expression, with marks around the matches, by row id. */
    highlights: queryOver(highlights),
    /** Returns an excerpt of the text around the matches, with marks, by row id. */
    snippets: queryOver(snippets)
  }
})
