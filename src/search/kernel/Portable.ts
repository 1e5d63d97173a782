import { makeBlockWork } from "./PortableBlocks.ts"
import { offer } from "./PortableHeap.ts"
import { openRows } from "./PortableRows.ts"

const LARGEST_FLOAT32 = 3.4028234663852886e38

/** Rounds to a whole number, a half to the even one: from 2 ** 52 on a float64 has no fraction. */
const rounded = (value: number): number => value + 0x18000000000000 - 0x18000000000000

/** The product of a row with an int16 query that begins at `at`. */
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
 * What `kernel.as` exports, for engines that refuse SIMD (those on an x86-64 without AVX), over the same layout and with
 * the plain build's results; each function is described there. It takes about twelve times as long.
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
      // A NaN stays one all the way.
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
    // The order of memory makes no difference where the arithmetic takes the time.
    scanInStreams: scan
  }
}
