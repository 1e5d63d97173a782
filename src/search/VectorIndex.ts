import { Context, Effect, Layer, Option } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import { nextTurn } from "../runtime/Scheduling.ts"
import { type VectorSource, VectorStore } from "../store/vectors/VectorStore.ts"
import { type Matrix, makeMatrix } from "./kernel/Matrix.ts"
import { dot } from "./Quantize.ts"

/** Rows read at a time, so that the event loop turns in between. */
const CHUNK = 2_000
/** How many candidates of the int8 scan are rescored with their stored values, and at least how many. */
const CANDIDATES = 3
const LEAST_CANDIDATES = 60

interface Loaded {
  readonly embedder: number
  readonly matrix: Matrix
  stamp: string
  revision: number
  removed: number
}

/** The nearest links of a table of vectors, and the table in memory. */
interface Nearest {
  /** The `k` links nearest to a unit vector of this embedder, best first. `among` narrows to some links. */
  readonly nearest: (
    embedder: EmbedderInUse,
    vector: Float32Array,
    k: number,
    among?: ReadonlySet<number>
  ) => Effect.Effect<ReadonlyArray<Neighbour>>
  /** The matrix itself, in step with the table. It changes with the next call. */
  readonly matrix: (embedder: EmbedderInUse) => Effect.Effect<Matrix>
}

/** An index over this source, which keeps in step with it by itself. */
export const makeVectorIndex = (store: VectorSource): Nearest => {
  const permit = Effect.unsafeMakeSemaphore(1)
  let loaded: Loaded | undefined

  const takeOver = Effect.fnUntraced(function* (index: Loaded) {
    // Removals first: a link that was removed and came back is among the rows.
    const gone = yield* store.removedSince(index.embedder, index.removed)
    for (const id of gone.ids) index.matrix.remove(id)
    index.removed = gone.revision
    for (;;) {
      const rows = yield* store.since(index.embedder, index.revision, CHUNK)
      for (const { codes, linkId, scale } of rows) index.matrix.set(linkId, codes, scale)
      index.revision = rows.at(-1)?.revision ?? index.revision
      if (rows.length < CHUNK) break
      yield* nextTurn
    }
  })

  const inStep = Effect.fnUntraced(function* (embedder: EmbedderInUse) {
    if (loaded?.embedder !== embedder.id)
      loaded = {
        embedder: embedder.id,
        matrix: makeMatrix(embedder.dimensions),
        stamp: "",
        revision: 0,
        removed: yield* store.lastRemoval
      }
    const stamp = yield* store.stamp
    if (stamp !== loaded.stamp) {
      yield* takeOver(loaded)
      loaded.stamp = stamp
    }
    return loaded.matrix
  })
  const matrix = (embedder: EmbedderInUse) => permit.withPermits(1)(inStep(embedder))

  const nearest = Effect.fn("VectorIndex.nearest")(function* (
    embedder: EmbedderInUse,
    vector: Float32Array,
    k: number,
    among?: ReadonlySet<number>
  ) {
    const rows = yield* matrix(embedder)
    const candidates = rows.nearest(vector, Math.max(CANDIDATES * k, LEAST_CANDIDATES), among)
    const floats = yield* store.floats(
      embedder.id,
      candidates.map(({ id }) => id)
    )
    return candidates
      .flatMap(({ id }) => {
        const exact = floats.get(id)
        return exact === undefined ? [] : [{ id, similarity: Math.min(dot(vector, exact), 1) }]
      })
      .sort((a, b) => b.similarity - a.similarity || b.id - a.id)
      .slice(0, k)
  })
  return { matrix, nearest }
}

/**
 * The semantic index: every link's vector in memory, scanned in whole (exact, no approximate graph), the best rescored
 * with their stored values.
 *
 * It holds nothing of its own: before each answer it takes over what has changed in the vectors' table, so that it is
 * in step with the table after every commit, and after a crash too.
 */
export class VectorIndex extends Context.Tag("VectorIndex")<VectorIndex, Nearest>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* VectorStore
      const index = makeVectorIndex(store)
      // Loaded before the service says that it is ready.
      const inUse = yield* store.busiest
      if (Option.isSome(inUse)) yield* index.matrix(inUse.value)
      return index
    })
  )
}
