import { Effect } from "effect"
import type { EmbedderInUse } from "../domain/Enrichment.ts"
import { isBroad, type LinkQuery } from "../domain/LinkQuery.ts"
import type { RankedText } from "../store/search/RankedText.ts"
import type { VectorStore } from "../store/vectors/VectorStore.ts"
import type { VectorIndex } from "./VectorIndex.ts"

/** The direction of a search; a null vector means the vector of the link `query.like`. */
export interface Meaning {
  readonly embedder: EmbedderInUse
  readonly vector: Float32Array | null
  /** Minimum similarity for a link to be found by meaning. */
  readonly floor: number
  /** The weight of a rank by only some of the words beside one by meaning; 1 by default. */
  readonly someWordsWeight?: number
}

/** Filters that match at most this many links apply before the links are ranked; others apply to the best links. */
export const FEW = 20_000
/** Number of best links to which a wider filter applies. */
const WIDE = 400

interface Sources {
  readonly text: RankedText["Type"]
  readonly index: VectorIndex["Type"]
  readonly vectors: VectorStore["Type"]
}

/** A query and its meaning. */
interface Request {
  readonly query: LinkQuery
  readonly meaning: Meaning | null
}

/** Searches by meaning among the links that pass the filters, without those that contain an excluded word. */
export const makeMeaningSearch = ({ index, text, vectors }: Sources) => {
  const near = Effect.fn("MeaningSearch")(function* (
    { meaning, query }: Request,
    newest: number,
    count: number
  ) {
    const vector = meaning && (yield* directionOf(meaning, query))
    if (meaning === null || vector === undefined || vector === null) return []
    const nearest = (wide: number, among: ReadonlySet<number> | undefined) =>
      Effect.map(index.nearest(meaning.embedder, vector, wide, among, meaning.floor), (all) =>
        all.filter(({ id }) => id <= newest && id !== query.like)
      )
    const filtered = !isBroad(query)
    const among = filtered ? yield* text.allowed(query, FEW) : undefined
    const excludes = query.hideArchived === true || query.terms.some(({ negated }) => negated)
    const wide = among === undefined && (filtered || query.hideArchived === true) ? WIDE : count + 1
    const neighbours = yield* nearest(wide, among)
    if (among !== undefined || (!filtered && !excludes)) return neighbours.slice(0, count)
    const admitted = yield* text.admitted(
      neighbours.map(({ id }) => id),
      query
    )
    const found = neighbours.filter(({ id }) => admitted.has(id))
    const isEnough = found.length >= count || neighbours.length < wide - 1
    if (isEnough || query.hideArchived !== true) return found.slice(0, count)
    // Most of the nearest links are archived.
    const left = yield* text.allowed(query, FEW)
    return left === undefined ? found : (yield* nearest(count + 1, left)).slice(0, count)
  })

  const directionOf = (meaning: Meaning, { like }: LinkQuery) =>
    meaning.vector !== null || like === undefined
      ? Effect.succeed(meaning.vector)
      : Effect.map(vectors.floats(meaning.embedder.id, [like]), (floats) => floats.get(like))

  return near
}
