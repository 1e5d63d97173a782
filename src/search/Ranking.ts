import { Context, Effect, Layer } from "effect"
import type { Neighbour } from "../domain/Enrichment.ts"
import type { Cursor, Excerpt, Highlights, LinkQuery, Term } from "../domain/LinkQuery.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { LinkList } from "../store/links/LinkList.ts"
import { MatchMarks } from "../store/search/MatchMarks.ts"
import { PageTexts } from "../store/search/PageTexts.ts"
import { RANKED, RankedText } from "../store/search/RankedText.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { begunText, fuse, NEAR, typedText } from "./Fusion.ts"
import { type Meaning, makeMeaningSearch } from "./MeaningSearch.ts"
import { makePassageSearch } from "./PassageSearch.ts"
import { makeSpelling } from "./Spelling.ts"
import { VectorIndex } from "./VectorIndex.ts"
import { wordSearch } from "./WordSearch.ts"

/**
 * How a search's results match its words: some have all of them (or a spelling of them), some only a part of them, or
 * none contains a word and all are near in meaning, with their similarities.
 */
export type Match =
  | { readonly by: "words" | "some" }
  | { readonly by: "meaning"; readonly similarity: ReadonlyMap<number, number> }

/** The order of a search's results, kept while they are paged through. */
export interface Snapshot {
  readonly ids: ReadonlyArray<number>
  readonly total: number
  /** The terms after corrections. */
  readonly terms: ReadonlyArray<Term>
  /** The passages that answer a question, by link. */
  readonly excerpts: ReadonlyMap<number, Excerpt>
  readonly match: Match
  readonly also: ReadonlyArray<string>
  /** Matches with a lower id were not ranked and follow, newest first; null if all were ranked. */
  readonly olderThan: number | null
}

/** Maximum number of cached searches. */
const MOST = 64

/**
 * Caches the order of a search, so that later pages continue where the first ended, whatever arrives or changes in
 * between. A first page (one with a stamp) is served from the cache only while the database has not changed.
 */
export const makeSnapshots = () => {
  const known = new LruMap<string, { readonly stamp: string; readonly snapshot: Snapshot }>(MOST)
  return {
    get: <E>(
      key: string,
      stamp: string | null,
      search: Effect.Effect<Snapshot, E>
    ): Effect.Effect<Snapshot, E> => {
      const found = known.get(key)
      if (found !== undefined && (stamp === null || stamp === found.stamp))
        return Effect.succeed(found.snapshot)
      return Effect.tap(search, (snapshot) =>
        Effect.sync(() => known.set(key, { stamp: stamp ?? "", snapshot }))
      )
    }
  }
}

/** A search: the query and its meaning as a vector. */
export interface RankRequest {
  readonly query: LinkQuery
  /** Maximum number of pages whose texts are read to find the passage that answers a question; 0 by default. */
  readonly pages?: number
  readonly meaning: Meaning | null
}

/** A page of results, each link as JSON text, with the positions of the matched words. */
export interface RankedPage {
  readonly links: ReadonlyArray<string>
  readonly highlights: ReadonlyArray<Highlights>
  readonly match: Match
  /** The words that were searched for instead of words that no link contains. */
  readonly also: ReadonlyArray<string>
  readonly total: number
  readonly next: Cursor | null
}

/** Maximum number of links similar to the link `query.like`. */
const LIKE = 100
/** Maximum number of links per page with highlights: a request for all links at once needs no more. */
const MARKED = 1_000

/**
 * Searches by words and by meaning, fused by reciprocal rank (Cormack et al. 2009).
 *
 * Exact matches of the typed text (a title, an address) come first, then what begins with it, then the rest by both
 * ranks. Words that no link contains together are relaxed: see `wordSearch`.
 */
export class Ranking extends Context.Tag("Ranking")<
  Ranking,
  { readonly page: (request: RankRequest) => Effect.Effect<RankedPage> }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const text = yield* RankedText
      const index = yield* VectorIndex
      const vectors = yield* VectorStore
      const list = yield* LinkList
      const marks = yield* MatchMarks
      const pages = yield* PageTexts
      const snapshots = makeSnapshots()
      const near = makeMeaningSearch({ index, text, vectors })
      const findPassages = makePassageSearch(pages, text)
      const spelling = yield* makeSpelling({ words: text.words, stamp: vectors.stamp })

      const similarLinks = Effect.fnUntraced(function* (request: RankRequest, newest: number) {
        const neighbours: ReadonlyArray<Neighbour> = yield* near(request, newest, LIKE)
        const ids = neighbours.map(({ id }) => id)
        const match: Match = { by: "words" }
        return { ids, total: ids.length, terms: [], excerpts: new Map(), match, also: [], olderThan: null }
      })

      const search = Effect.fnUntraced(function* (request: RankRequest, newest: number) {
        if (request.query.like !== undefined) return yield* similarLinks(request, newest)
        const { also, fit, found, loosely, meant, query } = yield* wordSearch<LinkQuery>({
          ...text,
          ...spelling,
          ranked: (query, strictness) => text.ranked(query, strictness, newest)
        })(request.query)
        const typed = typedText(request.query.terms)
        const exact = yield* text.exact(query, typed.text, typed.address)
        const beginning = begunText(meant)
        const begun = beginning === undefined ? [] : yield* text.begun(query, beginning)
        const meaning = yield* near({ ...request, query }, newest, NEAR)
        const passages = yield* findPassages(request.query, newest, request.pages ?? 0)
        const ids = fuse({
          exact: exact.filter((id) => id <= newest),
          begun: begun.filter((id) => id <= newest),
          words: loosely,
          meaning: meaning.map(({ id }) => id),
          passages,
          terms: request.query.terms,
          fit,
          someWordsWeight: request.meaning?.someWordsWeight
        })
        const capped = query.limit !== undefined && found.length >= RANKED
        const matches = capped ? yield* list.count({ ...query, cursor: undefined }) : found.length
        const isByMeaning = exact.length + begun.length + loosely.length + passages.length === 0
        const match: Match = isByMeaning
          ? { by: "meaning", similarity: new Map(meaning.map(({ id, similarity }) => [id, similarity])) }
          : { by: fit === "some" && exact.length + begun.length === 0 ? "some" : "words" }
        return {
          ids,
          match,
          also,
          total: Math.max(ids.length, matches + ids.length - found.length),
          terms: query.terms,
          excerpts: new Map(
            passages.flatMap(({ excerpt, id }) => (excerpt === undefined ? [] : [[id, excerpt] as const]))
          ),
          // Only the newest matches were ranked; this is the oldest of them.
          olderThan: capped && matches > found.length ? (byNumber(found)[RANKED - 1] ?? null) : null
        }
      })

      const olderMatches = Effect.fnUntraced(function* (
        { query }: RankRequest,
        snapshot: Snapshot,
        below: number,
        limit: number
      ) {
        const seen = new Set(snapshot.ids)
        const ids = yield* text.older({ ...query, terms: snapshot.terms }, below, limit + seen.size + 1)
        return ids.filter((id) => !seen.has(id)).slice(0, limit + 1)
      })

      const page = Effect.fn("Ranking.page")(function* (given: RankRequest) {
        // A search without a limit returns everything on its first page, so a later page always has a limit.
        const isLater = given.query.cursor !== undefined && given.query.limit === undefined
        const request = isLater ? { ...given, query: { ...given.query, limit: RANKED } } : given
        const { query } = request
        const newest = query.cursor?.id ?? (yield* text.newest)
        const snapshot = yield* snapshots.get(
          snapshotKey(request, newest),
          query.cursor === undefined ? yield* vectors.stamp : null,
          search(request, newest)
        )
        const limit = query.limit ?? snapshot.ids.length
        const offset = typeof query.cursor?.value === "number" ? query.cursor.value : 0
        const below = typeof query.cursor?.value === "string" ? Number(query.cursor.value) : null
        const ids =
          below === null
            ? snapshot.ids.slice(offset, offset + limit)
            : yield* olderMatches(request, snapshot, below, limit)
        const shown = ids.slice(0, limit)
        const next = (): string | number | null => {
          if (below !== null) return ids.length > limit ? String(shown.at(-1)) : null
          if (offset + limit < snapshot.ids.length) return offset + limit
          return snapshot.olderThan === null ? null : String(snapshot.olderThan)
        }
        const value = next()
        const rows = yield* list.rows(shown)
        const marked = yield* marks.marks(
          rows.slice(0, MARKED).map(({ id }) => id),
          snapshot.terms,
          snapshot.excerpts
        )
        return {
          links: rows.map(({ json }) => json),
          highlights: rows.map((_, at) => marked[at] ?? {}),
          match: snapshot.match,
          also: snapshot.also,
          total: snapshot.total,
          next: value === null ? null : { sort: "relevance" as const, id: newest, value }
        }
      })

      return { page }
    })
  )
}

const byNumber = (ids: ReadonlyArray<number>) => ids.toSorted((a, b) => b - a)

/**
 * Cache key: everything that determines the order of a search, except the database. A vector whose first
 * part is missing, because it was not at hand yet, begins with 0.
 */
const snapshotKey = ({ meaning, pages, query }: RankRequest, newest: number) => {
  const { cursor: _, limit, ...asked } = query
  const isPart = meaning?.vector?.[0] === 0
  return JSON.stringify([asked, limit === undefined, meaning?.embedder.id, isPart, pages, newest])
}
