import { Database } from "bun:sqlite"
import MiniSearch from "minisearch"
import type { GivenLink } from "./engine.ts"

/** Returns the addresses of the best links, best first. */
type Search = (query: string) => ReadonlyArray<string>

const COUNTED = 10

/**
 * The words that a person wants, as a search without operators would be given them: without excluded words, quotes and
 * the names of operators.
 */
const wanted = (query: string): ReadonlyArray<string> =>
  query
    .split(/\s+/)
    .filter((word) => !word.startsWith("-"))
    .map((word) => word.replace(/^(?:site|tag):/, "").replaceAll('"', ""))
    .filter((word) => word !== "")

const FIELDS = ["title", "tags", "description", "url", "text"] as const

/** A database with the links in a table, which this statement makes. */
const databaseOf = (links: ReadonlyArray<GivenLink>, statement: string) => {
  const database = new Database(":memory:")
  database.run(statement)
  const insert = database.query("INSERT INTO links VALUES (?, ?, ?, ?, ?)")
  database.transaction(() => {
    for (const link of links)
      insert.run(link.title, link.tags.join(" "), link.description, link.url, link.text)
  })()
  return database
}

/** FTS5 with the program's tokenizer and its weights of these columns; any of the words. */
const bm25 = (links: ReadonlyArray<GivenLink>): Search => {
  const search = databaseOf(
    links,
    `CREATE VIRTUAL TABLE links USING fts5 (${FIELDS}, tokenize = 'porter unicode61 remove_diacritics 2')`
  ).query<{ url: string }, [string]>(
    `SELECT url FROM links WHERE links MATCH ? ORDER BY bm25(links, 10.0, 6.0, 3.0, 2.0, 1.0) LIMIT ${COUNTED}`
  )
  return (query) => {
    const words = wanted(query).flatMap((word) => word.match(/[\p{L}\p{N}]+/gu) ?? [])
    const match = words.map((word) => `"${word}"`).join(" OR ")
    return match === "" ? [] : search.all(match).map(({ url }) => url)
  }
}

/** Every word anywhere in the link, newest first. */
const like = (links: ReadonlyArray<GivenLink>): Search => {
  const database = databaseOf(links, `CREATE TABLE links (${FIELDS})`)
  const one = `(${FIELDS.join(" || char(10) || ")} LIKE ? ESCAPE '\\')`
  return (query) => {
    const words = wanted(query).map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`)
    const every = words.map(() => one).join(" AND ")
    return database
      .query<{ url: string }, Array<string>>(
        `SELECT url FROM links WHERE ${every} ORDER BY rowid DESC LIMIT ${COUNTED}`
      )
      .all(...words)
      .map(({ url }) => url)
  }
}

/** MiniSearch, which the documentation's search uses, with what its manual advises for a search box. */
const miniSearch = (links: ReadonlyArray<GivenLink>): Search => {
  const index = new MiniSearch<GivenLink & { readonly words: string }>({
    idField: "url",
    fields: ["title", "words", "description", "url", "text"],
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 3, words: 2 } }
  })
  index.addAll(links.map((link) => ({ ...link, words: link.tags.join(" ") })))
  const search = (query: string) => index.search(wanted(query).join(" ")).slice(0, COUNTED)
  return (query) => search(query).map(({ id }) => String(id))
}

/** The searches that ours is compared with, by name. */
export const peers = { BM25: bm25, LIKE: like, MiniSearch: miniSearch }
