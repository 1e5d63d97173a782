import { Effect } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import type { LibraryWords } from "../organize/LibraryWords.ts"
import { likenessFor, mixFor } from "../organize/Likeness.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import type { Comparison } from "./kernel/Comparison.ts"
import type { Matrix } from "./kernel/Matrix.ts"

/**
 * Share of the way from the threshold to 1 from which a link counts as a neighbour: it may still raise a mean above the
 * threshold.
 */
const FLOOR = -0.15
/** Number of neighbours per link that count in filing and grouping. */
const NEIGHBOURS = 32
/** Number of links per link that share rare words with it and are compared too, however different their vectors are. */
const SHARING = 16
/** Below this share of all links, neighbours are searched for one link at a time. */
const SPARSE = 0.3
/** Links searched between two yields to the event loop. */
const ROWS_AT_ONCE = 16
/** Dimensions to which the words of a link are hashed for the similarity of groups. */
const HASHED = 128

/**
 * The neighbours of many links, packed: 16 bytes per neighbour. Objects would take about 50, which at 100,000 links is
 * more than the rest of a plan.
 */
class NearbyLinks {
  readonly #places = new Map<number, number>()
  #ids = new Float64Array(1_024)
  #similarities = new Float64Array(1_024)
  /** Start index of each link's neighbours; the last entry is where the next link's will start. */
  readonly #begins = [0]

  add(id: number, neighbours: ReadonlyArray<Neighbour>): void {
    const from = this.#begins.at(-1) ?? 0
    const to = from + neighbours.length
    while (to > this.#ids.length) this.#grow()
    for (const [index, neighbour] of neighbours.entries()) {
      this.#ids[from + index] = neighbour.id
      this.#similarities[from + index] = neighbour.similarity
    }
    this.#places.set(id, this.#begins.length - 1)
    this.#begins.push(to)
  }

  /** Returns a link's neighbours, most similar first; empty if the link was not added. */
  of(id: number): ReadonlyArray<Neighbour> {
    const place = this.#places.get(id)
    if (place === undefined) return []
    const from = this.#begins[place] ?? 0
    return Array.from({ length: (this.#begins[place + 1] ?? from) - from }, (_, index) => ({
      id: this.#ids[from + index] ?? 0,
      similarity: this.#similarities[from + index] ?? 0
    }))
  }

  #grow(): void {
    const [ids, similarities] = [this.#ids, this.#similarities]
    this.#ids = new Float64Array(2 * ids.length)
    this.#similarities = new Float64Array(2 * ids.length)
    this.#ids.set(ids)
    this.#similarities.set(similarities)
  }
}

/** The links of a library to compare: their vectors and their words. */
export interface Compared {
  readonly matrix: Matrix
  readonly words: LibraryWords
  readonly embedder: Pick<EmbedderInUse, "threshold" | "dimensions">
}

/**
 * Returns the likeness of a link's neighbours, most similar first: of those nearest by vector, and of those that share
 * rare words with it.
 */
const rescored = (
  { embedder: { threshold }, matrix, words }: Compared,
  id: number,
  near: ReadonlyArray<Neighbour>
): ReadonlyArray<Neighbour> => {
  const likeness = likenessFor(threshold)
  const floor = threshold + FLOOR * (1 - threshold)
  const isNear = (id: number) => near.some((one) => one.id === id)
  const sharing = words.sharing(id, SHARING).filter((one) => !isNear(one.id))
  const byWords = new Map(sharing.map((one) => [one.id, one.similarity]))
  const found =
    sharing.length === 0 ? near : [...near, ...matrix.compare(id, new Set(sharing.map((one) => one.id)))]
  return found
    .map((one) => ({
      id: one.id,
      similarity: likeness(one.similarity, byWords.get(one.id) ?? words.similarity(id, one.id))
    }))
    .filter(({ similarity }) => similarity >= floor)
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, NEIGHBOURS)
}

/** Returns a link's nearest other links by the vectors alone, at or above the least similarity that counts. */
type ByVector = (id: number) => ReadonlyArray<Neighbour>

/** Reports the share done, 0 to 1. */
type ReportShare = (share: number) => Effect.Effect<void>

/**
 * Compares the vectors of `ids` with all others; `share` hands the work to another thread too (`Matrix.compareAll`). The
 * matrix must not change as long as the result is in use.
 */
export const compareVectors = Effect.fn("SimilarLinks.compareVectors")(function* (
  { embedder, matrix }: Omit<Compared, "words">,
  ids: ReadonlyArray<number>,
  progress: ReportShare,
  share?: (comparison: Comparison) => void
): Effect.fn.Return<ByVector> {
  const floor = embedder.threshold + FLOOR * (1 - embedder.threshold)
  if (ids.length < SPARSE * matrix.size)
    return (id) => {
      const vector = matrix.vector(id)
      const found = vector === undefined ? [] : matrix.nearest(vector, NEIGHBOURS + 1)
      return found.filter((one) => one.id !== id && one.similarity >= floor)
    }
  const comparing = matrix.compareAll(NEIGHBOURS, floor, share === undefined ? {} : { share })
  let step = comparing.next()
  for (; !step.done; step = comparing.next()) {
    yield* progress(step.value)
    yield* yieldToEventLoop
  }
  return step.value.of
})

/** Finds the links most similar to each of `ids`, among those near by vector and those that share rare words. */
export const findSimilarLinks = Effect.fn("SimilarLinks.find")(function* (
  compared: Compared,
  ids: ReadonlyArray<number>,
  byVector: ByVector,
  progress: ReportShare
) {
  const near = new NearbyLinks()
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    for (const id of ids.slice(from, from + ROWS_AT_ONCE)) near.add(id, rescored(compared, id, byVector(id)))
    yield* progress(from / ids.length)
    yield* yieldToEventLoop
  }
  return near
})

/**
 * Returns vectors for the similarity of groups: the dot product of two, plus `offset`, is about their links' likeness.
 * The words are hashed to 128 dimensions (Weinberger et al. 2009), whose error averages out in a group.
 */
export const mixedVectors = ({ embedder, matrix, words }: Compared) => {
  const { dimensions, threshold } = embedder
  const mix = mixFor(threshold)
  const [byMeaning, byWords] = [Math.sqrt(mix.meaning), Math.sqrt(mix.words)]
  return {
    offset: mix.offset,
    vectorOf: (id: number): Float32Array => {
      const mixed = new Float32Array(dimensions + HASHED)
      const vector = matrix.vector(id)
      if (vector !== undefined) for (let i = 0; i < dimensions; i++) mixed[i] = byMeaning * (vector[i] ?? 0)
      for (const [word, share] of words.vectorOf(id)) {
        // Fibonacci hashing (Knuth 1973): seven bits for the place, one for the sign.
        const hash = Math.imul(word + 1, 0x9e3779b1) >>> 24
        const place = dimensions + (hash >>> 1)
        mixed[place] = (mixed[place] ?? 0) + ((hash & 1) === 0 ? byWords : -byWords) * share
      }
      return mixed
    }
  }
}
