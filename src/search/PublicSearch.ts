import { Array, Context, Effect, Layer, Schema } from "effect"
import { SIMILARITY_THRESHOLD } from "../config/Configuration.ts"
import type { EmbedderInUse } from "../domain/Enrichment.ts"
import { Health } from "../domain/Health.ts"
import type {
  Conditions,
  Highlights,
  PublicCursor,
  PublicQuery,
  QueryFilter,
  Term
} from "../domain/LinkQuery.ts"
import type { PictureKind } from "../domain/Picture.ts"
import { builtIn } from "../enrich/embedding/BuiltIn.ts"
import { makeThread, type ThreadUnavailable } from "../runtime/Thread.ts"
import { serveThread } from "../runtime/ThreadWork.ts"
import { wordsOf } from "../shared/Text.ts"
import { readOnly } from "../store/Connection.ts"
import { PublicList, type SharedCollection, type SharedFacets } from "../store/public/PublicList.ts"
import { PublicText } from "../store/public/PublicText.ts"
import { PublicVectorSource } from "../store/public/PublicVectors.ts"
import { highlightRows, makeScratchIndex } from "../store/search/MatchMarks.ts"
import { makeVersionedCache } from "../store/VersionedCache.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { begunText, fuse, NEAR, NEAR_FLOOR, typedText } from "./Fusion.ts"
import { makeSpelling } from "./Spelling.ts"
import { makeVectorIndex } from "./VectorIndex.ts"
import { withoutStopWords, wordSearch } from "./WordSearch.ts"

/** Limits of a public search: words (and as many operators), corrected words, results per page, milliseconds. */
const PUBLIC_BUDGET = { terms: 8, corrections: 2, results: 50, time: 2_000 }

/** Maximum number of links per page without a search. */
const CHUNK = 1_000
/** Maximum number of searches whose order is cached for later pages. */
const MOST_ORDERS = 64

/** The public list cannot answer: too many requests, a search over its time budget, or an unavailable thread. */
export class PublicListBusy extends Schema.TaggedError<PublicListBusy>()("PublicListBusy", {}) {}

/** A page of the public list; a search sorted by relevance adds the positions of the matched words. */
export interface PublicPage {
  readonly links: ReadonlyArray<string>
  readonly highlights?: ReadonlyArray<Highlights>
  /** The words that were searched for instead of words that no shared link contains. */
  readonly also?: ReadonlyArray<string>
  readonly total: number
  readonly next: PublicCursor | null
  /** The shared collection that the query names; null if it names none or another one. */
  readonly collection: SharedCollection | null
  /** Time of the last public change, in milliseconds since 1970. */
  readonly changedAt: number
}

/** The built-in embedder serves public searches, so that a visitor never triggers a call to an embedding endpoint. */
const embedder: EmbedderInUse = {
  id: 0,
  name: builtIn.name,
  dimensions: builtIn.dimensions,
  threshold: SIMILARITY_THRESHOLD
}

const sum = (sizes: ReadonlyArray<number>) => sizes.reduce((total, size) => total + size, 0)

const wordCount = ({ alternatives, text }: Term): number =>
  alternatives === undefined
    ? Math.max(1, wordsOf(text).length)
    : sum(alternatives.flat().map((one) => wordCount(one)))

/** The number of words and operators that conditions consist of. */
const sizeOf = ({ filters, terms }: Conditions): number =>
  sum(terms.map(wordCount)) +
  sum(filters.map((filter) => (filter.field === "any" ? sum(filter.alternatives.map(sizeOf)) : 1)))

/** The first items that fit into `room` together, and the room they leave. */
const fitting = <A>(all: ReadonlyArray<A>, room: number, size: (one: A) => number) => {
  let left = room
  const kept = all.filter((one) => {
    const fits = size(one) <= left
    if (fits) left -= size(one)
    return fits
  })
  return { kept, left }
}

/**
 * Trims a query to the budget: eight words, wanted ones first, counting each word of a phrase or of a joined name, and
 * eight operators. Stop words of a longer query go first. The rest is ignored.
 */
export const trimToBudget = (query: PublicQuery): PublicQuery => {
  let left = PUBLIC_BUDGET.terms
  const affordable = (term: Term): ReadonlyArray<Term> => {
    const words = wordsOf(term.text)
    const room = left
    // Part of an excluded phrase would exclude more links than the whole phrase.
    if (room <= 0 || (term.negated && words.length > room)) return []
    if (term.alternatives !== undefined) {
      const fit = fitting(term.alternatives, room, (terms) => sizeOf({ terms, filters: [] }))
      left = fit.left
      return fit.kept.length === 0 ? [] : [{ ...term, alternatives: fit.kept }]
    }
    left -= Math.max(1, words.length)
    return [words.length <= room ? term : { ...term, text: words.slice(0, room).join(" "), kind: "phrase" }]
  }
  let room = PUBLIC_BUDGET.terms
  const affordableFilter = (filter: QueryFilter): ReadonlyArray<QueryFilter> => {
    if (filter.field !== "any") return room-- > 0 ? [filter] : []
    const fit = fitting(filter.alternatives, room, sizeOf)
    room = fit.left
    return fit.kept.length === 0 ? [] : [{ ...filter, alternatives: fit.kept }]
  }
  const [unwanted, all] = Array.partition(query.terms, (term) => !term.negated)
  const wanted = all.length > PUBLIC_BUDGET.terms ? withoutStopWords(all) : all
  return {
    ...query,
    terms: [...wanted.flatMap(affordable), ...unwanted.flatMap(affordable)],
    filters: query.filters.flatMap(affordableFilter)
  }
}

/** Whether the query searches for words: such a page has at most 50 links. */
export const isPublicSearch = ({ terms }: PublicQuery): boolean => terms.some((term) => !term.negated)

/**
 * Serves the public list from the projection alone. The order of results, the corrections and the vectors depend on
 * shared links only, and each answer is bounded in work and size.
 */
export class PublicSearch extends Context.Tag("PublicSearch")<
  PublicSearch,
  {
    /** Returns a page of at most `query.limit` links: up to 50 for a search, else up to 1,000. */
    readonly page: (query: PublicQuery) => Effect.Effect<PublicPage, PublicListBusy>
    /** The facets of the shared links. */
    readonly facets: Effect.Effect<SharedFacets, PublicListBusy>
    /** Returns the addresses of shared links that name exactly this picture, at most 50. */
    readonly pagesWith: (
      kind: PictureKind,
      address: string
    ) => Effect.Effect<ReadonlyArray<string>, PublicListBusy>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const list = yield* PublicList
      const text = yield* PublicText
      const vectors = yield* PublicVectorSource
      const index = makeVectorIndex(vectors)
      const scratch = yield* makeScratchIndex
      const makeCache = yield* makeVersionedCache(vectors.stamp)
      const spelling = yield* makeSpelling({ words: text.words, stamp: vectors.stamp })
      /** The order of results per search, cached for later pages until the database changes. */
      const orders = makeCache<Order>(MOST_ORDERS)

      const near = Effect.fnUntraced(function* (query: PublicQuery, words: string) {
        const among = yield* text.allowed(query)
        const neighbours = yield* index.nearest(embedder, builtIn.embedQuery(words), NEAR, among)
        return neighbours
          .filter(({ similarity }) => similarity >= NEAR_FLOOR * embedder.threshold)
          .map(({ id }) => id)
      })

      const search = Effect.fn("PublicSearch.search")(function* (asked: PublicQuery) {
        const end = performance.now() + PUBLIC_BUDGET.time
        const timely = <A>(step: Effect.Effect<A>) =>
          Effect.suspend(
            (): Effect.Effect<A, PublicListBusy> => (performance.now() < end ? step : new PublicListBusy())
          )
        const { also, fit, loosely, meant, query } = yield* wordSearch<PublicQuery, PublicListBusy>(
          {
            ranked: (query, strictness) => timely(text.ranked(query, strictness)),
            holds: (term) => timely(text.holds(term)),
            counts: (terms, most) => timely(text.counts(terms, most)),
            ...spelling
          },
          PUBLIC_BUDGET.corrections
        )(asked)
        const typed = typedText(asked.terms)
        const beginning = begunText(meant)
        const order: Order = {
          ids: fuse({
            exact: yield* timely(text.exact(query, typed.text, typed.address)),
            begun: beginning === undefined ? [] : yield* timely(text.begun(query, beginning)),
            words: loosely,
            meaning: yield* timely(near(query, typed.text)),
            terms: asked.terms,
            fit
          }),
          terms: query.terms,
          also
        }
        return order
      })

      const orderOf = (query: PublicQuery) =>
        orders(
          JSON.stringify({ ...query, sort: undefined, limit: undefined, cursor: undefined }),
          search(query)
        )

      const ranked = Effect.fnUntraced(function* (query: PublicQuery, limit: number) {
        const { also, ids, terms } = yield* orderOf(query)
        const offset = query.cursor?.sort === "relevance" ? query.cursor.value : 0
        const found = yield* list.found(ids.slice(offset, offset + limit))
        const marks = highlightRows(
          scratch,
          found.map(({ fields }) => fields),
          terms
        )
        const next: PublicCursor | null =
          offset + limit < ids.length ? { sort: "relevance", value: offset + limit, seen: 0 } : null
        return {
          links: found.map(({ json }) => json),
          highlights: found.map(({ fields }) => marks.get(fields.id) ?? {}),
          also,
          total: ids.length,
          next
        }
      })

      const listed = Effect.fnUntraced(function* (query: PublicQuery, limit: number) {
        const { links, next } = yield* list.page(query, limit)
        return { links, next, total: yield* list.count(query) }
      })

      return {
        facets: list.facets,
        pagesWith: list.pagesWith,
        page: Effect.fn("PublicSearch.page")(function* (asked) {
          const query = trimToBudget(asked)
          const most = isPublicSearch(query) ? PUBLIC_BUDGET.results : CHUNK
          const limit = Math.min(query.limit ?? most, most)
          // Read before the links: a page may be newer than its `changedAt`, never older.
          const changedAt = yield* list.changedAt
          const { collection: named } = query
          const collection = typeof named === "string" ? yield* list.collection(named) : null
          const isRanked = isPublicSearch(query) && query.sort === "relevance"
          const page = yield* isRanked ? ranked(query, limit) : listed(query, limit)
          return { ...page, collection, changedAt }
        })
      }
    })
  )
}

/** The public search over this connection's database. */
export const publicSearch = PublicSearch.layer.pipe(
  Layer.provide([PublicList.layer, PublicText.layer, PublicVectorSource.layer])
)

interface Order {
  readonly ids: ReadonlyArray<number>
  readonly terms: ReadonlyArray<Term>
  readonly also: ReadonlyArray<string>
}

/** The search as a service of a thread. */
const inThread = { tag: PublicSearch, failure: PublicListBusy }

/** Runs the calling thread as the public search of this database, over a read-only connection. */
export const servePublic = (library: string) =>
  serveThread(inThread, Layer.provide(publicSearch, readOnly(library)))

/** Runs the public search in a separate thread, so that public requests never delay the owner's. */
export const layer = (spawn: () => Worker) =>
  Layer.scoped(
    PublicSearch,
    Effect.gen(function* () {
      const health = yield* Health
      const thread = yield* makeThread(inThread, {
        name: "public list",
        spawn,
        most: 64,
        patience: "5 seconds",
        idle: "10 minutes",
        onChange: (isAnswering) => health.set("public-search", !isAnswering)
      })
      const orBusy = <A>(asked: Effect.Effect<A, PublicListBusy | ThreadUnavailable>) =>
        Effect.catchTag(asked, "ThreadUnavailable", ({ detail, reason }) =>
          Effect.zipRight(
            Effect.logWarning("The public list cannot answer", { reason, detail }),
            new PublicListBusy()
          )
        )
      return {
        page: (query) => {
          const page = orBusy(thread.ask("page", query))
          return isPublicSearch(query)
            ? Effect.zipRight(Measure.searches.count("public"), Measure.searchDuration.timed()(page))
            : page
        },
        facets: Effect.suspend(() => orBusy(thread.ask("facets"))),
        pagesWith: (kind, address) => orBusy(thread.ask("pagesWith", kind, address))
      }
    })
  )
