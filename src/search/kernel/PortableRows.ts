/** Rows in a chunk, as a power of two; `kernel.as` has the same. */
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

/** A memory's rows as `kernel.as` lays them out; addresses count bytes and lie below 2 GiB. */
export const openRows = (memory: WebAssembly.Memory) => {
  let known = viewsOf(memory.buffer)
  let table = 0
  let stride = 0

  /** The memory as it is: any thread may have made it grow, which leaves older views short. */
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
    /** Address of a slot's row of codes. */
    codesAt: (slot: number) => chunkOf(slot) + (slot & (ROWS - 1)) * stride,
    /** Where `floats` has a slot's scale and, one further, `ints` the sum of its codes. */
    markAt: (slot: number) => (chunkOf(slot) + ROWS * stride + ((slot & (ROWS - 1)) << 3)) >> 2,
    /** Where `doubles` has a slot's id. */
    idAt,
    /** Where `ints` has the sum of a slot's squared codes. */
    squareAt
  }
}

export type Rows = ReturnType<typeof openRows>
