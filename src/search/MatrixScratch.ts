import type { Kernel } from "./kernel/Kernel.ts"
import type { MatrixMemory } from "./MatrixMemory.ts"

/** A row and how well it matched. */
export interface Scored {
  readonly slot: number
  readonly score: number
}

/** Slots that one call of the kernel takes as a list. */
const LIST = 65536
/** Bytes for found pairs: four blocks' worst case. */
const OUT = 1 << 20

/** The bytes of a heap for `k` entries. */
export const heapBytes = (k: number) => 16 + 8 * k

/** What one thread's kernel works in: the query, a list of slots, found pairs, and heaps as large as asked for. */
export const makeScratch = (rows: MatrixMemory, kernel: Kernel) => {
  const blocks = rows.allocate(64 + 320 * rows.stride * 2 + 8192)
  kernel.attach(rows.table, rows.stride, blocks)
  const query = rows.allocate(7 * rows.stride)
  const wide = query + 4 * rows.stride
  const narrow = wide + 2 * rows.stride
  // Small enough that no product of a row overflows 32 bits.
  const most = Math.min(32767, Math.floor(2 ** 31 / (128 * rows.stride)) - 1)

  /** Takes a query; gives the factor from scores to similarities, 0 when it is zero or not finite. */
  const prepare = (vector: Float32Array) => {
    rows.floats().set(vector, query >> 2)
    return kernel.prepare(query, wide, narrow, most)
  }
  const list = rows.allocate(4 * LIST)
  const out = rows.allocate(OUT)
  let heaps = rows.allocate(1)
  let room = 65536

  /** Empty heaps of `k` entries each, which take scores above `floor`; the address of the first. */
  const emptyHeaps = (count: number, k: number, floor: number) => {
    const bytes = heapBytes(k)
    if (count * bytes > room) {
      room = 2 * count * bytes
      heaps = rows.allocate(room)
    }
    const words = rows.words()
    const floats = rows.floats()
    for (let at = heaps >> 2, i = 0; i < count; i++, at += bytes >> 2) {
      words[at] = 0
      words[at + 1] = k
      floats[at + 2] = floor
    }
    return heaps
  }

  /** Makes an empty heap hold fewer entries than it has room for. */
  const limit = (heap: number, k: number) => {
    rows.words()[(heap >> 2) + 1] = k
  }

  /** A heap's entries, in no order. */
  const entries = (heap: number): Array<Scored> => {
    const words = rows.words()
    const floats = rows.floats()
    const from = (heap >> 2) + 4
    return Array.from({ length: words[heap >> 2] ?? 0 }, (_, i) => ({
      score: floats[from + 2 * i] ?? 0,
      slot: words[from + 2 * i + 1] ?? 0
    }))
  }

  /** Scores the slots against the wide query into a heap, a list at a time. */
  const scoreSlots = (slots: ReadonlyArray<number>, heap: number) => {
    for (let from = 0; from < slots.length; from += LIST) {
      const part = slots.length <= LIST ? slots : slots.slice(from, from + LIST)
      rows.words().set(part, list >> 2)
      kernel.scoreSlots(list, part.length, wide, heap)
    }
  }

  return { prepare, wide, narrow, out, outEnd: out + OUT, emptyHeaps, limit, entries, scoreSlots }
}
