import { offer } from "./PortableHeap.ts"
import type { Rows } from "./PortableRows.ts"

/** Most rows of block `A`. */
const A_ROWS = 256
/** Bytes of a found pair: two slots and a float64 similarity. */
const PAIR = 16
/** More than what rounding may take off an upper bound. */
const ROUNDING = 1e-9

/** The product of two rows' codes from `from` to `to`, both a multiple of 8. */
const product = (codes: Int8Array, a: number, b: number, from: number, to: number): number => {
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
 * The work of every row against every other. A pair's product over the prefix that the level asks for, and the
 * Cauchy-Schwarz bound on the rest, say whether it is worth going on.
 */
export const makeBlockWork = (rows: Rows) => {
  const rowOf = new Int32Array(A_ROWS)
  const scaleOf = new Float64Array(A_ROWS)
  const tailOf = new Float64Array(A_ROWS)
  /** What a similarity with each row must reach to matter. */
  const boundOf = new Float64Array(A_ROWS)
  let aFrom = 0
  let aCount = 0
  let prefix = 0
  let passed = 0
  let found = 0

  /** The length of a row beyond the prefix. */
  const tail = (slot: number, row: number, scale: number) => {
    const { bytes, ints } = rows.views()
    const rest = (ints[rows.squareAt(slot)] ?? 0) - product(bytes, row, row, 0, prefix)
    return Math.sqrt(Math.max(0, rest)) * scale
  }

  /** Tells `take` which of the block's first `count` rows, `b` itself apart, may reach their bound with row `b`. */
  const against = (b: number, count: number, take: (i: number, similarity: number) => void) => {
    const { bytes, floats } = rows.views()
    const stride = rows.stride()
    const row = rows.codesAt(b)
    // A dead row's scale is NaN, and so is its bound: no comparison takes it.
    const scale = floats[rows.markAt(b)] ?? 0
    const tailHere = tail(b, row, scale)
    for (let i = 0; i < count; i++) {
      const at = rowOf[i] ?? 0
      const other = scaleOf[i] ?? 0
      const part = product(bytes, at, row, 0, prefix)
      const most = part * other * scale + (tailOf[i] ?? 0) * tailHere + ROUNDING
      if (most >= (boundOf[i] ?? 0) && aFrom + i !== b) {
        passed++
        take(i, (part + product(bytes, at, row, prefix, stride)) * other * scale)
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
    /** As in `kernel.as`; the pairs come by their later row. */
    pairs: (from: number, to: number, threshold: number, out: number, limit: number): number => {
      const { doubles, ints } = rows.views()
      boundOf.fill(threshold)
      found = out
      let b = from
      for (; b < to && found + A_ROWS * PAIR <= limit; b++)
        against(b, Math.min(aCount, b - aFrom), (i, similarity) => {
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
        against(b, aCount, (i, similarity) => {
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
