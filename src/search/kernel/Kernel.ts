import { readFileSync } from "node:fs"
import wasmFile from "./kernel.wasm" with { type: "file" }

/**
 * The vector index's inner loops over one memory. Addresses and counts are integers; addresses are in bytes, below 2 GiB.
 *
 * A row is 16 bytes of header (float32 scale, 4 bytes unused, float64 id), then its int8 codes. A dead row's scale is NaN,
 * so every comparison rejects it.
 *
 * A heap holds the best scores: int32 size, int32 capacity, float32 floor (which a score must exceed), 4 bytes unused,
 * then the entries (float32 score, uint32 slot), lowest first.
 */
export interface Kernel {
  /**
   * Sets the bytes of codes per row (a multiple of 16), the address from which memory is the kernel's, and the address of
   * the first row, 0 if the rows come after that memory. Returns the address of the first row.
   */
  readonly attach: (stride: number, from: number, rows: number) => number
  /** Offers the first `count` rows to a heap, scored with an int16 query. */
  readonly scan: (count: number, query: number, heap: number) => void
  /** Offers the slots of an int32 list to a heap, scored with an int16 query. */
  readonly scoreSlots: (list: number, count: number, query: number, heap: number) => void
  /**
   * Takes `count` rows (at most `BLOCK`) from slot `from` on as block `A`. The first `level` sixteenths (1 to 16) of the
   * dimensions decide which pairs are compared in full. With a `gain` of 0 the rest is bounded (Cauchy-Schwarz), so that
   * the level changes the time, not the result; otherwise the similarity over these dimensions times `gain` is taken as
   * the most that a pair can reach.
   */
  readonly packA: (from: number, count: number, level: number, gain: number) => void
  /** Offers to the heap of each row of block `A` the later rows below `to`; the heaps are `bytes` apart. */
  readonly later: (to: number, heaps: number, bytes: number) => void
  /**
   * Offers each pair of a row of block `A` and a later row in [from, to) to both rows' heaps, which makes all pairs cost
   * half. Every row has a heap, `bytes` apart, from that of the block's first row on.
   */
  readonly pairs: (from: number, to: number, heaps: number, bytes: number) => void
}

/** Bytes before a row's codes. */
export const ROW_HEADER = 16
/** Maximum number of rows in block `A`. */
export const BLOCK = 256

const makeViews = (buffer: ArrayBufferLike) => ({
  buffer,
  bytes: new Int8Array(buffer),
  shorts: new Int16Array(buffer),
  ints: new Int32Array(buffer),
  floats: new Float32Array(buffer),
  doubles: new Float64Array(buffer)
})

/** Returns a function that gives views of the whole memory; call it for each use, because growth empties older views. */
export const viewsOf = (memory: WebAssembly.Memory) => {
  let views = makeViews(memory.buffer)
  return () => {
    if (views.buffer !== memory.buffer) views = makeViews(memory.buffer)
    return views
  }
}

/** Inserts a score above the floor into a heap, replacing the lowest entry of a full heap; returns the new floor. */
const offer = (ints: Int32Array, floats: Float32Array, heap: number, score: number, slot: number): number => {
  const head = heap >> 2
  const entries = head + 4
  const capacity = ints[head + 1] ?? 0
  let size = ints[head] ?? 0
  let at = 0
  const move = (from: number) => {
    floats[entries + 2 * at] = floats[entries + 2 * from] ?? 0
    ints[entries + 2 * at + 1] = ints[entries + 2 * from + 1] ?? 0
    at = from
  }
  if (size < capacity) {
    at = size++
    ints[head] = size
    while (at > 0) {
      const up = (at - 1) >> 1
      if ((floats[entries + 2 * up] ?? 0) <= score) break
      move(up)
    }
  } else {
    for (let down = 1; down < size; down = 2 * at + 1) {
      if (down + 1 < size && (floats[entries + 2 * down + 2] ?? 0) < (floats[entries + 2 * down] ?? 0)) down++
      if ((floats[entries + 2 * down] ?? 0) >= score) break
      move(down)
    }
  }
  floats[entries + 2 * at] = score
  ints[entries + 2 * at + 1] = slot
  if (size === capacity) floats[head + 2] = floats[entries] ?? 0
  return floats[head + 2] ?? 0
}

/** Returns the dot product of a row's codes and an int16 query that starts at index `at`. */
const queryProduct = (
  codes: Int8Array,
  row: number,
  query: Int16Array,
  at: number,
  stride: number
): number => {
  let x = 0
  let y = 0
  for (let k = 0; k < stride; k += 8) {
    x =
      (x +
        Math.imul(codes[row + k] ?? 0, query[at + k] ?? 0) +
        Math.imul(codes[row + k + 1] ?? 0, query[at + k + 1] ?? 0) +
        Math.imul(codes[row + k + 2] ?? 0, query[at + k + 2] ?? 0) +
        Math.imul(codes[row + k + 3] ?? 0, query[at + k + 3] ?? 0)) |
      0
    y =
      (y +
        Math.imul(codes[row + k + 4] ?? 0, query[at + k + 4] ?? 0) +
        Math.imul(codes[row + k + 5] ?? 0, query[at + k + 5] ?? 0) +
        Math.imul(codes[row + k + 6] ?? 0, query[at + k + 6] ?? 0) +
        Math.imul(codes[row + k + 7] ?? 0, query[at + k + 7] ?? 0)) |
      0
  }
  return (x + y) | 0
}

/** Returns the dot product of the bytes in [a, end) and as many from `b` on, a multiple of 8. */
const product = (bytes: Int8Array, a: number, end: number, b: number): number => {
  const by = b - a
  let x = 0
  let y = 0
  for (let k = a; k < end; k += 8) {
    x =
      (x +
        Math.imul(bytes[k] ?? 0, bytes[k + by] ?? 0) +
        Math.imul(bytes[k + 1] ?? 0, bytes[k + by + 1] ?? 0) +
        Math.imul(bytes[k + 2] ?? 0, bytes[k + by + 2] ?? 0) +
        Math.imul(bytes[k + 3] ?? 0, bytes[k + by + 3] ?? 0)) |
      0
    y =
      (y +
        Math.imul(bytes[k + 4] ?? 0, bytes[k + by + 4] ?? 0) +
        Math.imul(bytes[k + 5] ?? 0, bytes[k + by + 5] ?? 0) +
        Math.imul(bytes[k + 6] ?? 0, bytes[k + by + 6] ?? 0) +
        Math.imul(bytes[k + 7] ?? 0, bytes[k + by + 7] ?? 0)) |
      0
  }
  return (x + y) | 0
}

/** Allowance for rounding errors in an upper bound. */
const ROUNDING = 1e-9

/**
 * A kernel in plain TypeScript, for engines that reject SIMD (those on an x86-64 without AVX). Gives the same results as
 * `kernel.as`, in about twelve times the time.
 */
const makePortableKernel = (memory: WebAssembly.Memory): Kernel => {
  const views = viewsOf(memory)
  let rows = 0
  let stride = 0
  const codesOf = (slot: number) => rows + slot * (ROW_HEADER + stride) + ROW_HEADER
  const scaleOf = (slot: number) => views().floats[(codesOf(slot) - ROW_HEADER) >> 2] ?? 0

  /** Block `A`: its first slot, and per row the scale, the norm beyond the prefix, and the floor of its heap. */
  let aFrom = 0
  let aCount = 0
  let prefix = 0
  let aGain = 0
  const aScale = new Float64Array(BLOCK)
  const aTail = new Float64Array(BLOCK)
  const aFloor = new Float64Array(BLOCK)

  const tailOf = (slot: number) => {
    const [from, end] = [codesOf(slot) + prefix, codesOf(slot) + stride]
    return Math.sqrt(product(views().bytes, from, end, from)) * scaleOf(slot)
  }

  const floorOf = (heap: number) => views().floats[(heap >> 2) + 2] ?? 0

  /** Offers a slot to a heap with this floor, scored with an int16 query; returns the new floor. */
  const score = (slot: number, query: number, heap: number, floor: number) => {
    const { bytes, floats, ints, shorts } = views()
    const whole = queryProduct(bytes, codesOf(slot), shorts, query >> 1, stride)
    const similarity = Math.fround(Math.fround(whole) * scaleOf(slot))
    return similarity > floor ? offer(ints, floats, heap, similarity, slot) : floor
  }

  /**
   * Offers the pairs of a row of block `A` and a later one in [from, to) to the first row's heap, with `both` to both rows'.
   * The product over the prefix and the Cauchy-Schwarz bound on the rest decide whether a pair is compared in full.
   */
  const compare = (from: number, to: number, heaps: number, heapBytes: number, both: boolean) => {
    const { bytes, floats, ints } = views()
    for (let i = 0; i < aCount; i++) aFloor[i] = floorOf(heaps + i * heapBytes)
    for (let b = Math.max(aFrom, from); b < to; b++) {
      const other = codesOf(b)
      const scale = scaleOf(b)
      const tail = tailOf(b)
      const heap = heaps + (b - aFrom) * heapBytes
      let floor = both ? floorOf(heap) : Number.POSITIVE_INFINITY
      for (let i = 0; i < Math.min(aCount, b - aFrom); i++) {
        const codes = codesOf(aFrom + i)
        const part = product(bytes, codes, codes + prefix, other)
        const alike = part * (aScale[i] ?? 0) * scale
        const most = (aGain === 0 ? alike + (aTail[i] ?? 0) * tail : aGain * alike) + ROUNDING
        // False for a dead row, whose scale makes `most` NaN.
        if (!(most > Math.min(aFloor[i] ?? 0, floor))) continue
        const rest = product(bytes, codes + prefix, codes + stride, other + prefix)
        const score = Math.fround((part + rest) * (aScale[i] ?? 0) * scale)
        if (score > (aFloor[i] ?? 0)) aFloor[i] = offer(ints, floats, heaps + i * heapBytes, score, b)
        if (score > floor) floor = offer(ints, floats, heap, score, aFrom + i)
      }
      // A row of the block has one heap, whichever side of a pair it is on.
      if (both && b < aFrom + aCount) aFloor[b - aFrom] = floor
    }
  }

  return {
    attach: (rowCodes, from, first) => {
      stride = rowCodes
      rows = first === 0 ? from : first
      return rows
    },
    // The same order as in `kernel.as`, because it decides which of two equal scores stays.
    scan: (count, query, heap) => {
      const quarter = count >> 2
      let floor = floorOf(heap)
      for (let first = 0; first < quarter; first++)
        for (let slot = first; slot < 4 * quarter; slot += quarter) floor = score(slot, query, heap, floor)
      for (let slot = 4 * quarter; slot < count; slot++) floor = score(slot, query, heap, floor)
    },
    scoreSlots: (list, count, query, heap) => {
      let floor = floorOf(heap)
      for (let i = 0; i < count; i++) floor = score(views().ints[(list >> 2) + i] ?? 0, query, heap, floor)
    },
    packA: (from, count, level, gain) => {
      aFrom = from
      aCount = count
      aGain = gain
      prefix = (((stride * level) >> 4) + 15) & ~15
      for (let i = 0; i < count; i++) {
        aScale[i] = scaleOf(from + i)
        aTail[i] = tailOf(from + i)
      }
    },
    later: (to, heaps, heapBytes) => compare(aFrom, to, heaps, heapBytes, false),
    pairs: (from, to, heaps, heapBytes) => compare(from, to, heaps, heapBytes, true)
  }
}

/** A kernel build: SIMD in WebAssembly, or plain TypeScript. */
export type Build = "simd" | "portable"

const exportNames = ["attach", "scan", "scoreSlots", "packA", "later", "pairs"]

const isKernel = (exports: object): exports is Kernel =>
  exportNames.every((name) => typeof Reflect.get(exports, name) === "function")

let compiled: WebAssembly.Module | undefined

const simdModule = () => {
  compiled ??= new WebAssembly.Module(readFileSync(wasmFile))
  return compiled
}

let best: Build | undefined

/** The build that this engine runs fastest: it rejects the SIMD kernel's bytes on an x86-64 without AVX. */
const bestBuild = (): Build => {
  best ??= WebAssembly.validate(readFileSync(wasmFile)) ? "simd" : "portable"
  return best
}

/** Binds a kernel to a memory, compiling it once per thread; `build` defaults to the fastest one. */
export const makeKernel = (memory: WebAssembly.Memory, build = bestBuild()): Kernel => {
  if (build === "portable") return makePortableKernel(memory)
  const { exports } = new WebAssembly.Instance(simdModule(), { env: { memory } })
  if (!isKernel(exports)) throw new Error("the kernel lacks an export; rebuild it with build.ts")
  return exports
}
