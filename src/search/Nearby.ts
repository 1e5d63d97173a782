import { Effect } from "effect"
import type { Neighbour } from "../domain/Enrichment.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import type { Matrix } from "./kernel/Matrix.ts"

/** Number of neighbours per link that count in filing and grouping. */
const NEIGHBOURS = 32
/** Rows whose neighbours are searched for at once, so that they stay in the cache: 0.1 seconds at 100,000 links. */
const BLOCK = 128
/** Below this share of all links, neighbours are searched for one link at a time. */
const SPARSE = 0.3
/** Links searched between two yields to the event loop. */
const ROWS_AT_ONCE = 16

/** Returns a link's vector as reconstructed from its codes; zero if it has none. */
export const vectorOf = (matrix: Matrix, id: number): Float32Array => {
  const row = matrix.codes(id)
  return row === undefined
    ? new Float32Array(matrix.dimensions)
    : Float32Array.from(row.codes, (code) => code * row.scale)
}

const neighboursOf = (matrix: Matrix, id: number, floor: number): ReadonlyArray<Neighbour> =>
  matrix.has(id)
    ? matrix
        .nearest(vectorOf(matrix, id), NEIGHBOURS + 1)
        .filter((one) => one.id !== id && one.similarity >= floor)
    : []

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

/** Finds the nearest links of each of `ids`, none below `floor`; passes the share done to `progress`. */
export const findNeighbours = Effect.fn("Nearby.nearbyOf")(function* (
  matrix: Matrix,
  ids: ReadonlyArray<number>,
  floor: number,
  progress: (share: number) => Effect.Effect<void>
) {
  const near = new NearbyLinks()
  if (ids.length < SPARSE * matrix.size) {
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      for (const id of ids.slice(from, from + ROWS_AT_ONCE)) near.add(id, neighboursOf(matrix, id, floor))
      yield* progress(from / ids.length)
      yield* yieldToEventLoop
    }
    return near
  }
  const asked = new Set(ids)
  for (let from = 0; from < matrix.slots; from += BLOCK) {
    for (const { id, matches } of matrix.neighbours(NEIGHBOURS, from, from + BLOCK, floor))
      if (asked.has(id)) near.add(id, matches)
    yield* progress(from / matrix.slots)
    yield* yieldToEventLoop
  }
  return near
})
