import { Effect } from "effect"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import type { RankedText } from "../store/RankedText.ts"
import type { VectorStore } from "../store/VectorStore.ts"
import type { Meaning, RankRequest } from "./Ranking.ts"
import type { VectorIndex } from "./VectorIndex.ts"

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
export const makeMeaningSearch = ({ index, text, vectors }: Sources) => {
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
