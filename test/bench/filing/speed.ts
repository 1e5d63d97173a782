import type { Neighbour } from "../../../src/domain/Enrichment.ts"
import { clusters } from "../../../src/organize/Clusters.ts"
import { random } from "../vectors/data.ts"
import { nearestOthers } from "./neighbours.ts"

/**
 * Times the grouping of 100,000 links: `bun test/bench/filing/speed.ts`. One library has topics of about 25 links in fields
 * of 500, with the 15 nearest links of each in its field; in another all links are similar, so that groups grow to their limit.
 */

const COUNT = 100_000
const DIMENSIONS = 512
const FIELD = 500
const TOPIC = 25
const NEIGHBOURS = 15
const THRESHOLD = 0.3

const next = random(7)
const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}
const anywhere = () => unit(new Float32Array(DIMENSIONS).map(() => next() + next() + next()))
/** A unit vector with this cosine to the centre. */
const near = (centre: Float32Array, cosine: number): Float32Array => {
  const other = anywhere()
  const rest = Math.sqrt(1 - cosine ** 2)
  return unit(centre.map((value, i) => cosine * value + rest * (other[i] ?? 0)))
}

const library = (common: number) => {
  const middle = anywhere()
  const vectors = new Map<number, Float32Array>()
  const neighbours = new Map<number, ReadonlyArray<Neighbour>>()
  for (let first = 1; first <= COUNT; first += FIELD) {
    const field = near(middle, common)
    const topics = Array.from({ length: FIELD / TOPIC }, () => near(field, 0.55))
    const links = Array.from({ length: FIELD }, (_, i) => ({
      id: first + i,
      vector: near(topics[i % topics.length] ?? field, 0.625 + 0.35 * next())
    }))
    for (const { id, vector } of links) vectors.set(id, vector)
    for (const [id, found] of nearestOthers(links, NEIGHBOURS, THRESHOLD)) neighbours.set(id, found)
  }
  return { neighbours, vectors }
}

/** Neighbors of which a third belong to other fields. */
const tangled = (neighbours: ReadonlyMap<number, ReadonlyArray<Neighbour>>) =>
  new Map(
    [...neighbours].map(([id, found]) => [
      id,
      found.map((one, i) => (i % 3 === 2 ? { ...one, id: 1 + ((one.id + 7_919 * i) % COUNT) } : one))
    ])
  )

const timed = (label: string, { neighbours, vectors }: ReturnType<typeof library>, threshold: number) => {
  const work = clusters({
    ids: [...vectors.keys()],
    vectorOf: (id) => vectors.get(id) ?? new Float32Array(DIMENSIONS),
    neighboursOf: (id) => neighbours.get(id) ?? [],
    threshold
  })
  const gaps: Array<number> = []
  const begun = performance.now()
  for (let last = begun, step = work.next(); ; step = work.next()) {
    gaps.push(performance.now() - last)
    last = performance.now()
    if (!step.done) continue
    gaps.sort((a, b) => b - a)
    const late = gaps.filter((gap) => gap > 5).length
    const sizes = step.value.map(({ length }) => length)
    console.log(
      `${label}: ${(last - begun).toFixed(0)} ms, ${gaps.length} steps, ${late} above 5 ms, the longest ` +
        `${gaps[0]?.toFixed(1)} ms; ${sizes.length} groups, the biggest ${sizes[0]}`
    )
    return
  }
}

const apart = library(0)
timed("topics apart", apart, THRESHOLD)
const alike = library(0.75)
timed("all like all", { ...alike, neighbours: tangled(alike.neighbours) }, 0.05)
