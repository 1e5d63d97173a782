import { attach } from "./Attach.ts"
import { averageLink, type Graph } from "./AverageLink.ts"

/** Links to be grouped, and how large a group may be. */
export interface ClusterInput extends Omit<Graph, "most"> {
  /** The fewest links worth a group; 3 unless told. */
  readonly least?: number
  /** The links in the largest group allowed; `largestGroup` unless told. */
  readonly most?: number
}

const LEAST = 3
const MOST_SHARE = 0.15
const SMALLEST_CAP = 50
/** On 10,000 links of 700 list sections, groups above 200 were a mixture: one in eight of their links had a section in common. */
const LARGEST_CAP = 200

/** The links in the largest group that still says something of what is in it: three twentieths of them, but 50 to 200. */
export const largestGroup = (links: number): number =>
  Math.min(LARGEST_CAP, Math.max(SMALLEST_CAP, Math.floor(MOST_SHARE * links)))

/** The merging's share of the work, next to attaching what is left. */
const MERGING = 0.9
/** Links put in order between two yields. */
const SORTED = 5_000

/**
 * Groups links that belong together, the largest group first, and yields the share done every millisecond or two. Groups
 * that are too small are dissolved; their links join a group that filing would put them in, or stay alone.
 */
export function* clusters(input: ClusterInput): Generator<number, ReadonlyArray<ReadonlyArray<number>>> {
  const { least = LEAST, most = largestGroup(input.ids.length) } = input
  const graph: Graph = { ...input, most }
  const merged = yield* scaled(averageLink(graph), 0, MERGING)
  const kept = merged.filter((members) => members.length >= least)
  const groups: Array<ReadonlyArray<number>> = []
  let work = 0
  for (const members of yield* scaled(attach(graph, kept), MERGING, 1)) {
    groups.push(members.toSorted((a, b) => a - b))
    work += members.length
    if (work < SORTED) continue
    work = 0
    yield 1
  }
  return groups.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
}

/** A part of the work, its share done put between `from` and `to` of the whole. */
function* scaled<A>(part: Generator<number, A>, from: number, to: number): Generator<number, A> {
  let step = part.next()
  for (; !step.done; step = part.next()) yield from + (to - from) * step.value
  return step.value
}
