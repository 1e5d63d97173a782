import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import * as Database from "../../src/store/Database.ts"

/** A link as a test writes it straight into the database, where nothing on the way can round off a case. */
export interface RawLink {
  readonly title: string
  readonly collection: string | null
  readonly createdAt: string
  readonly shareable: boolean
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly url?: string
  readonly note?: string
  readonly summary?: string
  readonly description?: string
}

/** Writes the links in their order, so that the first gets the lowest number, and their collections before them. */
export const writeLinks = Effect.fnUntraced(function* (links: ReadonlyArray<RawLink>) {
  const sql = yield* SqlClient.SqlClient
  const names = [...new Set(links.flatMap(({ collection }) => collection ?? []))]
  yield* sql`INSERT INTO collections (name, created_at) SELECT value, '2026' FROM json_each(${JSON.stringify(names)})`
  const rows = links.map((link) => ({ url: "", note: "", summary: "", description: "", ...link }))
  yield* sql`INSERT INTO links (url, normalized_url, host, title, note, summary, description, tags, category,
      collection_id, shareable, enrichment, created_at, updated_at)
    SELECT iif(value ->> 'url' = '', 'https://example.org/' || key, value ->> 'url'),
      'n' || (SELECT count(*) FROM links) || '-' || key, 'example.org', value ->> 'title', value ->> 'note',
      value ->> 'summary', value ->> 'description', value -> 'tags', value ->> 'category',
      (SELECT id FROM collections WHERE name = value ->> 'collection'), value ->> 'shareable', 'complete',
      value ->> 'createdAt', value ->> 'createdAt'
    FROM json_each(${JSON.stringify(rows)}) ORDER BY key`
})

/** Numbers from 0 up to 1 that look random and are the same for a seed (mulberry32, Tommy Ettinger). */
export const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const NAMES = ["b", "A", "Zed", "a b", "ä", "_x", "Ünder", "🦜 birds", "10", "9", 'quoted "name"', "'; --"]
const TAGS = ["one", "two", ".private", "three-words-long"]
const DAYS = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-02T00:00:00.001Z"]

/** `count` links in a few collections, many saved at the same time and some in no collection. */
export const randomLinks = (seed: number, count: number): ReadonlyArray<RawLink> => {
  const random = randomOf(seed)
  const pick = <A>(all: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>, other: A): A =>
    all[Math.floor(random() * all.length)] ?? other
  const names = NAMES.filter(() => random() < 0.6)
  return Array.from({ length: count }, (_, n) => ({
    title: `link ${n}`,
    collection: random() < 0.3 ? null : pick<string | null>(names, null),
    createdAt: pick(DAYS, "2025"),
    shareable: random() < 0.6,
    category: pick(["reading", "cooking"], "reading"),
    tags: TAGS.filter(() => random() < 0.4)
  }))
}

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
/** A text as SQLite's NOCASE compares it: bytes, except for the case of ASCII letters. */
const foldCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Compares names as SQLite sorts them. */
export const compareNames = (a: string, b: string) => compareBytes(foldCase(a), foldCase(b))

type Numbered = RawLink & { readonly id: number }

const byCollection = (a: Numbered, b: Numbered) => {
  if (a.collection === null || b.collection === null)
    return a.collection === b.collection ? 0 : a.collection === null ? 1 : -1
  return compareNames(a.collection, b.collection)
}

/** The sort orders by their definition, over all links at once. */
const orders = {
  newest: (a: Numbered, b: Numbered) => compareBytes(b.createdAt, a.createdAt) || b.id - a.id,
  oldest: (a: Numbered, b: Numbered) => compareBytes(a.createdAt, b.createdAt) || a.id - b.id,
  title: (a: Numbered, b: Numbered) => compareNames(a.title, b.title) || a.id - b.id,
  collection: (a: Numbered, b: Numbered) =>
    byCollection(a, b) || compareBytes(b.createdAt, a.createdAt) || b.id - a.id
}

/** Sorts links as lists do; their ids follow their order in `links`. */
export const inOrder = (links: ReadonlyArray<RawLink>, sort: keyof typeof orders) =>
  links.map((link, id) => ({ ...link, id })).sort(orders[sort])

/** Makes a folder for a service whose library has these links. */
export const folderWith = async (links: ReadonlyArray<RawLink>) => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
  mkdirSync(join(folder, "data"))
  const file = join(folder, "data", "library.db")
  await Effect.runPromise(Effect.provide(writeLinks(links), Database.layer(file)))
  return folder
}
