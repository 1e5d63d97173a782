/** Rows in one chunk of the memory; `kernel.as` knows the same number. */
export const CHUNK_ROWS = 8192

const PAGE = 65536
/** 2 GiB: 3.8 million rows of 512 dimensions. Reserved as addresses only, so its size costs nothing. */
const MOST_PAGES = 32768
const TABLE = 1024

/** The words at the memory's start that all threads see. */
const VERSION = 0
const SLOTS = 1
const SIZE = 2

/**
 * The memory that a matrix lives in: a page of header, then chunks of rows and each thread's scratch in the order they
 * were asked for. It is shared: one thread writes rows, any number scan them. Growth moves nothing.
 */
export interface MatrixMemory {
  readonly memory: WebAssembly.Memory
  readonly dimensions: number
  /** Bytes of a row: the dimensions rounded up to 16. */
  readonly stride: number
  /** Address of the table of chunk addresses. */
  readonly table: number
  /** Fresh zeroed bytes, never given twice; their address. */
  readonly allocate: (bytes: number) => number
  readonly addChunk: (index: number) => void
  /** Slots in use or freed: all rows lie below. */
  readonly slots: () => number
  readonly size: () => number
  /** Counts the changes made, so that a reader knows when its map of ids is stale. */
  readonly version: () => number
  readonly publish: (slots: number, size: number) => void
  /** The whole memory as it is now; asked for anew each time, for growth leaves older views short. */
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

/** A memory with no rows. */
export const freshMemory = (): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true })

/** Reads and writes the layout of a matrix's memory, fresh or received from another thread. */
export const openMemory = (dimensions: number, memory: WebAssembly.Memory): MatrixMemory => {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 4096)
    throw new RangeError(`a matrix has 1 to 4096 dimensions, not ${dimensions}`)
  const stride = (dimensions + 15) & ~15
  // Codes, then 8 bytes of marks, 8 of id and 4 of square for each row.
  const chunkBytes = CHUNK_ROWS * (stride + 20)
  const header = new Int32Array(memory.buffer, 0, 4)
  const words = viewOf(memory, (buffer) => new Uint32Array(buffer))
  // Growing a shared memory is atomic and gives the old size, so threads never get the same bytes.
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
