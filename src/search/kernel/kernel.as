/**
 * Inner loops of the vector index, in AssemblyScript over an imported memory.
 *
 * Rows are stored in chunks of `ROWS`. A chunk is a sequence of planes: the int8 codes (`stride` bytes per row, a
 * multiple of 16), the marks (float32 scale and int32 sum of the codes), the ids (float64), and the squares (int32 sum
 * of the squared codes). A dead row's scale is NaN, so every comparison rejects it.
 *
 * This source is built twice. With relaxed SIMD the scan uses a 7-bit query and the blocks use 6-bit codes.
 */

/** Base-2 logarithm of the rows per chunk. */
const ROWS_LOG2: i32 = 13
const ROWS: i32 = 1 << ROWS_LOG2
/** Rows per block: block `A` stays in place while the blocks `B` pass by. */
const A_ROWS: i32 = 256
const B_ROWS: i32 = 64
/** Bytes per found pair: two slots and a float64 similarity. */
const PAIR: i32 = 16
/** Allowance for float32 rounding errors in an upper bound. */
const ROUNDING: f32 = 1e-5

/** Address of the table of chunk addresses (uint32 each). */
let table: usize = 0
/** Bytes per row, and bytes of a chunk's codes. */
let stride: i32 = 0
let plane: usize = 0

/**
 * The packed blocks: the codes, then per row a float32 scale, tail and error, and for `A` also a float32 bound to reach
 * and an int32 lift, which cancels the shift of `B`'s codes.
 */
let aCodes: usize = 0
let aScale: usize = 0
let aTail: usize = 0
let aError: usize = 0
let aBound: usize = 0
let aLift: usize = 0
let bCodes: usize = 0
let bScale: usize = 0
let bTail: usize = 0
let bError: usize = 0

let aFrom: i32 = 0
let aCount: i32 = 0
/** Dimensions of the packed prefix, and bytes per packed row. */
let prefix: i32 = 0
let pitch: usize = 0
/** The largest prefix norm in each block, which bounds the error of the coarse codes. */
let aLongest: f32 = 0
let bLongest: f32 = 0
/** Pairs that passed the bound since the last call of `tested()`. */
let passed: i32 = 0

/** Sets the addresses of the table and of this instance's scratch; returns the scratch's length in bytes. */
export function attach(tableAt: usize, rowBytes: i32, scratch: usize): i32 {
  table = tableAt
  stride = rowBytes
  plane = <usize>stride << ROWS_LOG2
  aCodes = scratch
  bCodes = aCodes + <usize>(A_ROWS * stride * 2)
  aScale = bCodes + <usize>(B_ROWS * stride * 2)
  aTail = aScale + 4 * A_ROWS
  aError = aTail + 4 * A_ROWS
  aBound = aError + 4 * A_ROWS
  aLift = aBound + 4 * A_ROWS
  bScale = aLift + 4 * A_ROWS
  bTail = bScale + 4 * B_ROWS
  bError = bTail + 4 * B_ROWS
  return <i32>(bError + 4 * B_ROWS - scratch)
}

@inline
function chunkOf(slot: i32): usize {
  return <usize>load<u32>(table + (<usize>(slot >> ROWS_LOG2) << 2))
}

@inline
function rowOf(slot: i32): usize {
  return chunkOf(slot) + <usize>(slot & (ROWS - 1)) * <usize>stride
}

@inline
function markOf(slot: i32): usize {
  return chunkOf(slot) + plane + (<usize>(slot & (ROWS - 1)) << 3)
}

@inline
function squareOf(slot: i32): usize {
  return chunkOf(slot) + plane + (ROWS << 4) + (<usize>(slot & (ROWS - 1)) << 2)
}

/** Returns the address of a slot's codes. */
export function codesAt(slot: i32): usize {
  return rowOf(slot)
}

/** Returns a slot's scale; NaN if the row is dead. */
export function scaleOf(slot: i32): f32 {
  return load<f32>(markOf(slot))
}

/** Returns a slot's id. */
export function idOf(slot: i32): f64 {
  return load<f64>(chunkOf(slot) + plane + (ROWS << 3) + (<usize>(slot & (ROWS - 1)) << 3))
}

/** Marks a row dead, so that it no longer matches. */
export function kill(slot: i32): void {
  store<f32>(markOf(slot), f32.NaN)
}

@inline
function sum(v: v128): i32 {
  return (
    i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3)
  )
}

/** Makes a row searchable once its codes are written: stores its marks, square and id. A scale of 0 leaves it dead. */
export function seal(slot: i32, id: f64, scale: f32): void {
  const row = rowOf(slot)
  const ones = i16x8.splat(1)
  let total = i32x4.splat(0)
  let square = i32x4.splat(0)
  for (let k = 0; k < stride; k += 8) {
    const codes = v128.load_ext<i8>(row + k)
    total = i32x4.add(total, i32x4.dot_i16x8_s(codes, ones))
    square = i32x4.add(square, i32x4.dot_i16x8_s(codes, codes))
  }
  store<f64>(chunkOf(slot) + plane + (ROWS << 3) + (<usize>(slot & (ROWS - 1)) << 3), id)
  store<i32>(squareOf(slot), sum(square))
  store<i32>(markOf(slot), sum(total), 4)
  store<f32>(markOf(slot), scale > 0 ? scale : f32.NaN)
}

/**
 * Inserts a score above the floor into a heap, replacing the lowest entry of a full heap; returns the new floor.
 *
 * Layout of a heap of the best scores: int32 size, int32 capacity, float32 floor (which a score must exceed), 4 bytes
 * unused, then the entries (float32 score, uint32 slot), lowest first.
 */
function offer(heap: usize, score: f32, slot: i32): f32 {
  const capacity = load<i32>(heap, 4)
  let size = load<i32>(heap)
  const entries = heap + 16
  let at = 0
  if (size < capacity) {
    at = size++
    store<i32>(heap, size)
    while (at > 0) {
      const up = (at - 1) >> 1
      const above = load<u64>(entries + (<usize>up << 3))
      if (reinterpret<f32>(<u32>above) <= score) break
      store<u64>(entries + (<usize>at << 3), above)
      at = up
    }
  } else {
    for (;;) {
      let down = 2 * at + 1
      if (down >= size) break
      let below = load<u64>(entries + (<usize>down << 3))
      if (down + 1 < size) {
        const other = load<u64>(entries + (<usize>down << 3), 8)
        if (reinterpret<f32>(<u32>other) < reinterpret<f32>(<u32>below)) {
          below = other
          down++
        }
      }
      if (reinterpret<f32>(<u32>below) >= score) break
      store<u64>(entries + (<usize>at << 3), below)
      at = down
    }
  }
  store<f32>(entries + (<usize>at << 3), score)
  store<i32>(entries + (<usize>at << 3), slot, 4)
  if (size == capacity) store<f32>(heap, load<f32>(entries), 8)
  return load<f32>(heap, 8)
}

/** Returns the dot product of a row and an int16 query. */
@inline
function product(row: usize, query: usize): i32 {
  let x = i32x4.splat(0)
  let y = i32x4.splat(0)
  const end = row + <usize>stride
  while (row < end) {
    x = i32x4.add(x, i32x4.dot_i16x8_s(v128.load_ext<i8>(row), v128.load(query)))
    y = i32x4.add(y, i32x4.dot_i16x8_s(v128.load_ext<i8>(row, 8), v128.load(query, 16)))
    row += 16
    query += 32
  }
  return sum(i32x4.add(x, y))
}

/**
 * Rounds the float32 query of `stride` components to int16 (the largest magnitude becoming `most`) and to 7 bits,
 * shifted by 64. Returns the factor that turns scores of the int16 query into similarities; 0 if the query is zero or
 * not finite.
 */
export function prepare(query: usize, wide: usize, narrow: usize, most: f32): f32 {
  let sizes = f32x4.splat(0)
  const end = query + (<usize>stride << 2)
  for (let at = query; at < end; at += 16) sizes = f32x4.max(sizes, f32x4.abs(v128.load(at)))
  // NaN propagates through max().
  const largest = max(
    max(f32x4.extract_lane(sizes, 0), f32x4.extract_lane(sizes, 1)),
    max(f32x4.extract_lane(sizes, 2), f32x4.extract_lane(sizes, 3))
  )
  if (!(largest > 1e-30 && largest < f32.MAX_VALUE)) return 0
  const factor = f32x4.splat(most / largest)
  const coarse = f32x4.splat(63 / largest)
  while (query < end) {
    v128.store(wide, i16x8.narrow_i32x4_s(whole(query, factor), whole(query + 16, factor)))
    v128.store(wide, i16x8.narrow_i32x4_s(whole(query + 32, factor), whole(query + 48, factor)), 16)
    const lo = i16x8.narrow_i32x4_s(whole(query, coarse), whole(query + 16, coarse))
    const hi = i16x8.narrow_i32x4_s(whole(query + 32, coarse), whole(query + 48, coarse))
    v128.store(narrow, i8x16.add(i8x16.narrow_i16x8_s(lo, hi), i8x16.splat(64)))
    query += 64
    wide += 32
    narrow += 16
  }
  return largest / most
}

@inline
function whole(at: usize, factor: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at), factor)))
}

/** Rescores the slots of the heap `candidates` with the int16 query and offers the scores to `heap`. */
export function refine(candidates: usize, query: usize, heap: usize): void {
  const end = candidates + 16 + (<usize>load<i32>(candidates) << 3)
  for (let at = candidates + 16; at < end; at += 8) scoreSlots(at + 4, 1, query, heap)
}

/** Scores the listed slots (dot product with an int16 query, times scale) and offers the scores to a heap. */
export function scoreSlots(list: usize, count: i32, query: usize, heap: usize): void {
  let floor = load<f32>(heap, 8)
  for (let i = 0; i < count; i++) {
    const slot = load<i32>(list + (<usize>i << 2))
    const score = <f32>product(rowOf(slot), query) * load<f32>(markOf(slot))
    if (score > floor) floor = offer(heap, score, slot)
  }
}

/** Returns a row's score in the scan; `query` is int16, or with relaxed SIMD 7 bits (shifted by 64) per byte. */
@inline
function scanned(row: usize, mark: usize, query: usize): f32 {
  if (!ASC_FEATURE_RELAXED_SIMD) return <f32>product(row, query) * load<f32>(mark)
  let x = i32x4.splat(0)
  const end = row + <usize>stride
  while (row < end) {
    x = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row), v128.load(query), x)
    row += 16
    query += 16
  }
  return <f32>(sum(x) - (load<i32>(mark, 4) << 6)) * load<f32>(mark)
}

/** Scores the first `rows` rows of the chunk that starts at slot `first`, as one sequential stream, into a heap. */
export function scanInOrder(first: i32, rows: i32, query: usize, heap: usize): void {
  let row = rowOf(first)
  let mark = markOf(first)
  let floor = load<f32>(heap, 8)
  for (let i = 0; i < rows; i++) {
    const score = scanned(row, mark, query)
    if (score > floor) floor = offer(heap, score, first + i)
    row += stride
    mark += 8
  }
}

@inline
function four(v: v128, mark: usize): f32 {
  return ASC_FEATURE_RELAXED_SIMD
    ? <f32>(sum(v) - (load<i32>(mark, 4) << 6)) * load<f32>(mark)
    : <f32>sum(v) * load<f32>(mark)
}

/**
 * Does the same as `scanInOrder` in four streams, a quarter of the chunk apart: on cores whose prefetcher follows each
 * stream slowly, four streams keep more memory reads in flight.
 */
export function scanInStreams(first: i32, rows: i32, query: usize, heap: usize): void {
  const quarter = rows >> 2
  const q1 = <usize>(quarter * stride)
  const q2 = 2 * q1
  const q3 = 3 * q1
  const m1 = <usize>(quarter << 3)
  let row = rowOf(first)
  let mark = markOf(first)
  let floor = load<f32>(heap, 8)
  for (let i = 0; i < quarter; i++) {
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    let d = i32x4.splat(0)
    const end = row + <usize>stride
    let w = query
    if (ASC_FEATURE_RELAXED_SIMD) {
      const even = end - 16
      while (row < even) {
        const x = v128.load(w)
        a = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row), x, a)
        b = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q1), x, b)
        c = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q2), x, c)
        d = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q3), x, d)
        const y = v128.load(w, 16)
        a = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row, 16), y, a)
        b = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q1, 16), y, b)
        c = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q2, 16), y, c)
        d = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q3, 16), y, d)
        row += 32
        w += 32
      }
    }
    while (row < end) {
      if (ASC_FEATURE_RELAXED_SIMD) {
        const x = v128.load(w)
        a = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row), x, a)
        b = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q1), x, b)
        c = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q2), x, c)
        d = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(row + q3), x, d)
        w += 16
      } else {
        const x = v128.load(w)
        a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(row), x))
        b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + q1), x))
        c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + q2), x))
        d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + q3), x))
        const y = v128.load(w, 16)
        a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(row, 8), y))
        b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + q1, 8), y))
        c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + q2, 8), y))
        d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + q3, 8), y))
        w += 32
      }
      row += 16
    }
    let score = four(a, mark)
    if (score > floor) floor = offer(heap, score, first + i)
    score = four(b, mark + m1)
    if (score > floor) floor = offer(heap, score, first + quarter + i)
    score = four(c, mark + 2 * m1)
    if (score > floor) floor = offer(heap, score, first + 2 * quarter + i)
    score = four(d, mark + 3 * m1)
    if (score > floor) floor = offer(heap, score, first + 3 * quarter + i)
    mark += 8
  }
  const done = quarter << 2
  if (done < rows) scanInOrder(first + done, rows - done, query, heap)
}

/**
 * Results of `pack` for a row's prefix: the sum of its packed codes, the sum of its squared codes, and the sum of the
 * squared errors of 6-bit rounding.
 */
let packedSum: i32 = 0
let packedSquare: i32 = 0
let packedLoss: i32 = 0

/**
 * Packs a row's prefix, its groups of 4 bytes `step` bytes apart: int16 codes, or with relaxed SIMD 6-bit codes plus
 * `shift`, one per byte.
 */
@inline
function pack(row: usize, to: usize, step: usize, shift: v128): void {
  let loss = i32x4.splat(0)
  let total = i32x4.splat(0)
  let square = i32x4.splat(0)
  for (let k: usize = 0; k < <usize>prefix; k += 16) {
    const lo = v128.load_ext<i8>(row + k)
    const hi = v128.load_ext<i8>(row + k, 8)
    square = i32x4.add(square, i32x4.add(i32x4.dot_i16x8_s(lo, lo), i32x4.dot_i16x8_s(hi, hi)))
    if (ASC_FEATURE_RELAXED_SIMD) {
      const code = v128.load(row + k)
      const coarse = i8x16.shr_s(i8x16.add_sat_s(code, i8x16.splat(2)), 2)
      const left = i8x16.sub(code, i8x16.shl(coarse, 2))
      const leftLo = i16x8.extend_low_i8x16_s(left)
      const leftHi = i16x8.extend_high_i8x16_s(left)
      loss = i32x4.add(loss, i32x4.add(i32x4.dot_i16x8_s(leftLo, leftLo), i32x4.dot_i16x8_s(leftHi, leftHi)))
      total = i32x4.add(total, i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_s(coarse)))
      const packed = i8x16.add(coarse, shift)
      if (step == 4) v128.store(to, packed)
      else {
        v128.store_lane<i32>(to, packed, 0)
        v128.store_lane<i32>(to + step, packed, 1)
        v128.store_lane<i32>(to + 2 * step, packed, 2)
        v128.store_lane<i32>(to + 3 * step, packed, 3)
      }
      to += 4 * step
    } else {
      if (step == 4) {
        v128.store(to, lo)
        v128.store(to, hi, 16)
      } else {
        v128.store_lane<i32>(to, lo, 0)
        v128.store_lane<i32>(to + step, lo, 1)
        v128.store_lane<i32>(to + 2 * step, lo, 2)
        v128.store_lane<i32>(to + 3 * step, lo, 3)
        v128.store_lane<i32>(to + 4 * step, hi, 0)
        v128.store_lane<i32>(to + 5 * step, hi, 1)
        v128.store_lane<i32>(to + 6 * step, hi, 2)
        v128.store_lane<i32>(to + 7 * step, hi, 3)
      }
      to += 8 * step
    }
  }
  packedSum = sum(total)
  packedSquare = sum(square)
  packedLoss = sum(loss)
}

@inline
function length(square: i32, scale: f32): f32 {
  return sqrt(<f32>square) * scale
}

/** Packs block `A`: `count` rows (at most 256) from slot `from` on, by `level` (1 to 16) sixteenths of each row. */
export function packA(from: i32, count: i32, level: i32): void {
  aFrom = from
  aCount = count
  prefix = (((stride * level) >> 4) + 15) & ~15
  pitch = ASC_FEATURE_RELAXED_SIMD ? prefix : 2 * prefix
  aLongest = 0
  const padded = (count + 7) & ~7
  for (let i = 0; i < padded; i++) {
    const slot = from + (i < count ? i : 0)
    const scale = i < count ? load<f32>(markOf(slot)) : f32.NaN
    pack(rowOf(slot), aCodes + <usize>(i >> 2) * 4 * pitch + <usize>((i & 3) << 2), 16, i8x16.splat(0))
    const at = <usize>i << 2
    const error = length(packedLoss, scale)
    store<f32>(aScale + at, ASC_FEATURE_RELAXED_SIMD ? scale * 16 : scale)
    store<f32>(aTail + at, length(max(0, load<i32>(squareOf(slot)) - packedSquare), scale))
    store<f32>(aError + at, error)
    // The codes of `B` are shifted by 32 into 0..63; the lift is what the shift adds to a product.
    store<i32>(aLift + at, packedSum << 5)
    const longest = length(packedSquare, scale) + error
    if (longest > aLongest) aLongest = longest
  }
}

function packB(from: i32, count: i32): void {
  bLongest = 0
  const padded = (count + 1) & ~1
  for (let i = 0; i < padded; i++) {
    const slot = from + (i < count ? i : 0)
    const scale = i < count ? load<f32>(markOf(slot)) : f32.NaN
    pack(rowOf(slot), bCodes + <usize>i * pitch, 4, i8x16.splat(32))
    const at = <usize>i << 2
    store<f32>(bScale + at, scale)
    store<f32>(bTail + at, length(max(0, load<i32>(squareOf(slot)) - packedSquare), scale))
    store<f32>(bError + at, length(packedLoss, scale) * aLongest)
    const longest = length(packedSquare, scale)
    if (longest > bLongest) bLongest = longest
  }
}

/** Returns the similarity of two rows by their full codes. */
function similarity(a: i32, b: i32): f64 {
  let x = rowOf(a)
  let y = rowOf(b)
  let lo = i32x4.splat(0)
  let hi = i32x4.splat(0)
  const end = x + <usize>stride
  while (x < end) {
    lo = i32x4.add(lo, i32x4.dot_i16x8_s(v128.load_ext<i8>(x), v128.load_ext<i8>(y)))
    hi = i32x4.add(hi, i32x4.dot_i16x8_s(v128.load_ext<i8>(x, 8), v128.load_ext<i8>(y, 8)))
    x += 16
    y += 16
  }
  return <f64>sum(i32x4.add(lo, hi)) * <f64>load<f32>(markOf(a)) * <f64>load<f32>(markOf(b))
}

@inline
function step(a: usize, b: usize, acc: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD
    ? i16x8.add(acc, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(a), v128.load32_splat(b)))
    : i32x4.add(acc, i32x4.dot_i16x8_s(v128.load(a), v128.load32_splat(b)))
}

/** Returns a mask of the four rows of `A` that may reach their bound, by their products with a row of `B`. */
@inline
function reaching(products: v128, a: usize, b: usize): v128 {
  const part = ASC_FEATURE_RELAXED_SIMD ? i32x4.sub(products, v128.load(aLift + a)) : products
  const scales = f32x4.mul(v128.load(aScale + a), v128.load32_splat(bScale + b))
  const tails = f32x4.mul(v128.load(aTail + a), v128.load32_splat(bTail + b))
  const upper = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(part), scales), tails)
  return f32x4.ge(f32x4.add(upper, v128.load32_splat(bError + b)), v128.load(aBound + a))
}

/** Parameters that differ between `pairs` and `neighbours`, set before the tiles run. */
let heaps: usize = 0
let heapBytes: usize = 0
let found: usize = 0
let threshold: f64 = 0

function bound(i: i32): void {
  const floor = heaps == 0 ? <f32>threshold : load<f32>(heaps + <usize>i * heapBytes, 8)
  store<f32>(aBound + (<usize>i << 2), floor - load<f32>(aError + (<usize>i << 2)) * bLongest - ROUNDING)
}

/** Compares row `b` with the rows of `A` in a mask of four by their full codes, and stores the matches. */
function decide(mask: i32, i: i32, b: i32): void {
  while (mask != 0) {
    const row = i + ctz(mask)
    const a = aFrom + row
    mask &= mask - 1
    if (heaps == 0 ? b > a : b != a) {
      passed++
      const score = similarity(a, b)
      if (heaps == 0) {
        if (score >= threshold) {
          store<i32>(found, a)
          store<i32>(found, b, 4)
          store<f64>(found, score, 8)
          found += PAIR
        }
      } else {
        const heap = heaps + <usize>row * heapBytes
        if (<f32>score > load<f32>(heap, 8)) {
          offer(heap, <f32>score, b)
          bound(row)
        }
      }
    }
  }
}

/** Multiplies block `A` by the packed block `B` that starts at slot `from`, in tiles of eight rows by two. */
function tiles(from: i32, count: i32): void {
  const quad = 4 * pitch
  for (let i = 0; i < aCount; i += 8) {
    const a0 = aCodes + <usize>(i >> 2) * quad
    const at = <usize>i << 2
    for (let j = 0; j < count; j += 2) {
      let a = a0
      let b = bCodes + <usize>j * pitch
      const end = a0 + quad
      let x0 = i32x4.splat(0)
      let x1 = i32x4.splat(0)
      let y0 = i32x4.splat(0)
      let y1 = i32x4.splat(0)
      while (a < end) {
        if (ASC_FEATURE_RELAXED_SIMD) {
          // A 16-bit sum holds at most 32 dimensions: 8 steps of 2 x 32 x 63.
          const stop = min(a + 128, end)
          let p0 = i16x8.splat(0)
          let p1 = i16x8.splat(0)
          let r0 = i16x8.splat(0)
          let r1 = i16x8.splat(0)
          do {
            p0 = step(a, b, p0)
            p1 = step(a, b + pitch, p1)
            r0 = step(a + quad, b, r0)
            r1 = step(a + quad, b + pitch, r1)
            p0 = step(a + 16, b + 4, p0)
            p1 = step(a + 16, b + pitch + 4, p1)
            r0 = step(a + quad + 16, b + 4, r0)
            r1 = step(a + quad + 16, b + pitch + 4, r1)
            p0 = step(a + 32, b + 8, p0)
            p1 = step(a + 32, b + pitch + 8, p1)
            r0 = step(a + quad + 32, b + 8, r0)
            r1 = step(a + quad + 32, b + pitch + 8, r1)
            p0 = step(a + 48, b + 12, p0)
            p1 = step(a + 48, b + pitch + 12, p1)
            r0 = step(a + quad + 48, b + 12, r0)
            r1 = step(a + quad + 48, b + pitch + 12, r1)
            a += 64
            b += 16
          } while (a < stop)
          x0 = i32x4.add(x0, i32x4.extadd_pairwise_i16x8_s(p0))
          x1 = i32x4.add(x1, i32x4.extadd_pairwise_i16x8_s(p1))
          y0 = i32x4.add(y0, i32x4.extadd_pairwise_i16x8_s(r0))
          y1 = i32x4.add(y1, i32x4.extadd_pairwise_i16x8_s(r1))
        } else {
          x0 = step(a, b, x0)
          x1 = step(a, b + pitch, x1)
          y0 = step(a + quad, b, y0)
          y1 = step(a + quad, b + pitch, y1)
          x0 = step(a + 16, b + 4, x0)
          x1 = step(a + 16, b + pitch + 4, x1)
          y0 = step(a + quad + 16, b + 4, y0)
          y1 = step(a + quad + 16, b + pitch + 4, y1)
          a += 32
          b += 8
        }
      }
      const bAt = <usize>j << 2
      x0 = reaching(x0, at, bAt)
      x1 = reaching(x1, at, bAt + 4)
      y0 = reaching(y0, at + 16, bAt)
      y1 = reaching(y1, at + 16, bAt + 4)
      if (v128.any_true(v128.or(v128.or(x0, x1), v128.or(y0, y1)))) {
        decide(i32x4.bitmask(x0), i, from + j)
        decide(i32x4.bitmask(x1), i, from + j + 1)
        decide(i32x4.bitmask(y0), i + 4, from + j)
        decide(i32x4.bitmask(y1), i + 4, from + j + 1)
      }
    }
  }
}

function pass(from: i32, count: i32): void {
  packB(from, count)
  const padded = (aCount + 7) & ~7
  for (let i = 0; i < padded; i++) bound(i < aCount ? i : 0)
  tiles(from, count)
}

/**
 * Writes to `out` the pairs of a row of block `A` and a later slot in [from, to) with a similarity of at least `least`,
 * and stops when the bytes up to `limit` might not hold another block. Returns the slot to continue from; `foundUpTo()`
 * returns the end of the pairs.
 */
export function pairs(from: i32, to: i32, least: f64, out: usize, limit: usize): i32 {
  heaps = 0
  threshold = least
  found = out
  while (from < to && found + <usize>(A_ROWS * B_ROWS * PAIR) <= limit) {
    const count = min(to - from, B_ROWS)
    pass(from, count)
    from += count
  }
  return from
}

export function foundUpTo(): usize {
  return found
}

/** Offers the rows in slots [from, to) to the heaps of block `A`'s rows, which are `bytes` apart. */
export function neighbours(from: i32, to: i32, heapsAt: usize, bytes: usize): void {
  heaps = heapsAt
  heapBytes = bytes
  while (from < to) {
    const count = min(to - from, B_ROWS)
    pass(from, count)
    from += count
  }
}

/** Returns how many pairs passed the bound since the last call: many call for a higher level, few for a lower one. */
export function tested(): i32 {
  const count = passed
  passed = 0
  return count
}
