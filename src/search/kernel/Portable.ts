/**
 * Inserts a score above the floor into the heap at an address, replacing the lowest entry of a full heap, and returns
 * the new floor. Layout and order are those of `offer` in `kernel.as`; `ints` and `floats` view one memory.
 */
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

/** Maximum number of rows in block `A`. */
const A_ROWS = 256
/** Bytes per found pair: two slots and a float64 similarity. */
const PAIR = 16
/** Allowance for rounding errors in an upper bound. */
const ROUNDING = 1e-9

/** Returns the dot product of two rows' codes in [from, to), both bounds multiples of 8. */
const blockProduct = (codes: Int8Array, a: number, b: number, from: number, to: number): number => {
  let x = 0
  let y = 0
  for (let k = from; k < to; k += 8) {
    x =
      (x +
        Math.imul(codes[a + k] ?? 0, codes[b + k] ?? 0) +
        Math.imul(codes[a + k + 1] ?? 0, codes[b + k + 1] ?? 0) +
        Math.imul(codes[a + k + 2] ?? 0, codes[b + k + 2] ?? 0) +
        Math.imul(codes[a + k + 3] ?? 0, codes[b + k + 3] ?? 0)) |
      0
    y =
      (y +
        Math.imul(codes[a + k + 4] ?? 0, codes[b + k + 4] ?? 0) +
        Math.imul(codes[a + k + 5] ?? 0, codes[b + k + 5] ?? 0) +
        Math.imul(codes[a + k + 6] ?? 0, codes[b + k + 6] ?? 0) +
        Math.imul(codes[a + k + 7] ?? 0, codes[b + k + 7] ?? 0)) |
      0
  }
  return (x + y) | 0
}

/**
 * Builds the all-pairs functions. The product over the prefix that the level selects, plus the Cauchy-Schwarz bound on
 * the rest, decides whether a pair is compared in full.
 */
const makeBlockWork = (rows: Rows) => {
  const rowOf = new Int32Array(A_ROWS)
  const scaleOf = new Float64Array(A_ROWS)
  const tailOf = new Float64Array(A_ROWS)
  /** The similarity that a pair with each row must reach to count. */
  const boundOf = new Float64Array(A_ROWS)
  let aFrom = 0
  let aCount = 0
  let prefix = 0
  let passed = 0
  let found = 0

  /** Returns the norm of a row beyond the prefix. */
  const tail = (slot: number, row: number, scale: number) => {
    const { bytes, ints } = rows.views()
    const rest = (ints[rows.squareAt(slot)] ?? 0) - blockProduct(bytes, row, row, 0, prefix)
    return Math.sqrt(Math.max(0, rest)) * scale
  }

  /** Calls `take` for each of the block's first `count` rows, except `b`, that may reach its bound with row `b`. */
  const eachCandidate = (b: number, count: number, take: (i: number, similarity: number) => void) => {
    const { bytes, floats } = rows.views()
    const stride = rows.stride()
    const row = rows.codesAt(b)
    // A dead row's scale is NaN, which makes its upper bound NaN, so every comparison rejects it.
    const scale = floats[rows.markAt(b)] ?? 0
    const tailHere = tail(b, row, scale)
    for (let i = 0; i < count; i++) {
      const at = rowOf[i] ?? 0
      const other = scaleOf[i] ?? 0
      const part = blockProduct(bytes, at, row, 0, prefix)
      const most = part * other * scale + (tailOf[i] ?? 0) * tailHere + ROUNDING
      if (most >= (boundOf[i] ?? 0) && aFrom + i !== b) {
        passed++
        take(i, (part + blockProduct(bytes, at, row, prefix, stride)) * other * scale)
      }
    }
  }

  return {
    packA: (from: number, count: number, level: number) => {
      const { floats } = rows.views()
      aFrom = from
      aCount = count
      prefix = (((rows.stride() * level) >> 4) + 15) & ~15
      for (let i = 0; i < count; i++) {
        const row = rows.codesAt(from + i)
        const scale = floats[rows.markAt(from + i)] ?? 0
        rowOf[i] = row
        scaleOf[i] = scale
        tailOf[i] = tail(from + i, row, scale)
      }
    },
    /** Does the same as `pairs` in `kernel.as`, but orders the pairs by their later row. */
    pairs: (from: number, to: number, threshold: number, out: number, limit: number): number => {
      const { doubles, ints } = rows.views()
      boundOf.fill(threshold)
      found = out
      let b = from
      for (; b < to && found + A_ROWS * PAIR <= limit; b++)
        eachCandidate(b, Math.min(aCount, b - aFrom), (i, similarity) => {
          if (similarity < threshold) return
          ints[found >> 2] = aFrom + i
          ints[(found >> 2) + 1] = b
          doubles[(found >> 3) + 1] = similarity
          found += PAIR
        })
      return b
    },
    foundUpTo: () => found,
    neighbours: (from: number, to: number, heaps: number, bytes: number): void => {
      const { floats, ints } = rows.views()
      for (let i = 0; i < aCount; i++) boundOf[i] = floats[((heaps + i * bytes) >> 2) + 2] ?? 0
      for (let b = from; b < to; b++)
        eachCandidate(b, aCount, (i, similarity) => {
          const score = Math.fround(similarity)
          if (score > (boundOf[i] ?? 0)) boundOf[i] = offer(ints, floats, heaps + i * bytes, score, b)
        })
    },
    tested: (): number => {
      const count = passed
      passed = 0
      return count
    }
  }
}

/** Base-2 logarithm of the rows per chunk; must equal the one in `kernel.as`. */
const ROWS_LOG2 = 13
const ROWS = 1 << ROWS_LOG2

const viewsOf = (buffer: ArrayBufferLike) => ({
  buffer,
  bytes: new Int8Array(buffer),
  shorts: new Int16Array(buffer),
  ints: new Int32Array(buffer),
  floats: new Float32Array(buffer),
  doubles: new Float64Array(buffer)
})

/** Accesses a memory's rows in the layout of `kernel.as`; addresses are in bytes and below 2 GiB. */
const openRows = (memory: WebAssembly.Memory) => {
  let known = viewsOf(memory.buffer)
  let table = 0
  let stride = 0

  /** Returns current views: any thread may grow the memory, which leaves older views short. */
  const views = () => {
    if (known.buffer !== memory.buffer) known = viewsOf(memory.buffer)
    return known
  }

  const chunkOf = (slot: number) => views().ints[(table >> 2) + (slot >> ROWS_LOG2)] ?? 0
  const idAt = (slot: number) => (chunkOf(slot) + ROWS * (stride + 8) + ((slot & (ROWS - 1)) << 3)) >> 3
  const squareAt = (slot: number) => (chunkOf(slot) + ROWS * (stride + 16) + ((slot & (ROWS - 1)) << 2)) >> 2

  return {
    views,
    attach: (tableAt: number, rowBytes: number) => {
      table = tableAt
      stride = rowBytes
    },
    stride: () => stride,
    /** Returns the address of a slot's codes. */
    codesAt: (slot: number) => chunkOf(slot) + (slot & (ROWS - 1)) * stride,
    /** Returns the index of a slot's scale in `floats`; the next index in `ints` holds the sum of its codes. */
    markAt: (slot: number) => (chunkOf(slot) + ROWS * stride + ((slot & (ROWS - 1)) << 3)) >> 2,
    /** Returns the index of a slot's id in `doubles`. */
    idAt,
    /** Returns the index in `ints` of the sum of a slot's squared codes. */
    squareAt
  }
}

type Rows = ReturnType<typeof openRows>

const LARGEST_FLOAT32 = 3.4028234663852886e38

/** Rounds to an integer, half to even, because float64 values from 2 ** 52 on have no fraction. */
const rounded = (value: number): number => value + 0x18000000000000 - 0x18000000000000

/** Returns the dot product of a row and an int16 query that starts at index `at`. */
const product = (codes: Int8Array, row: number, query: Int16Array, at: number, stride: number): number => {
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

/**
 * Implements the exports of `kernel.as` for engines that reject SIMD (those on an x86-64 without AVX), over the same
 * layout and with the same results as the plain build; `kernel.as` documents each function. It takes about twelve times
 * as long.
 */
export const makePortableKernel = (memory: WebAssembly.Memory) => {
  const rows = openRows(memory)
  const { codesAt, idAt, markAt, squareAt, views } = rows

  const scoreSlots = (list: number, count: number, query: number, heap: number): void => {
    const { bytes, floats, ints, shorts } = views()
    const stride = rows.stride()
    let floor = floats[(heap >> 2) + 2] ?? 0
    for (let i = 0; i < count; i++) {
      const slot = ints[(list >> 2) + i] ?? 0
      const whole = product(bytes, codesAt(slot), shorts, query >> 1, stride)
      const score = Math.fround(Math.fround(whole) * (floats[markAt(slot)] ?? 0))
      if (score > floor) floor = offer(ints, floats, heap, score, slot)
    }
  }

  const scan = (first: number, count: number, query: number, heap: number): void => {
    const { bytes, floats, ints, shorts } = views()
    const stride = rows.stride()
    const row = codesAt(first)
    const mark = markAt(first)
    let floor = floats[(heap >> 2) + 2] ?? 0
    for (let i = 0; i < count; i++) {
      const whole = product(bytes, row + i * stride, shorts, query >> 1, stride)
      const score = Math.fround(Math.fround(whole) * (floats[mark + 2 * i] ?? 0))
      if (score > floor) floor = offer(ints, floats, heap, score, first + i)
    }
  }

  return {
    ...makeBlockWork(rows),
    /** Needs no scratch. */
    attach: (table: number, stride: number): number => {
      rows.attach(table, stride)
      return 0
    },
    codesAt,
    scaleOf: (slot: number): number => views().floats[markAt(slot)] ?? 0,
    idOf: (slot: number): number => views().doubles[idAt(slot)] ?? 0,
    kill: (slot: number): void => {
      views().floats[markAt(slot)] = Number.NaN
    },
    seal: (slot: number, id: number, scale: number): void => {
      const { bytes, doubles, floats, ints } = views()
      const row = codesAt(slot)
      const end = row + rows.stride()
      const mark = markAt(slot)
      let total = 0
      let square = 0
      for (let at = row; at < end; at++) {
        const code = bytes[at] ?? 0
        total += code
        square += code * code
      }
      doubles[idAt(slot)] = id
      ints[squareAt(slot)] = square
      ints[mark + 1] = total
      floats[mark] = scale > 0 ? scale : Number.NaN
    },
    prepare: (query: number, wide: number, narrow: number, most: number): number => {
      const { bytes, floats, shorts } = views()
      const vector = floats.subarray(query >> 2, (query >> 2) + rows.stride())
      let largest = 0
      // NaN propagates through Math.max.
      for (const value of vector) largest = Math.max(largest, Math.abs(value))
      if (!(largest > Math.fround(1e-30) && largest < LARGEST_FLOAT32)) return 0
      const factor = Math.fround(most / largest)
      const coarse = Math.fround(63 / largest)
      vector.forEach((value, k) => {
        shorts[(wide >> 1) + k] = rounded(Math.fround(value * factor))
        bytes[narrow + k] = rounded(Math.fround(value * coarse)) + 64
      })
      return Math.fround(largest / most)
    },
    refine: (candidates: number, query: number, heap: number): void => {
      const count = views().ints[candidates >> 2] ?? 0
      for (let i = 0; i < count; i++) scoreSlots(candidates + 20 + 8 * i, 1, query, heap)
    },
    scoreSlots,
    scanInOrder: scan,
    // Arithmetic dominates here, so the memory order makes no difference.
    scanInStreams: scan
  }
}
