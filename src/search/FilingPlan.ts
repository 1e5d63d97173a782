import { Array as Arr, Context, Effect, Layer, type Stream } from "effect"
import { type EmbedderInUse, type Neighbour, rounded } from "../domain/Enrichment.ts"
import { clusters } from "../organize/Clusters.ts"
import { CollectionNamer } from "../organize/CollectionName.ts"
import { bestCollection } from "../organize/Vote.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import type { Matrix } from "./kernel/Matrix.ts"
import { eachRow, type Progress, progressStep, streamOfSteps } from "./Steps.ts"
import { VectorIndex } from "./VectorIndex.ts"

/** A link, the collection it belongs in, and the links that it is filed with, most similar first. */
export interface Move {
  readonly id: number
  readonly title: string
  /** Name of the collection. */
  readonly to: string
  readonly because: ReadonlyArray<Neighbour>
  readonly similarity: number
}

/** Progress, a batch of moves, or the end of the plan; `formed` names the collections that do not exist yet. */
export type FilingStep =
  | Progress
  | { readonly type: "moves"; readonly moves: ReadonlyArray<Move> }
  | { readonly type: "end"; readonly formed: ReadonlyArray<string> }

/** How far below the threshold a single neighbour may be and still count towards a mean above it. */
const SLACK = 0.08
const LEAST_GROUP = 3
const REASONS = 3
const MOVES_AT_ONCE = 500
/** Share of the work spent on finding neighbours. */
const SEARCHING = 0.8

/** Number of neighbours per link that count in filing and grouping. */
const NEIGHBOURS = 32
/** Below this share of all links, neighbours are searched for one link at a time. */
const SPARSE = 0.3
/** Links searched between two yields to the event loop. */
const ROWS_AT_ONCE = 16

const neighboursOf = (matrix: Matrix, id: number, floor: number): ReadonlyArray<Neighbour> => {
  const vector = matrix.vector(id)
  return vector === undefined
    ? []
    : matrix.nearest(vector, NEIGHBOURS + 1).filter((one) => one.id !== id && one.similarity >= floor)
}

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
const findNeighbours = Effect.fn("FilingPlan.neighbours")(function* (
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
  let left = matrix.size
  for (const some of matrix.allNeighbours(NEIGHBOURS, floor)) {
    for (const { id, matches } of some) if (asked.has(id)) near.add(id, matches)
    left -= some.length
    // The pairs of the rows that are left are still to be compared.
    yield* progress(1 - (left / matrix.size) ** 2)
    yield* yieldToEventLoop
  }
  return near
})

/** Plans where the unfiled links belong: first into existing collections, then into new ones. Changes nothing. */
export class FilingPlan extends Context.Tag("FilingPlan")<
  FilingPlan,
  { readonly plan: (embedder: EmbedderInUse) => Stream.Stream<FilingStep> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const index = yield* VectorIndex
      const store = yield* FilingStore

      const countWords = Effect.gen(function* () {
        const namer = new CollectionNamer()
        yield* eachRow(store.profiles, (profile) => namer.add(profile))
        return namer
      })

      const withTitles = Effect.fnUntraced(function* (moves: ReadonlyArray<Omit<Move, "title">>) {
        const places = yield* store.places(moves.map(({ id }) => id))
        const titles = new Map(places.map(({ id, title }) => [Number(id), title]))
        return moves.map((move): Move => ({ ...move, title: titles.get(move.id) ?? "" }))
      })

      const work = Effect.fnUntraced(function* (
        embedder: EmbedderInUse,
        emit: (step: FilingStep) => Effect.Effect<void>
      ) {
        const { threshold } = embedder
        const unfiled = yield* store.unfiled
        const total = unfiled.length
        const progress = (share: number) => emit(progressStep(share, total))
        const matrix = yield* index.matrix(embedder)
        const memberships = yield* store.memberships
        const refusals = yield* store.refusals

        const near = yield* findNeighbours(matrix, unfiled, threshold - SLACK, (share) =>
          progress(SEARCHING * share)
        )
        const remaining = new Set(unfiled)

        const namer = yield* countWords
        const names = new Map((yield* store.collections).map(({ id, name }) => [id, name]))
        const moves: Array<Omit<Move, "title">> = []
        const move = (id: number, to: string, because: ReadonlyArray<Neighbour>, similarity: number) => {
          remaining.delete(id)
          moves.push({ ...rounded({ id, similarity }), to, because: because.slice(0, REASONS).map(rounded) })
        }
        for (const id of unfiled) {
          const refused = refusals.get(id) ?? []
          const voters = near.of(id).map((one) => {
            const collection = memberships.get(one.id) ?? null
            return {
              ...one,
              collection: collection !== null && refused.includes(collection) ? null : collection
            }
          })
          const best = bestCollection(voters, threshold)
          if (best !== undefined) move(id, names.get(best.collection) ?? "", best.because, best.score)
        }

        const grouping = clusters({
          ids: [...remaining],
          vectorOf: (id) => matrix.vector(id) ?? new Float32Array(embedder.dimensions),
          neighboursOf: (id) => near.of(id),
          threshold,
          least: LEAST_GROUP
        })
        let step = grouping.next()
        for (; !step.done; step = grouping.next()) {
          yield* progress(SEARCHING + (1 - SEARCHING) * step.value)
          yield* yieldToEventLoop
        }
        const taken = [...names.values()]
        for (const group of step.value) {
          const name = namer.name(yield* store.profilesOf(group), taken)
          taken.push(name)
          const members = new Set(group)
          for (const id of group) {
            const inside = near.of(id).filter((one) => members.has(one.id))
            const closest = inside[0]?.similarity ?? threshold
            move(id, name, inside, closest)
          }
          yield* yieldToEventLoop
        }
        // In batches: the receiver would be blocked by 100,000 moves at once.
        for (const some of Arr.chunksOf(moves, MOVES_AT_ONCE)) {
          yield* emit({ type: "moves", moves: yield* withTitles(some) })
          yield* yieldToEventLoop
        }
        yield* emit({ type: "end", formed: taken.slice(names.size) })
      })

      return {
        plan: (embedder) => streamOfSteps((emit) => work(embedder, emit))
      }
    })
  )
}
