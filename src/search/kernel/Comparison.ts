import { BLOCK, type Build, type Kernel, makeKernel } from "./Kernel.ts"
import type { PrefixFilter } from "./PrefixFilter.ts"

/** Chunks into which the rows are divided, an even number: two threads rarely wait for each other. */
const CHUNKS = 16
/** Later rows that a block of rows is compared with between two yields: about 20 milliseconds. */
const SEGMENT = 10_240

/**
 * A comparison of all pairs of a matrix's rows, in the matrix's memory, as a thread that takes part in it needs it.
 * Addresses are in bytes.
 */
export interface Comparison {
  readonly memory: WebAssembly.Memory
  readonly build: Build | undefined
  /** Bytes of codes per row, the address of the first row, and the number of rows. */
  readonly stride: number
  readonly rows: number
  readonly count: number
  readonly filter: PrefixFilter
  /** The address of the first row's heap, and the bytes per heap. */
  readonly heaps: number
  readonly heapBytes: number
  /** The address of `BOARD_BYTES` bytes, zeros at first, that show what is done. */
  readonly board: number
  /** The address of memory for the kernel of a second thread. */
  readonly second: number
}

/** A part of the work: two chunks whose rows are compared with each other, or a chunk twice, and its round. */
interface Tile {
  readonly round: number
  readonly one: number
  readonly other: number
}

/**
 * The tiles in rounds, in each of which every chunk takes part once (the circle method for round-robin tournaments): tiles
 * of one round share no chunk, so two threads can do them at the same time.
 */
const tilesOf = (chunks: number): ReadonlyArray<Tile> => {
  const tiles: Array<Tile> = Array.from({ length: chunks }, (_, i) => ({ round: 0, one: i, other: i }))
  const circle = chunks - 1
  for (let round = 1; round < chunks; round++)
    for (let k = 0; k < chunks / 2; k++) {
      const a = k === 0 ? circle : (round + k) % circle
      const b = (round - k + circle) % circle
      tiles.push({ round, one: Math.min(a, b), other: Math.max(a, b) })
    }
  return tiles
}

const tiles = tilesOf(CHUNKS)

/** Bytes of a comparison's board: the number of rounds that each chunk has behind it, and the tiles that are taken. */
export const BOARD_BYTES = 4 * (CHUNKS + tiles.length)

/**
 * Takes part in a comparison until no pair is left: every row's heap then holds its nearest other rows. Yields the share
 * done, or the same share again while all that is left depends on the other thread. Any number of threads find the same,
 * because every chunk goes through its tiles in the same order.
 */
export function* takePart(comparison: Comparison, kernel: Kernel): Generator<number, void> {
  const { board, count, filter, heapBytes, heaps, memory } = comparison
  const cells = new Int32Array(memory.buffer, board, BOARD_BYTES / 4)
  const rounds = (chunk: number) => Atomics.load(cells, chunk)
  const size = Math.ceil(count / CHUNKS / BLOCK) * BLOCK
  const total = tiles.length
  const done = () => {
    let sum = 0
    for (let chunk = 0; chunk < CHUNKS; chunk++) sum += rounds(chunk)
    return sum / CHUNKS ** 2
  }
  /** Takes the first tile whose chunks have all earlier rounds behind them. */
  const take = () => {
    for (let at = 0; at < total; at++) {
      const tile = tiles[at]
      if (tile === undefined || Atomics.load(cells, CHUNKS + at) !== 0) continue
      if (rounds(tile.one) !== tile.round || rounds(tile.other) !== tile.round) continue
      if (Atomics.compareExchange(cells, CHUNKS + at, 0, 1) === 0) return tile
    }
    return undefined
  }
  while (done() < 1) {
    const tile = take()
    if (tile === undefined) {
      yield done()
      continue
    }
    const { one, other } = tile
    const end = Math.min((one + 1) * size, count)
    const [from, to] = [other * size, Math.min((other + 1) * size, count)]
    for (let first = one * size; first < end; first += BLOCK)
      for (let at = one === other ? first : from; at < to; at += SEGMENT) {
        // Again for each segment, because another search may have used the block meanwhile.
        kernel.packA(first, Math.min(BLOCK, end - first), filter.level, filter.gain)
        kernel.pairs(at, Math.min(at + SEGMENT, to), heaps + first * heapBytes, heapBytes)
        yield done()
      }
    Atomics.add(cells, one, 1)
    if (other !== one) Atomics.add(cells, other, 1)
  }
}

/** Takes part, in another thread, in a comparison that the matrix's own thread began. */
export const helpCompare = (comparison: Comparison): Generator<number, void> => {
  const { build, memory, rows, second, stride } = comparison
  const kernel = makeKernel(memory, build)
  kernel.attach(stride, second, rows)
  return takePart(comparison, kernel)
}

/** Takes part in the comparisons that the calling thread is sent. */
export const serveComparison = () =>
  self.addEventListener("message", async ({ data }: MessageEvent<Comparison>) => {
    for (const _ of helpCompare(data)) await new Promise((resolve) => setImmediate(resolve))
  })
