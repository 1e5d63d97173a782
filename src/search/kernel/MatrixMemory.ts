import type { Kernel } from "./Kernel.ts"

/** Rows per chunk; must equal `ROWS` in `kernel.as`. */
export const CHUNK_ROWS = 8192

const PAGE = 65536
/** 2 GiB: 3.8 million rows of 512 dimensions. Reserves only addresses, so its size costs nothing. */
const MOST_PAGES = 32768
const TABLE = 1024

/** Indices of the header words, which all threads share. */
const VERSION = 0
const SLOTS = 1
const SIZE = 2

/**
 * The memory of a matrix: one page of header, then chunks of rows and each thread's scratch in allocation order. It is
 * shared: one thread writes rows, any number scan them. Growth moves nothing.
 */
export interface MatrixMemory {
  readonly memory: WebAssembly.Memory
  readonly dimensions: number
  /** Bytes per row: the dimensions rounded up to a multiple of 16. */
  readonly stride: number
  /** Address of the table of chunk addresses. */
  readonly table: number
  /** Allocates zeroed bytes, never handed out twice; returns their address. */
  readonly allocate: (bytes: number) => number
  readonly addChunk: (index: number) => void
  /** Number of slots in use or freed; every row is below it. */
  readonly slots: () => number
  readonly size: () => number
  /** Number of changes so far; tells a reader whether its map of ids is stale. */
  readonly version: () => number
  readonly publish: (slots: number, size: number) => void
  /** A view of the whole memory; call this for each use, because growth leaves older views short. */
  readonly bytes: () => Uint8Array
  readonly words: () => Uint32Array
  readonly floats: () => Float32Array
  readonly doubles: () => Float64Array
}

const viewOf = <View extends { readonly buffer: ArrayBufferLike }>(
  memory: WebAssembly.Memory,
  make: (buffer: ArrayBufferLike) => View
) => {
  let view = make(memory.buffer)
  return () => {
    if (view.buffer !== memory.buffer) view = make(memory.buffer)
    return view
  }
}

/** Creates a memory without rows. */
export const freshMemory = (): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true })

/** Opens a matrix's memory, fresh or received from another thread. */
export const openMemory = (dimensions: number, memory: WebAssembly.Memory): MatrixMemory => {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 4096)
    throw new RangeError(`a matrix has 1 to 4096 dimensions, not ${dimensions}`)
  const stride = (dimensions + 15) & ~15
  // Per row: the codes, then 8 bytes of marks, 8 of id and 4 of square.
  const chunkBytes = CHUNK_ROWS * (stride + 20)
  const header = new Int32Array(memory.buffer, 0, 4)
  const words = viewOf(memory, (buffer) => new Uint32Array(buffer))
  // Growing a shared memory is atomic and returns the old size, so threads never get the same bytes.
  const allocate = (bytes: number) => memory.grow(Math.ceil(bytes / PAGE)) * PAGE
  return {
    memory,
    dimensions,
    stride,
    table: TABLE,
    allocate,
    addChunk: (index) => {
      words()[TABLE / 4 + index] = allocate(chunkBytes)
    },
    slots: () => Atomics.load(header, SLOTS),
    size: () => Atomics.load(header, SIZE),
    version: () => Atomics.load(header, VERSION),
    publish: (slots, size) => {
      Atomics.store(header, SLOTS, slots)
      Atomics.store(header, SIZE, size)
      Atomics.add(header, VERSION, 1)
    },
    bytes: viewOf(memory, (buffer) => new Uint8Array(buffer)),
    words,
    floats: viewOf(memory, (buffer) => new Float32Array(buffer)),
    doubles: viewOf(memory, (buffer) => new Float64Array(buffer))
  }
}

/** A row's slot and score. */
export interface Scored {
  readonly slot: number
  readonly score: number
}

/** Maximum number of slots in a list passed to the kernel. */
const LIST = 65536
/** Bytes for found pairs: the worst case of four blocks. */
const OUT = 1 << 20

/** Returns the size of a heap of `k` entries, in bytes. */
export const heapBytes = (k: number) => 16 + 8 * k

/** Allocates one kernel's scratch: the query, a list of slots, found pairs, and heaps that grow on demand. */
export const makeScratch = (rows: MatrixMemory, kernel: Kernel) => {
  const blocks = rows.allocate(64 + 320 * rows.stride * 2 + 8192)
  kernel.attach(rows.table, rows.stride, blocks)
  const query = rows.allocate(7 * rows.stride)
  const wide = query + 4 * rows.stride
  const narrow = wide + 2 * rows.stride
  // Small enough that no dot product with a row overflows 32 bits.
  const most = Math.min(32767, Math.floor(2 ** 31 / (128 * rows.stride)) - 1)

  /** Stores a query; returns the factor from scores to similarities, 0 if the query is zero or not finite. */
  const prepare = (vector: Float32Array) => {
    rows.floats().set(vector, query >> 2)
    return kernel.prepare(query, wide, narrow, most)
  }
  const list = rows.allocate(4 * LIST)
  const out = rows.allocate(OUT)
  let heaps = rows.allocate(1)
  let room = 65536

  /** Prepares `count` empty heaps of `k` entries that accept scores above `floor`; returns the first one's address. */
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

  /** Lowers the capacity of an empty heap to `k` entries. */
  const limit = (heap: number, k: number) => {
    rows.words()[(heap >> 2) + 1] = k
  }

  /** Returns a heap's entries, in no particular order. */
  const entries = (heap: number): Array<Scored> => {
    const words = rows.words()
    const floats = rows.floats()
    const from = (heap >> 2) + 4
    return Array.from({ length: words[heap >> 2] ?? 0 }, (_, i) => ({
      score: floats[from + 2 * i] ?? 0,
      slot: words[from + 2 * i + 1] ?? 0
    }))
  }

  /** Scores the slots with the int16 query into a heap, one list at a time. */
  const scoreSlots = (slots: ReadonlyArray<number>, heap: number) => {
    for (let from = 0; from < slots.length; from += LIST) {
      const part = slots.length <= LIST ? slots : slots.slice(from, from + LIST)
      rows.words().set(part, list >> 2)
      kernel.scoreSlots(list, part.length, wide, heap)
    }
  }

  return { prepare, wide, narrow, out, outEnd: out + OUT, emptyHeaps, limit, entries, scoreSlots }
}
