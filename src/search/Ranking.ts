import { Context, Effect, Layer } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import type { Cursor, Highlights, LinkQuery, Term } from "../domain/LinkQuery.ts"
import { LinkList } from "../store/links/LinkList.ts"
import { MatchMarks } from "../store/search/MatchMarks.ts"
import { RANKED, RankedText } from "../store/search/RankedText.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { fuse } from "./Fusion.ts"
import { VectorIndex } from "./VectorIndex.ts"
import { wordSearch } from "./WordSearch.ts"

/** Filters that let at most so many links through are applied before the scan; others after a wider one. */
const FEW = 20_000
const WIDE = 400

const isFiltered = ({ collection, favorite, filters, shareable }: LinkQuery) =>
  filters.length > 0 || collection !== undefined || favorite !== undefined || shareable !== undefined

interface Sources {
  readonly text: RankedText["Type"]
  readonly index: VectorIndex["Type"]
  readonly vectors: VectorStore["Type"]
}

/** Searches by meaning, within what the filters let through and without what holds an unwanted word. */
const makeMeaningSearch = ({ index, text, vectors }: Sources) => {
  const near = Effect.fn("MeaningSearch")(function* (
    { meaning, query }: RankRequest,
    newest: number,
    count: number
  ) {
    const vector = meaning && (yield* directionOf(meaning, query))
    if (meaning === null || vector === undefined || vector === null) return []
    const filtered = isFiltered(query)
    const among = filtered ? yield* text.allowed(query, FEW) : undefined
    const wide = filtered && among === undefined ? WIDE : count + 1
    const neighbours = (yield* index.nearest(meaning.embedder, vector, wide, among)).filter(
      ({ id, similarity }) => id <= newest && id !== query.like && similarity >= meaning.floor
    )
    if (among !== undefined || (!filtered && query.terms.every(({ negated }) => !negated)))
      return neighbours.slice(0, count)
    const admitted = yield* text.admitted(
      neighbours.map(({ id }) => id),
      query
    )
    return neighbours.filter(({ id }) => admitted.has(id)).slice(0, count)
  })

  const directionOf = (meaning: Meaning, { like }: LinkQuery) =>
    meaning.vector !== null || like === undefined
      ? Effect.succeed(meaning.vector)
      : Effect.map(vectors.floats(meaning.embedder.id, [like]), (floats) => floats.get(like))

  return near
}

/** The order a search found its links in, for as long as somebody pages through it. */
export interface Snapshot {
  readonly ids: ReadonlyArray<number>
  readonly total: number
  /** What was searched for in the end. */
  readonly terms: ReadonlyArray<Term>
  /** Matches of lower numbers were not ranked: they follow, newest first. */
  readonly olderThan: number | null
}

/** How many searches are remembered. */
const MOST = 64

/**
 * Remembers the order of a search, so that its further pages go on where the first ended, whatever arrives or changes
 * meanwhile. A first page (one with a stamp) is answered from memory only while the database has not changed.
 */
export const makeSnapshots = () => {
  const known = new Map<string, { readonly stamp: string; readonly snapshot: Snapshot }>()
  return {
    get: <E>(
      key: string,
      stamp: string | null,
      search: Effect.Effect<Snapshot, E>
    ): Effect.Effect<Snapshot, E> => {
      const found = known.get(key)
      if (found !== undefined && (stamp === null || stamp === found.stamp)) {
        // The last used is the last to be forgotten.
        known.delete(key)
        known.set(key, found)
        return Effect.succeed(found.snapshot)
      }
      return Effect.tap(search, (snapshot) =>
        Effect.sync(() => {
          known.delete(key)
          const [oldest] = known.keys()
          if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
          known.set(key, { stamp: stamp ?? "", snapshot })
        })
      )
    }
  }
}

/** A search: the query, and what it means as a vector. */
export interface RankRequest {
  readonly query: LinkQuery
  /** The wanted words as they were typed, and the normalised address they are, where they are one. */
  readonly text: string
  readonly address: string | null
  readonly meaning: Meaning | null
}

/** The direction of what is looked for; null takes that of the link `query.like` names. */
export interface Meaning {
  readonly embedder: EmbedderInUse
  readonly vector: Float32Array | null
  /** How near a link must be to be found by meaning alone. */
  readonly floor: number
}

/** A page of results, each as JSON text, with where the words stand in them. */
export interface RankedPage {
  readonly links: ReadonlyArray<string>
  readonly highlights: ReadonlyArray<Highlights>
  readonly total: number
  readonly next: Cursor | null
}

/** How many links meaning proposes, and for `like`. */
const NEAR = 30
const LIKE = 100
/** How many links of a page are marked: nobody looks further, where all are asked for at once. */
const MARKED = 1_000

/**
 * Searches by words and by meaning, fused by reciprocal rank (Cormack et al. 2009).
 *
 * What is exactly what was typed (a title, an address) comes first, then the rest by both ranks. A word that nothing
 * holds is looked for inside words, then as what it was most likely meant to be.
 */
export class Ranking extends Context.Tag("Ranking")<
  Ranking,
  { readonly page: (request: RankRequest) => Effect.Effect<RankedPage> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const text = yield* RankedText
      const index = yield* VectorIndex
      const vectors = yield* VectorStore
      const list = yield* LinkList
      const marks = yield* MatchMarks
      const snapshots = makeSnapshots()
      const near = makeMeaningSearch({ text, index, vectors })

      const alike = Effect.fnUntraced(function* (request: RankRequest, newest: number) {
        const neighbours: ReadonlyArray<Neighbour> = yield* near(request, newest, LIKE)
        const ids = neighbours.map(({ id }) => id)
        return { ids, total: ids.length, terms: [], olderThan: null }
      })

      const search = Effect.fnUntraced(function* (request: RankRequest, newest: number) {
        if (request.query.like !== undefined) return yield* alike(request, newest)
        const { found, loosely, query } = yield* wordSearch<LinkQuery>({
          ...text,
          ranked: (query, strictness) => text.ranked(query, strictness, newest)
        })(request.query)
        const exact = yield* text.exact(query, request.text, request.address ?? undefined)
        const meaning = yield* near({ ...request, query }, newest, NEAR)
        const ids = fuse({
          exact: exact.filter((id) => id <= newest),
          words: loosely,
          meaning: meaning.map(({ id }) => id),
          wordsFirst: query.terms.some(({ kind, negated }) => !negated && kind === "phrase")
        })
        const capped = query.limit !== undefined && found.length >= RANKED
        const matches = capped ? yield* list.count({ ...query, cursor: undefined }) : found.length
        return {
          ids,
          total: Math.max(ids.length, matches + ids.length - found.length),
          terms: query.terms,
          // Of the newest matches the oldest: those before it were not ranked.
          olderThan: capped && matches > found.length ? (byNumber(found)[RANKED - 1] ?? null) : null
        }
      })

      const rest = Effect.fnUntraced(function* ({ query }: RankRequest, snapshot: Snapshot, below: number) {
        const limit = query.limit ?? -1
        const seen = new Set(snapshot.ids)
        const ids = yield* text.older({ ...query, terms: snapshot.terms }, below, limit + seen.size + 1)
        return ids.filter((id) => !seen.has(id)).slice(0, limit + 1)
      })

      const page = Effect.fn("Ranking.page")(function* (request: RankRequest) {
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
          below === null ? snapshot.ids.slice(offset, offset + limit) : yield* rest(request, snapshot, below)
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
          snapshot.terms
        )
        return {
          links: rows.map(({ json }) => json),
          highlights: rows.map((_, at) => marked[at] ?? {}),
          total: snapshot.total,
          next: value === null ? null : { sort: "relevance" as const, id: newest, value }
        }
      })

      return { page }
    })
  )
}

const byNumber = (ids: ReadonlyArray<number>) => ids.toSorted((a, b) => b - a)

/** What the order of a search depends on, but for the database. */
const snapshotKey = ({ meaning, query }: RankRequest, newest: number) => {
  const { cursor: _, limit, ...asked } = query
  return JSON.stringify([asked, limit === undefined, meaning?.embedder.id, newest])
}
