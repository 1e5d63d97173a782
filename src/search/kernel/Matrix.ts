import type { Neighbour } from "../../domain/Enrichment.ts"
import type { Pair } from "../../organize/Duplicates.ts"
import { BOARD_BYTES, type Comparison, takePart } from "./Comparison.ts"
import { BLOCK, type Build, makeKernel, ROW_HEADER, viewsOf } from "./Kernel.ts"
import { choosePrefixFilter, LEVELS, type Parts, type PrefixFilter } from "./PrefixFilter.ts"

/** The nearest other rows of each row. */
interface Neighbourhoods {
  /** Returns those of a row, most similar first. */
  readonly of: (id: number) => ReadonlyArray<Neighbour>
}

/** How `compareAll` compares. */
interface ComparisonOptions {
  /** Number of rows from which it chooses a filter; 20,000 by default. */
  readonly large?: number
  /** Called once with the work, for another thread to take part in it (`helpCompare`). */
  readonly share?: (comparison: Comparison) => void
}

/**
 * Int8 rows in one WebAssembly memory, searchable by cosine similarity. A row has a slot, a small integer that a removed
 * row leaves to a new one. Every search returns at most 40,000 results per row.
 */
export interface Matrix {
  readonly size: number
  /** Exclusive upper bound of the slots in use, for `from` and `to`. */
  readonly slots: number
  /** Adds or replaces a row; a scale of 0 means a zero vector, which is stored but never matches. */
  readonly set: (id: number, codes: Int8Array, scale: number) => void
  readonly remove: (id: number) => void
  /** Returns a row's vector as reconstructed from its codes. */
  readonly vector: (id: number) => Float32Array | undefined
  /** Returns the k rows nearest to a unit vector by the codes, best first; `among` restricts the search. */
  readonly nearest: (query: Float32Array, k: number, among?: ReadonlySet<number>) => ReadonlyArray<Neighbour>
  /** Returns the rows with these ids by their similarity to a row, most similar first; none without that row. */
  readonly compare: (id: number, others: ReadonlySet<number>) => ReadonlyArray<Neighbour>
  /**
   * Returns, for each row, its k nearest other rows by the codes, none below `floor`; yields the share done about every 20
   * milliseconds. Each pair is compared once. A large matrix chooses a filter (`PrefixFilter`), which overlooks one of some
   * thousand neighbours and halves the time. Needs memory for the results of all rows (16 + 8 k bytes each). The matrix
   * must not change meanwhile, nor as long as the result is in use.
   */
  readonly compareAll: (
    k: number,
    floor: number,
    options?: ComparisonOptions
  ) => Generator<number, Neighbourhoods>
  /**
   * Returns the pairs with a similarity of at least `threshold` by the codes, whose row `a` is in slots [from, to) and
   * before row `b`; for each row `a` the `most` most similar.
   */
  readonly pairs: (threshold: number, from: number, to: number, most: number) => ReadonlyArray<Pair>
}

const PAGE = 65_536
/** Pages by which the memory grows. */
const GROWTH = 64
/** 2 GiB: 4 million rows of 512 dimensions. */
const MOST_PAGES = 32_768
/** Maximum number of slots in a list passed to the kernel. */
const LIST = 65_536
/** Number of rows from which comparing all pairs takes longer than choosing a filter: 3 seconds. */
const LARGE = 20_000
/** Rows of the sample for the filter, rows that each is compared with, and searches between two yields. */
const SAMPLED = 64
const COMPARED = 200
const SEARCHED_AT_ONCE = 4
/** Maximum number of results per row. */
const MOST_RESULTS = 40_000
/** Bytes for heaps: one of `MOST_RESULTS`, or those of a block of rows with 500 each. */
const HEAPS = 1 << 20

const heapBytes = (k: number) => 16 + 8 * k

const compareNeighbours = (a: Neighbour, b: Neighbour) => b.similarity - a.similarity || a.id - b.id

/**
 * Returns how many sixteenths of the dimensions to multiply before testing whether a pair can still reach a similarity:
 * the fewest that exclude most pairs of real links.
 */
const levelFor = (similarity: number) => Math.min(16, Math.max(1, Math.ceil((1.1 - similarity) * 16)))

/** Creates an empty matrix for vectors of `dimensions` components (1 to 4096); `build` forces a kernel build. */
export const makeMatrix = (dimensions: number, build?: Build): Matrix => {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 4096)
    throw new RangeError(`a matrix has 1 to 4096 dimensions, not ${dimensions}`)
  const stride = (dimensions + 15) & ~15
  const rowBytes = ROW_HEADER + stride
  // Shared, so that another thread can help to compare all rows.
  const memory = new WebAssembly.Memory({ initial: GROWTH, maximum: MOST_PAGES, shared: true })
  const views = viewsOf(memory)
  const kernel = makeKernel(memory, build)
  // The memory holds the query, a list of slots, heaps, the kernel's own, and the rows.
  const query = 0
  const list = query + 2 * stride
  const heaps = list + 4 * LIST
  const own = heaps + HEAPS
  const rows = kernel.attach(stride, own, 0)

  const slotOf = new Map<number, number>()
  const free: Array<number> = []
  const slots = () => slotOf.size + free.length
  const rowOf = (slot: number) => rows + slot * rowBytes
  const scaleAt = (slot: number) => views().floats[rowOf(slot) >> 2] ?? 0
  const idAt = (slot: number) => views().doubles[(rowOf(slot) >> 3) + 1] ?? 0

  const freshSlot = () => {
    // With no slot free, slots 0 to `slotOf.size - 1` are all in use, so the next one is new.
    const slot = slotOf.size
    if (rowOf(slot + 1) > memory.buffer.byteLength) memory.grow(GROWTH)
    return slot
  }

  // Small enough that no dot product with a row overflows 32 bits.
  const largestCode = Math.min(32_767, Math.floor(2 ** 31 / (128 * stride)) - 1)

  /** Stores a vector as the query; returns the factor from scores to similarities, 0 if it is zero or not finite. */
  const prepare = (vector: Float32Array) => {
    // NaN propagates through Math.max.
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (!(largest > 1e-30 && largest < Number.POSITIVE_INFINITY)) return 0
    const { shorts } = views()
    vector.forEach((value, k) => {
      shorts[(query >> 1) + k] = Math.round((value * largestCode) / largest)
    })
    return largest / largestCode
  }

  /** Prepares `count` empty heaps of `k` entries that accept scores above `floor`. */
  const emptyHeaps = (count: number, k: number, floor: number, from = heaps) => {
    const { floats, ints } = views()
    for (let i = 0; i < count; i++) {
      const head = (from + i * heapBytes(k)) >> 2
      ints[head] = 0
      ints[head + 1] = k
      floats[head + 2] = floor
    }
  }

  /** Returns a heap's entries, in no particular order. */
  const entries = (heap: number) => {
    const { floats, ints } = views()
    const head = heap >> 2
    return Array.from({ length: ints[head] ?? 0 }, (_, i) => ({
      score: floats[head + 4 + 2 * i] ?? 0,
      slot: ints[head + 5 + 2 * i] ?? 0
    }))
  }

  /** Offers the rows with these ids to the first heap. */
  const scoreIds = (ids: ReadonlySet<number>) => {
    const slots: Array<number> = []
    for (const id of ids) {
      const slot = slotOf.get(id)
      if (slot !== undefined) slots.push(slot)
    }
    for (let from = 0; from < slots.length; from += LIST) {
      const part = slots.slice(from, from + LIST)
      views().ints.set(part, list >> 2)
      kernel.scoreSlots(list, part.length, query, heaps)
    }
  }

  /** A row's matches in a heap, most similar first. */
  const matchesIn = (heap: number, least: number) => {
    const { floats, ints } = views()
    const head = heap >> 2
    const end = head + 4 + 2 * (ints[head] ?? 0)
    const found: Array<Neighbour> = []
    // A loop, because it runs for every row of the library.
    for (let at = head + 4; at < end; at += 2) {
      const similarity = floats[at] ?? 0
      if (similarity >= least) found.push({ id: idAt(ints[at + 1] ?? 0), similarity })
    }
    return found.sort(compareNeighbours)
  }

  const pairs = (threshold: number, from: number, to: number, k: number): ReadonlyArray<Pair> => {
    const found: Array<Pair> = []
    const most = Math.min(Math.floor(k), slots(), MOST_RESULTS)
    if (!(most >= 1)) return found
    const bytes = heapBytes(most)
    const step = Math.min(BLOCK, Math.floor(HEAPS / bytes))
    // Scores are float32 numbers.
    const least = Math.fround(threshold)
    const end = Math.min(to, slots())
    for (let first = Math.max(0, from); first < end; first += step) {
      const count = Math.min(step, end - first)
      // The kernel accepts only scores above a heap's floor, but a score equal to `threshold` counts too.
      emptyHeaps(count, most, threshold - 1e-6)
      kernel.packA(first, count, levelFor(threshold), 0)
      kernel.later(slots(), heaps, bytes)
      for (let i = 0; i < count; i++) {
        const a = idAt(first + i)
        for (const { id: b, similarity } of matchesIn(heaps + i * bytes, least))
          found.push({ a, b, similarity })
      }
    }
    return found
  }

  const vector = (slot: number) => {
    const scale = scaleAt(slot)
    const { bytes } = views()
    const from = rowOf(slot) + ROW_HEADER
    const values = new Float32Array(dimensions)
    if (!Number.isNaN(scale)) for (let k = 0; k < dimensions; k++) values[k] = (bytes[from + k] ?? 0) * scale
    return values
  }

  /** Stores a row as the query; returns the factor from scores to similarities, 0 for a zero vector. */
  const prepareRow = (slot: number) => {
    const scale = scaleAt(slot)
    const { bytes, shorts } = views()
    const from = rowOf(slot) + ROW_HEADER
    for (let k = 0; k < dimensions; k++) shorts[(query >> 1) + k] = bytes[from + k] ?? 0
    return Number.isNaN(scale) ? 0 : scale
  }

  /** Returns the similarities of rows that were found with a query of this scale, most similar first. */
  const ranked = (found: ReadonlyArray<{ readonly score: number; readonly slot: number }>, scale: number) =>
    found.map(({ score, slot }) => ({ id: idAt(slot), similarity: score * scale })).sort(compareNeighbours)

  /** Returns the rows nearest to the prepared query, in no particular order. */
  const scanned = (most: number, among?: ReadonlySet<number>) => {
    emptyHeaps(1, most, Number.NEGATIVE_INFINITY)
    if (among === undefined) kernel.scan(slots(), query, heaps)
    else scoreIds(among)
    return entries(heaps)
  }

  /** Returns the similarity of two rows over the dimensions that the kernel packs at each level. */
  const partsOf = (a: number, b: number): Parts => {
    const { bytes } = views()
    const [x, y] = [rowOf(a) + ROW_HEADER, rowOf(b) + ROW_HEADER]
    const scale = scaleAt(a) * scaleAt(b)
    const parts: Array<number> = []
    let sum = 0
    for (let level = 1, at = 0; level <= LEVELS; level++) {
      for (const end = (((stride * level) >> 4) + 15) & ~15; at < end; at++)
        sum += (bytes[x + at] ?? 0) * (bytes[y + at] ?? 0)
      parts.push(sum * scale)
    }
    return parts
  }

  /** Chooses the filter for `allNeighbours` by the nearest rows of a few rows; yields between its searches. */
  function* sampledFilter(k: number, floor: number): Generator<undefined, PrefixFilter | undefined> {
    const count = slots()
    const sample = Array.from({ length: SAMPLED }, (_, i) => Math.floor(((i + 0.5) * count) / SAMPLED))
    const near: Array<Parts> = []
    const leasts: Array<number> = []
    for (const [i, slot] of sample.entries()) {
      if (i % SEARCHED_AT_ONCE === 0) yield
      const scale = prepare(vector(slot))
      const found =
        scale === 0 ? [] : scanned(k + 1).filter((one) => one.slot !== slot && one.score * scale >= floor)
      near.push(...found.map((one) => partsOf(slot, one.slot)))
      leasts.push(found.length < k ? floor : Math.min(...found.map((one) => one.score * scale)))
    }
    const others = sample.flatMap((slot, i) =>
      Array.from({ length: COMPARED }, (_, j) => ({
        parts: partsOf(slot, Math.floor(((j + 0.25) * count) / COMPARED)),
        least: Math.min(leasts[i] ?? floor, leasts[(i + j) % SAMPLED] ?? floor)
      }))
    )
    return choosePrefixFilter(near, others, levelFor(floor))
  }

  function* compareAll(
    k: number,
    floor: number,
    { large = LARGE, share }: ComparisonOptions = {}
  ): Generator<number, Neighbourhoods> {
    const count = slots()
    const most = Math.min(Math.floor(k), count, MOST_RESULTS)
    if (!(most >= 1)) return { of: () => [] }
    const filtering = sampledFilter(most, floor)
    let chosen = count < large ? undefined : filtering.next()
    for (; chosen?.done === false; chosen = filtering.next()) yield 0
    const bytes = heapBytes(most)
    // The heaps lie behind the rows, where the next row would be; behind them what a second thread needs.
    const all = (rowOf(count) + 15) & ~15
    const board = all + count * bytes
    const second = (board + BOARD_BYTES + 15) & ~15
    const lacking = second + rows - own - memory.buffer.byteLength
    if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE))
    emptyHeaps(count, most, floor - 1e-6, all)
    views().bytes.fill(0, board, board + BOARD_BYTES)
    const comparison: Comparison = {
      ...{ memory, build, stride, rows, count, board, second },
      filter: chosen?.value ?? { level: levelFor(floor), gain: 0 },
      heaps: all,
      heapBytes: bytes
    }
    share?.(comparison)
    yield* takePart(comparison, kernel)
    const least = Math.fround(floor)
    return {
      of: (id) => {
        const slot = slotOf.get(id)
        return slot === undefined ? [] : matchesIn(all + slot * bytes, least)
      }
    }
  }

  return {
    get size() {
      return slotOf.size
    },
    get slots() {
      return slots()
    },
    set: (id, codes, scale) => {
      if (codes.length !== dimensions)
        throw new RangeError(`a row of ${codes.length} dimensions for a matrix of ${dimensions}`)
      const slot = slotOf.get(id) ?? free.pop() ?? freshSlot()
      const { bytes, doubles, floats } = views()
      bytes.set(codes, rowOf(slot) + ROW_HEADER)
      floats[rowOf(slot) >> 2] = scale > 0 ? scale : Number.NaN
      doubles[(rowOf(slot) >> 3) + 1] = id
      slotOf.set(id, slot)
    },
    remove: (id) => {
      const slot = slotOf.get(id)
      if (slot === undefined) return
      views().floats[rowOf(slot) >> 2] = Number.NaN
      slotOf.delete(id)
      free.push(slot)
    },
    vector: (id) => {
      const slot = slotOf.get(id)
      return slot === undefined ? undefined : vector(slot)
    },
    nearest: (wanted, k, among) => {
      if (wanted.length !== dimensions)
        throw new RangeError(`a query of ${wanted.length} dimensions for a matrix of ${dimensions}`)
      const most = Math.min(Math.floor(k), slotOf.size, MOST_RESULTS)
      if (!(most >= 1)) return []
      const scale = prepare(wanted)
      if (scale === 0) return []
      return ranked(scanned(most, among), scale)
    },
    compare: (id, others) => {
      const slot = slotOf.get(id)
      const most = Math.min(others.size, slotOf.size, MOST_RESULTS)
      if (slot === undefined || most === 0) return []
      const scale = prepareRow(slot)
      return scale === 0 ? [] : ranked(scanned(most, others), scale)
    },
    compareAll,
    pairs
  }
}
