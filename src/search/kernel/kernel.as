/**
 * Inner loops of the vector index, in AssemblyScript with SIMD, over an imported memory. `Kernel.ts` describes the memory
 * and implements the same functions in TypeScript.
 */

/** Bytes before a row's codes: float32 scale (NaN in a dead row), 4 unused, float64 id. */
const HEADER: usize = 16
/** Rows per block: block `A` stays in place while the blocks `B` pass by. */
const A_ROWS: i32 = 256
const B_ROWS: i32 = 64
/** Allowance for float32 rounding errors in an upper bound. */
const ROUNDING: f32 = 1e-5

/** Address of the first row, and bytes of codes per row: a multiple of 16. */
let rows: usize = 0
let stride: i32 = 0

/** The packed blocks: int16 codes, then per row a float32 scale, tail, and bound to reach. */
let aCodes: usize = 0
let aScale: usize = 0
let aTail: usize = 0
let aBound: usize = 0
let bCodes: usize = 0
let bScale: usize = 0
let bTail: usize = 0
let bBound: usize = 0

let aFrom: i32 = 0
let aCount: i32 = 0
/** Dimensions of the packed prefix. */
let prefix: i32 = 0
/** The most that a pair can reach, as a multiple of its similarity over the prefix; 0 to bound the rest instead. */
let gain: f32 = 0

/**
 * Sets the bytes of codes per row, the address of the blocks, and that of the first row, 0 if it comes after them; returns
 * the address of the first row.
 */
export function attach(rowCodes: i32, blocks: usize, first: usize): usize {
  stride = rowCodes
  aCodes = blocks
  bCodes = aCodes + <usize>(A_ROWS * stride * 2)
  aScale = bCodes + <usize>(B_ROWS * stride * 2)
  aTail = aScale + 4 * A_ROWS
  aBound = aTail + 4 * A_ROWS
  bScale = aBound + 4 * A_ROWS
  bTail = bScale + 4 * B_ROWS
  bBound = bTail + 4 * B_ROWS
  rows = first != 0 ? first : bBound + 4 * B_ROWS
  return rows
}

@inline
function rowOf(slot: i32): usize {
  return rows + <usize>slot * (HEADER + <usize>stride)
}

@inline
function codesOf(slot: i32): usize {
  return rowOf(slot) + HEADER
}

@inline
function sum(v: v128): i32 {
  return (
    i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3)
  )
}

/** Inserts a score above the floor into a heap, replacing the lowest entry of a full heap; returns the new floor. */
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

/** Returns the dot product of a row's codes and an int16 query. */
@inline
function product(codes: usize, query: usize): i32 {
  let x = i32x4.splat(0)
  let y = i32x4.splat(0)
  const end = codes + <usize>stride
  while (codes < end) {
    x = i32x4.add(x, i32x4.dot_i16x8_s(v128.load_ext<i8>(codes), v128.load(query)))
    y = i32x4.add(y, i32x4.dot_i16x8_s(v128.load_ext<i8>(codes, 8), v128.load(query, 16)))
    codes += 16
    query += 32
  }
  return sum(i32x4.add(x, y))
}

/** Offers the listed slots to a heap, scored with the int16 query. */
export function scoreSlots(list: usize, count: i32, query: usize, heap: usize): void {
  let floor = load<f32>(heap, 8)
  for (let i = 0; i < count; i++) {
    const slot = load<i32>(list + (<usize>i << 2))
    const score = <f32>product(codesOf(slot), query) * load<f32>(rowOf(slot))
    if (score > floor) floor = offer(heap, score, slot)
  }
}

/** Adds the product of 16 codes and 16 components of an int16 query. */
@inline
function step16(codes: usize, lo: v128, hi: v128, total: v128): v128 {
  total = i32x4.add(total, i32x4.dot_i16x8_s(v128.load_ext<i8>(codes), lo))
  return i32x4.add(total, i32x4.dot_i16x8_s(v128.load_ext<i8>(codes, 8), hi))
}

/**
 * Offers the first `count` rows to a heap, scored with the int16 query. Reads them in four streams, a quarter of the rows
 * apart: more memory reads are in flight than in one, and the query is loaded once for four rows.
 */
export function scan(count: i32, query: usize, heap: usize): void {
  const quarter = count >> 2
  const apart = <usize>quarter * (HEADER + <usize>stride)
  let floor = load<f32>(heap, 8)
  for (let slot = 0; slot < quarter; slot++) {
    const row = rowOf(slot)
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    let d = i32x4.splat(0)
    let codes = row + HEADER
    const end = codes + <usize>stride
    let at = query
    while (codes < end) {
      const lo = v128.load(at)
      const hi = v128.load(at, 16)
      a = step16(codes, lo, hi, a)
      b = step16(codes + apart, lo, hi, b)
      c = step16(codes + 2 * apart, lo, hi, c)
      d = step16(codes + 3 * apart, lo, hi, d)
      codes += 16
      at += 32
    }
    let score = <f32>sum(a) * load<f32>(row)
    if (score > floor) floor = offer(heap, score, slot)
    score = <f32>sum(b) * load<f32>(row + apart)
    if (score > floor) floor = offer(heap, score, slot + quarter)
    score = <f32>sum(c) * load<f32>(row + 2 * apart)
    if (score > floor) floor = offer(heap, score, slot + 2 * quarter)
    score = <f32>sum(d) * load<f32>(row + 3 * apart)
    if (score > floor) floor = offer(heap, score, slot + 3 * quarter)
  }
  for (let slot = 4 * quarter; slot < count; slot++) {
    const score = <f32>product(codesOf(slot), query) * load<f32>(rowOf(slot))
    if (score > floor) floor = offer(heap, score, slot)
  }
}

/** Packs the prefix of a row's codes as int16, in pairs that are `step` bytes apart; returns the squared norm after it. */
@inline
function pack(codes: usize, to: usize, step: usize): i32 {
  const end = codes + <usize>prefix
  for (let at = codes; at < end; at += 8) {
    const wide = v128.load_ext<i8>(at)
    if (step == 4) v128.store(to, wide)
    else {
      v128.store_lane<i32>(to, wide, 0)
      v128.store_lane<i32>(to + step, wide, 1)
      v128.store_lane<i32>(to + 2 * step, wide, 2)
      v128.store_lane<i32>(to + 3 * step, wide, 3)
    }
    to += 4 * step
  }
  if (gain != 0) return 0
  let tail = i32x4.splat(0)
  for (let at = end; at < codes + <usize>stride; at += 8) {
    const wide = v128.load_ext<i8>(at)
    tail = i32x4.add(tail, i32x4.dot_i16x8_s(wide, wide))
  }
  return sum(tail)
}

/** Packs block `A`: `count` rows (at most 256) from slot `from` on, by `level` (1 to 16) sixteenths of each row. */
export function packA(from: i32, count: i32, level: i32, most: f32): void {
  aFrom = from
  aCount = count
  prefix = (((stride * level) >> 4) + 15) & ~15
  gain = most
  const padded = (count + 7) & ~7
  for (let i = 0; i < padded; i++) {
    const slot = from + (i < count ? i : 0)
    const scale = i < count ? load<f32>(rowOf(slot)) : f32.NaN
    const tail = pack(codesOf(slot), aCodes + <usize>((i >> 2) * 8 * prefix + ((i & 3) << 2)), 16)
    const at = <usize>i << 2
    store<f32>(aScale + at, gain == 0 ? scale : gain * scale)
    store<f32>(aTail + at, sqrt(<f32>tail) * scale)
  }
}

function packB(from: i32, count: i32): void {
  const padded = (count + 1) & ~1
  for (let i = 0; i < padded; i++) {
    const slot = from + (i < count ? i : 0)
    const scale = i < count ? load<f32>(rowOf(slot)) : f32.NaN
    const tail = pack(codesOf(slot), bCodes + <usize>(i * 2 * prefix), 4)
    const at = <usize>i << 2
    store<f32>(bScale + at, scale)
    store<f32>(bTail + at, sqrt(<f32>tail) * scale)
  }
}

/** Returns the similarity of two rows by their full codes. */
function similarity(a: i32, b: i32): f32 {
  let x = codesOf(a)
  let y = codesOf(b)
  let lo = i32x4.splat(0)
  let hi = i32x4.splat(0)
  const end = x + <usize>stride
  while (x < end) {
    lo = i32x4.add(lo, i32x4.dot_i16x8_s(v128.load_ext<i8>(x), v128.load_ext<i8>(y)))
    hi = i32x4.add(hi, i32x4.dot_i16x8_s(v128.load_ext<i8>(x, 8), v128.load_ext<i8>(y, 8)))
    x += 16
    y += 16
  }
  return <f32>(<f64>sum(i32x4.add(lo, hi)) * <f64>load<f32>(rowOf(a)) * <f64>load<f32>(rowOf(b)))
}

@inline
function step(a: usize, b: usize, acc: v128): v128 {
  return i32x4.add(acc, i32x4.dot_i16x8_s(v128.load(a), v128.load32_splat(b)))
}

/** Returns a mask of the four rows of `A` that may reach their bound or that of a row of `B`, by their products with it. */
@inline
function reaching(products: v128, a: usize, b: usize): v128 {
  const scales = f32x4.mul(v128.load(aScale + a), v128.load32_splat(bScale + b))
  const tails = f32x4.mul(v128.load(aTail + a), v128.load32_splat(bTail + b))
  const upper = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(products), scales), tails)
  return f32x4.ge(upper, f32x4.pmin(v128.load(aBound + a), v128.load32_splat(bBound + b)))
}

/** Parameters of `later` and `pairs`, set before the tiles run. */
let heaps: usize = 0
let heapBytes: usize = 0
let both: bool = false

/** Sets what an upper bound must reach for a pair with row `i` of block `A` to enter that row's heap. */
function bound(i: i32): void {
  store<f32>(aBound + (<usize>i << 2), load<f32>(heaps + <usize>i * heapBytes, 8) - ROUNDING)
}

/** Returns the heap of a row of `B`, which has one only if all rows have. */
@inline
function heapOf(b: i32): usize {
  return heaps + <usize>(b - aFrom) * heapBytes
}

/** Compares row `b` with the rows of `A` in a mask of four by their full codes, and offers it to their heaps. */
function decide(mask: i32, i: i32, b: i32): void {
  while (mask != 0) {
    const row = i + ctz(mask)
    const a = aFrom + row
    mask &= mask - 1
    if (b <= a) continue
    const heap = heaps + <usize>row * heapBytes
    const score = similarity(a, b)
    if (score > load<f32>(heap, 8)) {
      offer(heap, score, b)
      bound(row)
    }
    if (both && score > load<f32>(heapOf(b), 8)) offer(heapOf(b), score, a)
  }
}

/** Multiplies block `A` by the packed block `B` that starts at slot `from`, in tiles of eight rows by two. */
function tiles(from: i32, count: i32): void {
  const pitch = <usize>(2 * prefix)
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

/**
 * Offers to the heap of each row of block `A` the later rows below `to`; the heaps are `bytes` apart.
 */
export function later(to: i32, heapsAt: usize, bytes: usize): void {
  both = false
  compare(aFrom, to, heapsAt, bytes)
}

/**
 * Offers each pair of a row of block `A` and a later row in [from, to) to both rows' heaps; every row has one, `bytes`
 * apart, from that of the block's first row on.
 */
export function pairs(from: i32, to: i32, heapsAt: usize, bytes: usize): void {
  both = true
  compare(max(aFrom, from), to, heapsAt, bytes)
}

function compare(first: i32, to: i32, heapsAt: usize, bytes: usize): void {
  heaps = heapsAt
  heapBytes = bytes
  for (let from = first; from < to; from += B_ROWS) {
    const count = min(to - from, B_ROWS)
    packB(from, count)
    for (let i = 0; i < aCount; i++) bound(i)
    // A bound that falls behind its row's floor while the tiles run only lets more pairs be compared in full.
    for (let j = 0; j < ((count + 1) & ~1); j++)
      store<f32>(
        bBound + (<usize>j << 2),
        both && j < count ? load<f32>(heapOf(from + j), 8) - ROUNDING : f32.MAX_VALUE
      )
    tiles(from, count)
  }
}
