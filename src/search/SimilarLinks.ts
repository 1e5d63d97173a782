import { Effect } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import type { LibraryWords } from "../organize/LibraryWords.ts"
import { likenessFor, mixFor } from "../organize/Likeness.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
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
 * The neighbours of many links, packed: 12 bytes per neighbour. Objects would take about 50, which at 100,000 links is
 * more than the rest of a plan.
 */
class NearbyLinks {
  readonly #places = new Map<number, number>()
  #ids = new Int32Array(1_024)
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
    this.#ids = new Int32Array(2 * ids.length)
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
  const byVector = new Set(near.map((one) => one.id))
  const sharing = words.sharing(id, SHARING).filter((one) => !byVector.has(one.id))
  const byWords = new Map(sharing.map((one) => [one.id, one.similarity]))
  const vector = sharing.length === 0 ? undefined : matrix.vector(id)
  const found =
    vector === undefined
      ? near
      : [...near, ...matrix.nearest(vector, sharing.length, new Set(byWords.keys()))]
  return found
    .map((one) => ({
      id: one.id,
      similarity: likeness(one.similarity, byWords.get(one.id) ?? words.similarity(id, one.id))
    }))
    .filter(({ similarity }) => similarity >= floor)
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, NEIGHBOURS)
}

/** Finds the links most similar to each of `ids`; passes the share done to `progress`. */
export const findSimilarLinks = Effect.fn("SimilarLinks.find")(function* (
  compared: Compared,
  ids: ReadonlyArray<number>,
  progress: (share: number) => Effect.Effect<void>
) {
  const { embedder, matrix } = compared
  const floor = embedder.threshold + FLOOR * (1 - embedder.threshold)
  const near = new NearbyLinks()
  if (ids.length < SPARSE * matrix.size) {
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      for (const id of ids.slice(from, from + ROWS_AT_ONCE)) {
        const vector = matrix.vector(id)
        const byVector = vector === undefined ? [] : matrix.nearest(vector, NEIGHBOURS + 1)
        const others = byVector.filter((one) => one.id !== id && one.similarity >= floor)
        near.add(id, rescored(compared, id, others))
      }
      yield* progress(from / ids.length)
      yield* yieldToEventLoop
    }
    return near
  }
  const asked = new Set(ids)
  let left = matrix.size
  for (const some of matrix.allNeighbours(NEIGHBOURS, floor)) {
    for (const { id, matches } of some) if (asked.has(id)) near.add(id, rescored(compared, id, matches))
    left -= some.length
    // Only pairs of two remaining rows have not been compared yet.
    yield* progress(1 - (left / matrix.size) ** 2)
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
