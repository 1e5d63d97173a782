import type { Kernel } from "./Kernel.ts"
import { heapBytes, type MatrixMemory, type makeScratch } from "./MatrixMemory.ts"
import { compareMatches, type Match } from "./MatrixNearest.ts"

/** Cost of comparing one pair by its full codes, in sixteenths of its product in a tile. */
const DECIDING = 76

/**
 * Chooses how many sixteenths of the dimensions to multiply before testing whether a pair can still reach the
 * threshold. The best number depends on how similar the rows are, so it is found by trial; every level gives the same
 * pairs.
 */
export const makeLevel = (start: number) => {
  const costs = new Map<number, number>()
  let level = Math.min(16, Math.max(1, start))
  return {
    get: () => level,
    /** Adjusts the level, given the share of the pairs that were compared by their full codes. */
    learn: (share: number) => {
      costs.set(level, level + share * DECIDING)
      const next = share > 0.01 ? level + 1 : level - 1
      if (next >= 1 && next <= 16 && !costs.has(next)) level = next
      else for (const [other, cost] of costs) if (cost < (costs.get(level) ?? 0)) level = other
    }
  }
}

/** Rows in the kernel's block `A`. */
const BLOCK = 256

/** Two rows and their similarity. */
export interface Pair {
  readonly a: number
  readonly b: number
  readonly similarity: number
}

/** A row and the rows nearest to it. */
export interface Neighbourhood {
  readonly id: number
  readonly matches: ReadonlyArray<Match>
}

/** Trims a row's pairs to the `most` most similar. */
const mostSimilar = (row: Array<Pair>, most: number): ReadonlyArray<Pair> => {
  if (row.length > most) {
    row.sort((one, other) => other.similarity - one.similarity || one.b - other.b)
    row.length = most
  }
  return row
}

/** Builds the all-pairs operations on one thread's kernel. */
export const makeBlocks = (rows: MatrixMemory, kernel: Kernel, scratch: ReturnType<typeof makeScratch>) => {
  const levels = new Map<number, ReturnType<typeof makeLevel>>()

  /** Runs `work` over slots [from, to) one block at a time, at the level found best for `threshold`. */
  const eachBlock = (
    threshold: number,
    from: number,
    to: number,
    work: (first: number, count: number, slots: number) => number
  ) => {
    const slots = rows.slots()
    const end = Math.min(to, slots)
    let level = levels.get(threshold)
    if (level === undefined) {
      level = makeLevel(Math.ceil((1.15 - threshold) * 16))
      if (levels.size >= 64) levels.clear()
      levels.set(threshold, level)
    }
    for (let first = Math.max(0, from); first < end; first += BLOCK) {
      const count = Math.min(BLOCK, end - first)
      kernel.packA(first, count, level.get())
      const compared = work(first, count, slots)
      level.learn(kernel.tested() / Math.max(1, compared))
    }
  }

  const pairs = (
    threshold: number,
    from: number,
    to: number,
    most = Number.POSITIVE_INFINITY
  ): ReadonlyArray<Pair> => {
    const found = new Map<number, Array<Pair>>()
    const keep = (slot: number, pair: Pair) => {
      const row = found.get(slot)
      if (row === undefined) found.set(slot, [pair])
      // Trim periodically, so that many similar rows do not exhaust memory.
      else if (row.push(pair) >= 2 * most) mostSimilar(row, most)
    }
    eachBlock(threshold, from, to, (first, count, slots) => {
      for (let next = first; next < slots; ) {
        next = kernel.pairs(next, slots, threshold, scratch.out, scratch.outEnd)
        const words = rows.words()
        const doubles = rows.doubles()
        for (let at = scratch.out; at < kernel.foundUpTo(); at += 16)
          keep(words[at >> 2] ?? 0, {
            a: kernel.idOf(words[at >> 2] ?? 0),
            b: kernel.idOf(words[(at >> 2) + 1] ?? 0),
            similarity: doubles[(at >> 3) + 1] ?? 0
          })
      }
      return count * (slots - first)
    })
    return [...found.values()].flatMap((row) => mostSimilar(row, most))
  }

  const neighbours = (
    k: number,
    from: number,
    to: number,
    floor = Number.NEGATIVE_INFINITY
  ): ReadonlyArray<Neighbourhood> => {
    if (!(k >= 1)) return []
    const found: Array<Neighbourhood> = []
    const most = Math.min(Math.floor(k), rows.slots())
    const bytes = heapBytes(most)
    // The kernel accepts only scores above its floor, but a score equal to `floor` counts too.
    const least = floor - 1e-6
    eachBlock(Math.max(0.5, floor), from, to, (first, count, slots) => {
      const heaps = scratch.emptyHeaps(count, most, least)
      kernel.neighbours(0, slots, heaps, bytes)
      for (let i = 0; i < count; i++) {
        if (Number.isNaN(kernel.scaleOf(first + i))) continue
        const matches = scratch
          .entries(heaps + i * bytes)
          .map(({ slot, score }) => ({ id: kernel.idOf(slot), similarity: score }))
          .filter(({ similarity }) => similarity >= Math.fround(floor))
        found.push({ id: kernel.idOf(first + i), matches: matches.sort(compareMatches) })
      }
      return count * slots
    })
    return found
  }

  return { pairs, neighbours }
}
