import type { Quantized } from "../Quantize.ts"
import { type Build, makeKernel } from "./Kernel.ts"
import { makeBlocks, type Neighbourhood, type Pair } from "./MatrixBlocks.ts"
import { CHUNK_ROWS, freshMemory, type MatrixMemory, makeScratch, openMemory } from "./MatrixMemory.ts"
import { type IdFilter, type Match, makeNearest } from "./MatrixNearest.ts"

export type { IdFilter as Among, Match, Neighbourhood, Pair }

/** A handle for reading a matrix from another thread; can be posted to a worker. */
export interface SharedMatrix {
  readonly dimensions: number
  readonly memory: WebAssembly.Memory
}

/** Int8 rows, searchable by cosine similarity. A row written during a scan may get a wrong score in that scan only. */
export interface MatrixReader {
  readonly dimensions: number
  readonly size: number
  /** Exclusive upper bound of the slots in use, for `from` and `to`. */
  readonly slots: number
  readonly has: (id: number) => boolean
  readonly codes: (id: number) => Quantized | undefined
  /** Returns the k rows nearest to a unit vector by the int8 codes, best first; `among` filters by id. */
  readonly nearest: (query: Float32Array, k: number, among?: IdFilter) => ReadonlyArray<Match>
  /**
   * Returns the pairs with a similarity of at least `threshold` by the codes, whose row `a` is in slots [from, to) and
   * before row `b`; for each row `a` the `most` most similar, by default all.
   */
  readonly pairs: (threshold: number, from: number, to: number, most?: number) => ReadonlyArray<Pair>
  /** Returns, for each row in slots [from, to), its k nearest other rows by the codes, none below `floor`. */
  readonly neighbours: (k: number, from: number, to: number, floor?: number) => ReadonlyArray<Neighbourhood>
}

/** A matrix that its single owner can also write. */
export interface Matrix extends MatrixReader {
  /** Adds or replaces a row; a scale of 0 means a zero vector, which is stored but never matches. */
  readonly set: (id: number, codes: Int8Array, scale: number) => void
  readonly remove: (id: number) => void
  readonly share: SharedMatrix
}

const makeReader = (rows: MatrixMemory, slotOf: (id: number) => number | undefined, build?: Build) => {
  const kernel = makeKernel(rows.memory, build)
  const scratch = makeScratch(rows, kernel)
  const reader: MatrixReader = {
    dimensions: rows.dimensions,
    get size() {
      return rows.size()
    },
    get slots() {
      return rows.slots()
    },
    has: (id) => slotOf(id) !== undefined,
    codes: (id) => {
      const slot = slotOf(id)
      if (slot === undefined) return undefined
      const at = kernel.codesAt(slot)
      const scale = kernel.scaleOf(slot)
      return {
        codes: new Int8Array(rows.bytes().slice(at, at + rows.dimensions)),
        scale: Number.isNaN(scale) ? 0 : scale
      }
    },
    nearest: makeNearest(rows, kernel, scratch, slotOf),
    ...makeBlocks(rows, kernel, scratch)
  }
  return { kernel, reader }
}

/** Looks up slots in a matrix that another thread writes; rebuilds its map on the first lookup after a change. */
const slotsOf = (rows: MatrixMemory, idOf: (slot: number) => number) => {
  let known = new Map<number, number>()
  let version = -1
  return (id: number) => {
    const current = rows.version()
    if (current !== version) {
      known = new Map(Array.from({ length: rows.slots() }, (_, slot) => [idOf(slot), slot]))
      // A slot without a row has NaN as its id.
      known.delete(Number.NaN)
      version = current
    }
    return known.get(id)
  }
}

/** Opens a reader, over the same memory, of a matrix that another thread owns; `build` forces a kernel build. */
export const attachMatrix = ({ dimensions, memory }: SharedMatrix, build?: Build): MatrixReader => {
  const rows = openMemory(dimensions, memory)
  const slotOf = slotsOf(rows, (slot) => kernel.idOf(slot))
  const { kernel, reader } = makeReader(rows, slotOf, build)
  return reader
}

/** Creates an empty matrix for vectors of `dimensions` components (1 to 4096); `build` forces a kernel build. */
export const makeMatrix = (dimensions: number, build?: Build): Matrix => {
  const rows = openMemory(dimensions, freshMemory())
  const slotOf = new Map<number, number>()
  const free: Array<number> = []
  const { kernel, reader } = makeReader(rows, (id) => slotOf.get(id), build)
  const publish = () => rows.publish(slotOf.size + free.length, slotOf.size)

  const freshSlot = () => {
    const slot = slotOf.size
    if (slot % CHUNK_ROWS === 0) rows.addChunk(slot / CHUNK_ROWS)
    return slot
  }

  return Object.assign(reader, {
    set: (id: number, codes: Int8Array, scale: number) => {
      if (codes.length !== dimensions)
        throw new RangeError(`a row of ${codes.length} dimensions for a matrix of ${dimensions}`)
      // With no slot free, slots 0 to `slotOf.size - 1` are all in use, so the next one is new.
      const slot = slotOf.get(id) ?? free.pop() ?? freshSlot()
      kernel.kill(slot)
      rows.bytes().set(codes, kernel.codesAt(slot))
      kernel.seal(slot, id, scale)
      slotOf.set(id, slot)
      publish()
    },
    remove: (id: number) => {
      const slot = slotOf.get(id)
      if (slot === undefined) return
      kernel.seal(slot, Number.NaN, 0)
      slotOf.delete(id)
      free.push(slot)
      publish()
    },
    share: { dimensions, memory: rows.memory }
  })
}
