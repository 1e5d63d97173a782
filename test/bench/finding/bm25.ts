import { Database } from "bun:sqlite"
import type { GivenLink } from "./engine.ts"

const COUNTED = 10

/**
 * The words that a person wants, as a search without operators would be given them: without excluded words, quotes and
 * the names of operators.
 */
const wanted = (query: string): ReadonlyArray<string> =>
  query
    .split(/\s+/)
    .filter((word) => !word.startsWith("-"))
    .flatMap((word) => word.replace(/^(?:site|tag):/, "").match(/[\p{L}\p{N}]+/gu) ?? [])

/**
 * The search that ours is compared with: FTS5 with the program's tokenizer and its weights of these columns; any of the
 * words. Returns the addresses of the best links, best first.
 */
export const bm25 = (links: ReadonlyArray<GivenLink>) => {
  const database = new Database(":memory:")
  database.run(`CREATE VIRTUAL TABLE links USING fts5 (title, tags, description, url, text,
    tokenize = 'porter unicode61 remove_diacritics 2')`)
  const insert = database.query("INSERT INTO links VALUES (?, ?, ?, ?, ?)")
  database.transaction(() => {
    for (const { description, tags, text, title, url } of links)
      insert.run(title, tags.join(" "), description, url, text)
  })()
  const search = database.query<{ url: string }, [string]>(
    `SELECT url FROM links WHERE links MATCH ? ORDER BY bm25(links, 10.0, 6.0, 3.0, 2.0, 1.0) LIMIT ${COUNTED}`
  )
  return (query: string): ReadonlyArray<string> => {
    const match = wanted(query).map((word) => `"${word}"`)
    return match.length === 0 ? [] : search.all(match.join(" OR ")).map(({ url }) => url)
  }
}
