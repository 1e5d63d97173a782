import { Context, Effect, Layer, Option } from "effect"
import type { EmbedderInUse, Neighbour } from "../domain/Enrichment.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { type VectorSource, VectorStore } from "../store/vectors/VectorStore.ts"
import { type Matrix, makeMatrix } from "./kernel/Matrix.ts"
import { dot } from "./Quantize.ts"

/** Rows per batch; the event loop runs between batches. */
const CHUNK = 1_000
/** Number of int8 candidates that may be rescored with their stored vectors: a multiple of `k`, and a minimum. */
const CANDIDATES = 3
const LEAST_CANDIDATES = 60
/** By how much a similarity by codes may be wrong: ten times the usual error of a link with few words. */
const CODE_ERROR = 0.02

interface Loaded {
  readonly embedder: number
  readonly matrix: Matrix
  stamp: string
  revision: number
  removed: number
}

/** Nearest-link search over a table of vectors, and its in-memory matrix. */
interface Nearest {
  /**
   * Returns the `k` links nearest to a unit vector of this embedder, best first: those among `among` alone, and none with
   * a similarity below `floor`.
   */
  readonly nearest: (
    embedder: EmbedderInUse,
    vector: Float32Array,
    k: number,
    among?: ReadonlySet<number>,
    floor?: number
  ) => Effect.Effect<ReadonlyArray<Neighbour>>
  /** Returns the matrix, synchronised with the table. The next call may change it. */
  readonly matrix: (embedder: EmbedderInUse) => Effect.Effect<Matrix>
}

/**
 * Measures the links' similarity to a unit vector by their own vectors, and returns them best first, without those that
 * have none.
 */
export const rankBySimilarity = <A extends { readonly id: number }>(
  links: ReadonlyArray<A>,
  vector: Float32Array,
  floats: ReadonlyMap<number, Float32Array>
): ReadonlyArray<A & Neighbour> =>
  links
    .flatMap((link) => {
      const exact = floats.get(link.id)
      return exact === undefined ? [] : [{ ...link, similarity: Math.min(dot(vector, exact), 1) }]
    })
    .sort((a, b) => b.similarity - a.similarity || b.id - a.id)

/** Creates an index over this source that synchronises with it before each answer. */
export const makeVectorIndex = (store: VectorSource): Nearest => {
  const permit = Effect.unsafeMakeSemaphore(1)
  let loaded: Loaded | undefined

  /** Frees what reading a whole table leaves behind: cached pages, which searches do not need, and the rows themselves. */
  const freeMemory = Effect.zipRight(
    store.freeCache,
    Effect.sync(() => Bun.gc(true))
  )

  const applyChanges = Effect.fnUntraced(function* (index: Loaded) {
    // Removals first: a link that was removed and added again is among the rows.
    const gone = yield* store.removedSince(index.embedder, index.removed)
    for (const id of gone.ids) index.matrix.remove(id)
    index.removed = gone.revision
    for (let batches = 0; ; batches++) {
      const rows = yield* store.since(index.embedder, index.revision, CHUNK)
      for (const { codes, linkId, scale } of rows) index.matrix.set(linkId, codes, scale)
      index.revision = rows.at(-1)?.revision ?? index.revision
      if (rows.length < CHUNK) {
        if (batches > 0) yield* freeMemory
        return
      }
      yield* yieldToEventLoop
    }
  })

  const currentMatrix = Effect.fnUntraced(function* (embedder: EmbedderInUse) {
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
      yield* applyChanges(loaded)
      loaded.stamp = stamp
    }
    return loaded.matrix
  })
  const matrix = (embedder: EmbedderInUse) => permit.withPermits(1)(currentMatrix(embedder))

  const nearest = Effect.fn("VectorIndex.nearest")(function* (
    embedder: EmbedderInUse,
    vector: Float32Array,
    k: number,
    among?: ReadonlySet<number>,
    floor = Number.NEGATIVE_INFINITY
  ) {
    const rows = yield* matrix(embedder)
    const best = rows.nearest(vector, Math.max(CANDIDATES * k, LEAST_CANDIDATES), among)
    const last = best[k - 1]?.similarity ?? Number.NEGATIVE_INFINITY
    // Both this similarity and the last one's may be wrong.
    const least = Math.max(floor - CODE_ERROR, last - 2 * CODE_ERROR)
    const candidates = best.filter(({ similarity }) => similarity >= least)
    const floats = yield* store.floats(
      embedder.id,
      candidates.map(({ id }) => id)
    )
    return rankBySimilarity(candidates, vector, floats)
      .slice(0, k)
      .filter(({ similarity }) => similarity >= floor)
  })
  return { matrix, nearest }
}

/**
 * The semantic index: every link's vector in memory, scanned in full (exact, no approximate graph), the best candidates
 * rescored with their stored vectors.
 *
 * It owns no data: before each answer it applies the changes in the vectors' table, so it matches the table after every
 * commit, and after a crash too.
 */
export class VectorIndex extends Context.Tag("VectorIndex")<
  VectorIndex,
  Nearest & {
    /** Reads the vectors of the busiest embedder, which the first search would otherwise do. */
    readonly load: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* VectorStore
      const index = makeVectorIndex(store)
      return {
        ...index,
        load: Effect.flatMap(
          store.busiest,
          Option.match({
            onNone: () => Effect.void,
            onSome: (embedder) => Effect.asVoid(index.matrix(embedder))
          })
        )
      }
    })
  )
}
