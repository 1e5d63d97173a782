import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { PublicLink } from "../../../src/domain/Link.ts"
import { type PublicQuery, parseQuery, type Term } from "../../../src/domain/LinkQuery.ts"
import { PublicEmbeddings } from "../../../src/library/PublicEmbeddings.ts"
import { PublicSearch } from "../../../src/search/PublicSearch.ts"
import { ensureCollections } from "../../../src/store/links/CollectionPaths.ts"
import { PublicList } from "../../../src/store/public/PublicList.ts"
import { PublicText } from "../../../src/store/public/PublicText.ts"
import { PublicVectorSource } from "../../../src/store/public/PublicVectors.ts"
import { stores } from "../../support/library.ts"
import { offline } from "../../support/libraryOf.ts"

const readers = Layer.mergeAll(PublicList.layer, PublicText.layer, PublicVectorSource.layer)

/** The readers of the projection beside the stores that write the library. */
export const projection = Layer.provideMerge(readers, stores())

/** The public search over a whole library, which embeds its shared links when told to. */
export const searching = Layer.provideMerge(readers, offline())

/** The columns of a link that tests care about. */
export interface Saved {
  readonly url?: string
  readonly normalizedUrl?: string
  readonly host?: string
  readonly title?: string
  readonly note?: string
  readonly summary?: string
  readonly description?: string
  readonly text?: string
  readonly tags?: ReadonlyArray<string>
  readonly category?: string
  readonly collection?: string | null
  readonly favorite?: boolean
  readonly shareable?: boolean
  readonly image?: string | null
  readonly favicon?: string | null
  readonly createdAt?: string
}

let saved = 0

/** Writes a shared link and returns its number. */
export const save = Effect.fnUntraced(function* (title: string, more: Saved = {}) {
  const sql = yield* SqlClient.SqlClient
  const url = `https://example.org/p${++saved}`
  const link = {
    url,
    normalizedUrl: more.url ?? url,
    host: "example.org",
    note: "",
    summary: "",
    description: "",
    text: "",
    category: "other",
    image: null,
    favicon: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    ...more,
    title
  }
  const collection = more.collection ?? null
  if (collection !== null)
    yield* sql`INSERT OR IGNORE INTO collections (name, created_at) VALUES (${collection}, '2026')`
  const [row] = yield* sql<{ id: number }>`INSERT INTO links (url, normalized_url, host, title, note, summary,
      description, text, tags, category, collection_id, favorite, shareable, image, favicon, enrichment, created_at,
      updated_at)
    VALUES (${link.url}, ${link.normalizedUrl}, ${link.host}, ${link.title}, ${link.note}, ${link.summary},
      ${link.description}, ${link.text}, ${JSON.stringify(more.tags ?? [])}, ${link.category},
      (SELECT id FROM collections WHERE name = ${collection}), ${more.favorite === true ? 1 : 0},
      ${more.shareable === false ? 0 : 1}, ${link.image}, ${link.favicon}, 'complete', ${link.createdAt}, '2026')
    RETURNING id`
  return row?.id ?? 0
})

/** Writes a link that is not shared. */
export const hide = (title: string, more: Saved = {}) => save(title, { ...more, shareable: false })

/** Sets one column of a link. */
export const set = Effect.fnUntraced(function* (id: number, column: string, value: string | number | null) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE links SET ${sql(column)} = ${value} WHERE id = ${id}`
})

/** Creates the collection with this path, with those around it, and returns its number. */
export const shelf = Effect.fnUntraced(function* (path: string) {
  const sql = yield* SqlClient.SqlClient
  const { byName } = yield* ensureCollections(sql, [path])
  return byName.get(path)?.id ?? 0
})

/** Shares a collection as a whole or stops that: the collections in it follow, and then the links. */
export const shareWhole = Effect.fnUntraced(function* (id: number, on: boolean) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE collections SET shareable = ${on ? 1 : 0} WHERE id = ${id}`
  yield* settleShared
})

/** Brings `shared` and `in_shared` in step with the tree of collections. */
export const settleShared = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`WITH RECURSIVE shown (id) AS (SELECT id FROM collections WHERE shareable = 1
      UNION SELECT c.id FROM collections c JOIN shown ON c.parent_id = shown.id)
    UPDATE collections SET shared = id IN (SELECT id FROM shown) WHERE shared <> (id IN (SELECT id FROM shown))`
  yield* sql`UPDATE links SET in_shared = collection_id IN (SELECT id FROM collections WHERE shared = 1)
    WHERE in_shared <> coalesce(collection_id IN (SELECT id FROM collections WHERE shared = 1), 0)
    AND collection_id IS NOT NULL`
})

/** The public query of a search text. */
export const ask = (text = "", more: Partial<PublicQuery> = {}): PublicQuery => ({
  ...parseQuery(text, 0),
  sort: "relevance",
  ...more
})

/** The public query for these terms. */
export const of = (...terms: ReadonlyArray<Partial<Term> & { readonly text: string }>): PublicQuery =>
  ask("", { terms: terms.map((term) => ({ kind: "word", negated: false, ...term })) })

export const linkOf = Schema.decodeSync(Schema.parseJson(PublicLink), { onExcessProperty: "error" })
/** Reads the title alone: decoding a link whole takes most of the time of a test that pages through thousands. */
export const titleOf = (json: string): string => JSON.parse(json).title
export const titlesOf = ({ links }: { readonly links: ReadonlyArray<string> }) => links.map(titleOf)

/** A page of the public search. */
export const search = (text: string, more: Partial<PublicQuery> = {}) =>
  Effect.flatMap(PublicSearch, (all) => all.page(ask(text, more)))

/** The titles that the public search finds. */
export const found = (text: string, more: Partial<PublicQuery> = {}) =>
  Effect.map(search(text, more), titlesOf)

/** Embeds the shared links. */
export const embed = Effect.flatMap(PublicEmbeddings, ({ catchUp }) => catchUp)

/** The titles of all pages in turn, and the size of each page. */
export const paged = Effect.fnUntraced(function* (query: PublicQuery, limit: number) {
  const list = yield* PublicList
  const titles: Array<string> = []
  const sizes: Array<number> = []
  let next = query
  while (sizes.length < 2_000) {
    const page = yield* list.page(next, limit)
    titles.push(...titlesOf(page))
    sizes.push(page.links.length)
    if (page.next === null) return { titles, sizes }
    next = { ...query, cursor: page.next }
  }
  return yield* Effect.dieMessage("the pages have no end")
})
