import type { Neighbour } from "../domain/Embedding.ts"
import { Joined } from "./Joined.ts"
import { type Merge, MergeQueue } from "./MergeQueue.ts"
import { PairSet } from "./PairSet.ts"

/** Links to be grouped: their unit vectors, and for each its nearest among them. */
export interface Graph {
  readonly ids: ReadonlyArray<number>
  readonly vectorOf: (id: number) => Float32Array
  readonly neighboursOf: (id: number) => ReadonlyArray<Neighbour>
  /** The similarity from which on links belong together. */
  readonly threshold: number
  /** The links in the largest group allowed. */
  readonly most: number
}

/** Steps between two yields, most of them a product of two vectors: half a millisecond at 512 dimensions. */
export const STEP = 500

/** The share of the work it is to read the neighbours. */
const PROPOSING = 0.2

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

const addTo = (sum: Float32Array, other: Float32Array): void => {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (other[i] ?? 0)
}

/** What is being merged, by the places of the links in the list. */
class Merging {
  readonly joined: Joined
  readonly queue = new MergeQueue()
  /** The sums of the vectors of the groups of two and more. */
  readonly sums = new Map<number, Float32Array>()
  readonly #waiting = new PairSet()
  readonly #graph: Graph

  constructor(graph: Graph) {
    this.#graph = graph
    this.joined = new Joined(graph.ids.length)
  }

  propose(a: number, b: number, similarity: number): void {
    if (similarity < this.#graph.threshold || this.#waiting.has(a, b)) return
    this.#waiting.add(a, b)
    this.queue.push({ a, b, similarity })
  }

  /** Does what is next, or finds that it has changed and puts it back where it now belongs. */
  attempt(next: Merge): void {
    const { joined } = this
    this.#waiting.delete(next.a, next.b)
    const [a, b] = [joined.groupOf(next.a), joined.groupOf(next.b)]
    const [ofA, ofB] = [joined.sizeOf(a), joined.sizeOf(b)]
    if (a === b || ofA + ofB > this.#graph.most) return
    if (a === next.a && b === next.b) this.#merge(a, b)
    else if (!this.#waiting.has(a, b)) this.propose(a, b, dot(this.#sum(a), this.#sum(b)) / (ofA * ofB))
  }

  #merge(a: number, b: number): void {
    const { joined, sums } = this
    const [kept, added] = joined.sizeOf(a) >= joined.sizeOf(b) ? [a, b] : [b, a]
    const sum = sums.get(kept) ?? Float32Array.from(this.#sum(kept))
    addTo(sum, this.#sum(added))
    sums.delete(a)
    sums.delete(b)
    sums.set(joined.join(a, b), sum)
  }

  #sum(group: number): Float32Array {
    return this.sums.get(group) ?? this.#graph.vectorOf(this.#graph.ids[group] ?? 0)
  }
}

/**
 * Groups links by average linkage (Sokal and Michener 1958) along their nearest neighbours, and yields the share done.
 *
 * The mean similarity of two groups of unit vectors is the product of their sums over that of their sizes, so it is exact.
 * It is worked out only when a merge comes to the top: a union is no nearer to a third group than the nearer of its parts
 * was, so that what waits under an older value can only sink.
 */
export function* averageLink(graph: Graph): Generator<number, ReadonlyArray<ReadonlyArray<number>>> {
  const { ids, neighboursOf } = graph
  const merging = new Merging(graph)
  const indexOf = new Map<number, number>()
  let work = 0
  for (const [index, id] of ids.entries()) {
    indexOf.set(id, index)
    if (++work % STEP === 0) yield 0
  }
  for (const [index, id] of ids.entries())
    for (const { id: other, similarity } of neighboursOf(id)) {
      const at = indexOf.get(other)
      if (at !== undefined && at !== index) merging.propose(index, at, similarity)
      if (++work % STEP === 0) yield (PROPOSING * index) / ids.length
    }
  const { queue } = merging
  const proposed = Math.max(queue.size, 1)
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    merging.attempt(next)
    if (++work % STEP === 0) yield 1 - ((1 - PROPOSING) * queue.size) / proposed
  }
  const groups: Array<ReadonlyArray<number>> = []
  for (const group of merging.sums.keys()) {
    const members = merging.joined.membersOf(group).map((index) => ids[index] ?? 0)
    groups.push(members)
    work += members.length
    if (groups.length % 100 === 0) yield 1
  }
  return groups
}
