import type { Kernel } from "./Kernel.ts"
import { CHUNK_ROWS, heapBytes, type MatrixMemory, type makeScratch, type Scored } from "./MatrixMemory.ts"

/** Number of runs between the starts of two trials, and number of runs in a trial. */
const EVERY = 512
const TRIAL = 16

/**
 * Picks the faster of two ways to the same result: each trial alternates between them, and the way with the lower
 * minimum time is used until the next trial. Which memory order is faster depends on the processor and on what fits its
 * cache.
 */
export const makeFasterOf = <Way>(ways: readonly [Way, Way], now: () => number = () => performance.now()) => {
  let run = 0
  let first = Number.POSITIVE_INFINITY
  let second = Number.POSITIVE_INFINITY
  return (use: (way: Way) => void): void => {
    const turn = run++ % EVERY
    if (turn === 0) first = second = Number.POSITIVE_INFINITY
    const way = (turn < TRIAL ? turn % 2 === 0 : first <= second) ? 0 : 1
    const start = now()
    use(ways[way])
    if (turn >= TRIAL) return
    if (way === 0) first = Math.min(first, now() - start)
    else second = Math.min(second, now() - start)
  }
}

/** A row of a matrix and its similarity to the query: the cosine, for unit vectors. */
export interface Match {
  readonly id: number
  readonly similarity: number
}

/** Ids to search among: a set or a predicate. */
export type IdFilter = ReadonlySet<number> | ((id: number) => boolean)

/** Compares matches: best first, equal ones by ascending id. */
export const compareMatches = (a: Match, b: Match) => b.similarity - a.similarity || a.id - b.id

/** Below this many rows, both scan orders run equally fast from the cache. */
const TRIAL_ROWS = 16384

/** Builds the nearest-row search on one thread's kernel. */
export const makeNearest = (
  rows: MatrixMemory,
  kernel: Kernel,
  scratch: ReturnType<typeof makeScratch>,
  slotOf: (id: number) => number | undefined
) => {
  const pick = makeFasterOf([kernel.scanInStreams, kernel.scanInOrder])

  const scan = (slots: number, query: number, heap: number) => {
    const through = (run: Kernel["scanInOrder"]) => {
      for (let first = 0; first < slots; first += CHUNK_ROWS)
        run(first, Math.min(CHUNK_ROWS, slots - first), query, heap)
    }
    if (slots < TRIAL_ROWS) through(kernel.scanInStreams)
    else pick(through)
  }

  const listed = (slots: ReadonlyArray<number>, k: number): Array<Scored> => {
    const heap = scratch.emptyHeaps(1, k, Number.NEGATIVE_INFINITY)
    scratch.scoreSlots(slots, heap)
    return scratch.entries(heap)
  }

  /** Returns the k best rows; the 7-bit query only selects the candidates, which the int16 query then ranks. */
  const best = (slots: number, k: number): Array<Scored> => {
    if (!kernel.relaxed) {
      const heap = scratch.emptyHeaps(1, k, Number.NEGATIVE_INFINITY)
      scan(slots, scratch.wide, heap)
      return scratch.entries(heap)
    }
    const candidates = k + (k >> 1) + 16
    const heap = scratch.emptyHeaps(2, candidates, Number.NEGATIVE_INFINITY)
    const ranked = heap + heapBytes(candidates)
    scratch.limit(ranked, k)
    scan(slots, scratch.narrow, heap)
    kernel.refine(heap, scratch.wide, ranked)
    return scratch.entries(ranked)
  }

  const accepted = (slots: number, k: number, accept: (id: number) => boolean) => {
    // Most filters accept enough of the top rows. Those are then exact, because they are a prefix of the ranking.
    const top = best(slots, 4 * k)
    const passed = top.filter(({ slot }) => accept(kernel.idOf(slot)))
    if (passed.length >= k || top.length < 4 * k) return passed
    const among: Array<number> = []
    for (let slot = 0; slot < slots; slot++) {
      const id = kernel.idOf(slot)
      if (!Number.isNaN(id) && accept(id)) among.push(slot)
    }
    return listed(among, k)
  }

  const within = (ids: ReadonlySet<number>, k: number) => {
    const slots: Array<number> = []
    for (const id of ids) {
      const slot = slotOf(id)
      if (slot !== undefined) slots.push(slot)
    }
    return listed(
      slots.sort((a, b) => a - b),
      k
    )
  }

  return (query: Float32Array, k: number, among?: IdFilter): ReadonlyArray<Match> => {
    if (query.length !== rows.dimensions)
      throw new RangeError(`a query of ${query.length} dimensions for a matrix of ${rows.dimensions}`)
    const slots = rows.slots()
    const size = rows.size()
    const most = Math.min(Math.floor(k), size)
    const scale = scratch.prepare(query)
    if (scale === 0 || !(most > 0)) return []
    const found =
      among === undefined
        ? best(slots, most)
        : typeof among === "function"
          ? accepted(slots, most, among)
          : among.size * 4 < size
            ? within(among, most)
            : accepted(slots, most, (id) => among.has(id))
    return found
      .map(({ slot, score }) => ({ id: kernel.idOf(slot), similarity: score * scale }))
      .sort(compareMatches)
      .slice(0, most)
  }
}
