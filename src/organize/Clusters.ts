import type { Neighbour } from "../domain/Enrichment.ts"
import { shareAbove } from "./Likeness.ts"
import { PairSet } from "./PairSet.ts"
import { UnionFind } from "./UnionFind.ts"
import { bestCollection } from "./Vote.ts"

interface Merge {
  readonly a: number
  readonly b: number
  readonly similarity: number
}

/** A priority queue of merges, most similar first: a binary heap in typed arrays, since it may hold millions. */
class MergeQueue {
  #similarity = new Float64Array(1_024)
  #a = new Int32Array(1_024)
  #b = new Int32Array(1_024)
  #size = 0

  get size(): number {
    return this.#size
  }

  push({ a, b, similarity }: Merge): void {
    if (this.#size === this.#a.length) this.#grow()
    let at = this.#size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#at(parent) >= similarity) break
      this.#move(parent, at)
      at = parent
    }
    this.#set(at, a, b, similarity)
  }

  pop(): Merge | undefined {
    if (this.#size === 0) return undefined
    const top = { a: this.#a[0] ?? 0, b: this.#b[0] ?? 0, similarity: this.#at(0) }
    const last = --this.#size
    const similarity = this.#at(last)
    let at = 0
    for (let child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && this.#at(child + 1) > this.#at(child)) child++
      if (this.#at(child) <= similarity) break
      this.#move(child, at)
      at = child
    }
    this.#set(at, this.#a[last] ?? 0, this.#b[last] ?? 0, similarity)
    return top
  }

  #at(index: number): number {
    return this.#similarity[index] ?? 0
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#a[from] ?? 0, this.#b[from] ?? 0, this.#at(from))
  }

  #set(index: number, a: number, b: number, similarity: number): void {
    this.#a[index] = a
    this.#b[index] = b
    this.#similarity[index] = similarity
  }

  #grow(): void {
    const [similarity, a, b] = [this.#similarity, this.#a, this.#b]
    this.#similarity = new Float64Array(2 * a.length)
    this.#a = new Int32Array(2 * a.length)
    this.#b = new Int32Array(2 * a.length)
    this.#similarity.set(similarity)
    this.#a.set(a)
    this.#b.set(b)
  }
}

/** Pages made from one template belong together, however many: they are this near, from the threshold to 1. */
const ALIKE = 0.4

interface Graph {
  readonly ids: ReadonlyArray<number>
  readonly vectorOf: (id: number) => Float32Array
  /** The similarity of two links is the dot product of their vectors plus this; 0 by default. */
  readonly offset?: number
  readonly neighboursOf: (id: number) => ReadonlyArray<Neighbour>
  readonly threshold: number
  readonly most: number
}

/** Steps between two yields, most of them a dot product of two vectors: 0.5 milliseconds at 512 dimensions. */
const STEP = 500

const PROPOSING = 0.2

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

const addTo = (sum: Float32Array, other: Float32Array): void => {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (other[i] ?? 0)
}

class Merging {
  readonly joined: UnionFind
  readonly queue = new MergeQueue()
  readonly sums = new Map<number, Float32Array>()
  readonly #waiting = new PairSet()
  readonly #graph: Graph

  constructor(graph: Graph) {
    this.#graph = graph
    this.joined = new UnionFind(graph.ids.length)
  }

  propose(a: number, b: number, similarity: number): void {
    if (similarity >= this.#graph.threshold && this.#waiting.add(a, b)) this.queue.push({ a, b, similarity })
  }

  /** Performs a merge or, if its groups have grown since, requeues it with the new similarity. */
  attempt(next: Merge): void {
    const { joined } = this
    this.#waiting.delete(next.a, next.b)
    const [a, b] = [joined.groupOf(next.a), joined.groupOf(next.b)]
    const [ofA, ofB] = [joined.sizeOf(a), joined.sizeOf(b)]
    const { most, threshold } = this.#graph
    // The queued similarity is exact or too high.
    if (a === b || (ofA + ofB > most && shareAbove(next.similarity, threshold) < ALIKE)) return
    if (a === next.a && b === next.b) this.#merge(a, b)
    else if (!this.#waiting.has(a, b))
      this.propose(a, b, dot(this.#sum(a), this.#sum(b)) / (ofA * ofB) + (this.#graph.offset ?? 0))
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
 * Average linkage (Sokal and Michener 1958) along nearest neighbours; yields the share done. The mean similarity of two
 * groups is the dot product of the sums of their vectors over the product of their sizes. It is computed only when a
 * merge reaches the top of the queue: a union is no closer to a third group than the closer of its parts was, so a
 * queued value can only be too high.
 */
function* averageLink(graph: Graph): Generator<number, ReadonlyArray<ReadonlyArray<number>>> {
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

/** Filing decides the group; the order of links matters only when a group fills up. Yields the share done. */
function* attachUngrouped(
  { ids, most, neighboursOf, threshold }: Graph,
  groups: ReadonlyArray<ReadonlyArray<number>>
): Generator<number, ReadonlyArray<ReadonlyArray<number>>> {
  const grown: Array<Array<number>> = []
  const groupOf = new Map<number, number>()
  let work = 0
  for (const members of groups) {
    for (const id of members) groupOf.set(id, grown.length)
    grown.push([...members])
    if (grown.length % STEP === 0) yield 0
  }
  for (const id of ids) {
    if (++work % STEP === 0) yield work / ids.length
    if (groupOf.has(id)) continue
    const voters = neighboursOf(id).map((one) => ({ ...one, collection: groupOf.get(one.id) ?? null }))
    const best = bestCollection(voters, threshold)
    const members = best === undefined ? undefined : grown[best.collection]
    if (best === undefined || members === undefined || best.score < threshold) continue
    if (members.length < most || shareAbove(best.score, threshold) >= ALIKE) members.push(id)
  }
  return grown
}

export interface ClusterInput extends Omit<Graph, "most"> {
  /** Defaults to 3. */
  readonly least?: number
  /** Unless the links are nearly alike; defaults to `largestGroup`. */
  readonly most?: number
}

const LEAST = 3
const MOST_SHARE = 0.15
const SMALLEST_CAP = 50
/** On 10,000 links of 700 list sections, groups above 200 were mixed: one in eight of their links shared a section. */
const LARGEST_CAP = 200

/** 15% of the links, but 50 to 200. */
export const largestGroup = (links: number): number =>
  Math.min(LARGEST_CAP, Math.max(SMALLEST_CAP, Math.floor(MOST_SHARE * links)))

const MERGING = 0.9
const SORTED = 5_000

/** Yields the share done every millisecond or two. Links of groups that are too small join another, or none. */
export function* clusters(input: ClusterInput): Generator<number, ReadonlyArray<ReadonlyArray<number>>> {
  const { least = LEAST, most = largestGroup(input.ids.length) } = input
  const graph: Graph = { ...input, most }
  const merged = yield* scaled(averageLink(graph), 0, MERGING)
  const kept = merged.filter((members) => members.length >= least)
  const groups: Array<ReadonlyArray<number>> = []
  let work = 0
  for (const members of yield* scaled(attachUngrouped(graph, kept), MERGING, 1)) {
    groups.push(members.toSorted((a, b) => a - b))
    work += members.length
    if (work < SORTED) continue
    work = 0
    yield 1
  }
  return groups.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
}

function* scaled<A>(part: Generator<number, A>, from: number, to: number): Generator<number, A> {
  let step = part.next()
  for (; !step.done; step = part.next()) yield from + (to - from) * step.value
  return step.value
}
