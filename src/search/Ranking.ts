import { Context, Effect, Layer } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Embedding.ts"
import type { Highlights } from "../domain/Highlights.ts"
import type { Cursor, LinkQuery, Term } from "../domain/LinkQuery.ts"
import { LinkList } from "../store/LinkList.ts"
import { type Audience, byWords } from "../store/Matching.ts"
import { MatchMarks } from "../store/MatchMarks.ts"
import { RANKED, RankedText } from "../store/RankedText.ts"
import { VectorStore } from "../store/VectorStore.ts"
import { fuse } from "./Fusion.ts"
import { makeSnapshots, type Snapshot } from "./Snapshots.ts"
import { meant } from "./Spelling.ts"
import { VectorIndex } from "./VectorIndex.ts"

/** A search: the query, and what it means as a vector. */
export interface RankRequest {
  readonly query: LinkQuery
  readonly audience: Audience
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
/** Filters that let at most so many links through are applied before the scan; others after a wider one. */
const FEW = 20_000
const WIDE = 400
/** With so many links that hold the whole words, nobody looks for those where they are beginnings. */
const PLENTY = 200
/** With fewer full matches than this, links that hold most of the words are looked for, then such as hold any. */
const ENOUGH = 1
const LOOSE = 200

/** A shorter beginning is in too many words to be looked for beside the word itself. */
const LEAST_PREFIX = 2

const asWord = (term: Term): Term => (term.kind === "prefix" ? { ...term, kind: "word" } : term)

const isWanted = (term: Term) => !term.negated

const isFiltered = ({ collection, favorite, filters, shareable }: LinkQuery, audience: Audience) =>
  audience === "public" ||
  filters.length > 0 ||
  collection !== undefined ||
  favorite !== undefined ||
  shareable !== undefined

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

      /** The term as something can be found by it, or as it is. */
      const findable = Effect.fnUntraced(function* (term: Term, audience: Audience) {
        if (term.negated || term.kind === "phrase" || !byWords(term)) return term
        const tries: ReadonlyArray<Term> = [term, { ...term, kind: "prefix" }]
        for (const one of tries) if (yield* text.holds(one, audience)) return one
        const part: Term = { ...term, kind: "part" }
        if ([...term.text].length >= 3 && (yield* text.holds(part, audience))) return part
        const known = yield* text.words(term.text.slice(0, 1).normalize("NFKD").toLowerCase())
        const instead = meant(term.text, known)
        return instead.length === 0 ? term : { ...term, instead }
      })

      /**
       * Full matches, whole words before beginnings of them. Where whole words are in more links than anybody looks
       * through, those that only begin so are left out.
       */
      const full = Effect.fnUntraced(function* (query: LinkQuery, audience: Audience, newest: number) {
        if (!query.terms.some(({ kind }) => kind === "prefix"))
          return { found: yield* text.ranked(query, audience, "all", newest), query }
        const whole = { ...query, terms: query.terms.map(asWord) }
        const found = yield* text.ranked(whole, audience, "all", newest)
        const short = query.terms.some(({ kind, text }) => kind === "prefix" && text.length < LEAST_PREFIX)
        if (found.length >= PLENTY || (short && found.length > 0)) return { found, query: whole }
        return { found: union(found, yield* text.ranked(query, audience, "all", newest)), query }
      })

      const byText = Effect.fnUntraced(function* (query: LinkQuery, audience: Audience, newest: number) {
        const asTyped = yield* full(query, audience, newest)
        if (asTyped.found.length > 0) return asTyped
        const terms = yield* Effect.forEach(query.terms, (term) => findable(term, audience))
        return terms.every((term, i) => term === query.terms[i])
          ? asTyped
          : yield* full({ ...query, terms }, audience, newest)
      })

      /** Links that hold most of the words, or any, where few hold all of them. */
      const loosely = Effect.fnUntraced(function* (
        query: LinkQuery,
        audience: Audience,
        newest: number,
        found: ReadonlyArray<number>
      ) {
        let all = found
        if (query.terms.filter(isWanted).length < 2) return all
        for (const strictness of ["most", "any"] as const) {
          if (all.length >= ENOUGH) break
          const more = yield* text.ranked({ ...query, limit: LOOSE }, audience, strictness, newest)
          all = union(all, more.slice(0, LOOSE))
        }
        return all
      })

      const near = Effect.fnUntraced(function* (
        { audience, meaning, query }: RankRequest,
        newest: number,
        count: number
      ) {
        const vector = meaning && (yield* directionOf(meaning, query))
        if (meaning === null || vector === undefined || vector === null) return []
        const filtered = isFiltered(query, audience)
        const among = filtered ? yield* text.allowed(query, audience, FEW) : undefined
        const wide = filtered && among === undefined ? WIDE : count + 1
        const neighbours = (yield* index.nearest(meaning.embedder, vector, wide, among)).filter(
          ({ id, similarity }) => id <= newest && id !== query.like && similarity >= meaning.floor
        )
        if (among !== undefined || (!filtered && query.terms.every(isWanted)))
          return neighbours.slice(0, count)
        const admitted = yield* text.admitted(
          neighbours.map(({ id }) => id),
          query,
          audience
        )
        return neighbours.filter(({ id }) => admitted.has(id)).slice(0, count)
      })

      const directionOf = (meaning: Meaning, { like }: LinkQuery) =>
        meaning.vector !== null || like === undefined
          ? Effect.succeed(meaning.vector)
          : Effect.map(vectors.floats(meaning.embedder.id, [like]), (floats) => floats.get(like))

      const alike = Effect.fnUntraced(function* (request: RankRequest, newest: number) {
        const neighbours: ReadonlyArray<Neighbour> = yield* near(request, newest, LIKE)
        const ids = neighbours.map(({ id }) => id)
        return { ids, total: ids.length, terms: [], olderThan: null }
      })

      const search = Effect.fnUntraced(function* (request: RankRequest, newest: number) {
        const { audience } = request
        if (request.query.like !== undefined) return yield* alike(request, newest)
        const { found, query } = yield* byText(request.query, audience, newest)
        const words = yield* loosely(query, audience, newest, found)
        const exact = yield* text.exact(query, audience, request.text, request.address ?? undefined)
        const meaning = yield* near({ ...request, query }, newest, NEAR)
        const ids = fuse({
          exact: exact.filter((id) => id <= newest),
          words,
          meaning: meaning.map(({ id }) => id),
          wordsFirst: query.terms.some((term) => isWanted(term) && term.kind === "phrase")
        })
        const capped = query.limit !== undefined && found.length >= RANKED
        const matches = capped ? yield* list.count({ ...query, cursor: undefined }, audience) : found.length
        return {
          ids,
          total: Math.max(ids.length, matches + ids.length - found.length),
          terms: query.terms,
          // Of the newest matches the oldest: those before it were not ranked.
          olderThan: capped && matches > found.length ? (byNumber(found)[RANKED - 1] ?? null) : null
        }
      })

      const rest = Effect.fnUntraced(function* (
        { audience, query }: RankRequest,
        snapshot: Snapshot,
        below: number
      ) {
        const limit = query.limit ?? -1
        const seen = new Set(snapshot.ids)
        const ids = yield* text.older(
          { ...query, terms: snapshot.terms },
          audience,
          below,
          limit + seen.size + 1
        )
        return ids.filter((id) => !seen.has(id)).slice(0, limit + 1)
      })

      const page = Effect.fn("Ranking.page")(function* (request: RankRequest) {
        const { audience, query } = request
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
        const next = (value: string | number): Cursor => ({ sort: "relevance", id: newest, value })
        const more =
          below !== null
            ? ids.length > limit
              ? next(String(shown.at(-1)))
              : null
            : offset + limit < snapshot.ids.length
              ? next(offset + limit)
              : snapshot.olderThan === null
                ? null
                : next(String(snapshot.olderThan))
        const rows = yield* list.rows(shown, audience)
        return {
          links: rows.map(({ json }) => json),
          highlights: yield* marks.marks(
            rows.map(({ id }) => id),
            snapshot.terms,
            audience
          ),
          total: snapshot.total,
          next: more
        }
      })

      return { page }
    })
  )
}

const union = (first: ReadonlyArray<number>, second: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...new Set([...first, ...second])
]

const byNumber = (ids: ReadonlyArray<number>) => ids.toSorted((a, b) => b - a)

/** What the order of a search depends on, but for the database. */
const snapshotKey = ({ audience, meaning, query }: RankRequest, newest: number) => {
  const { cursor: _, limit, ...asked } = query
  return JSON.stringify([asked, limit === undefined, audience, meaning?.embedder.id, newest])
}
