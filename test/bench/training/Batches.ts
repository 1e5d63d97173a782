import { type Random, weighted } from "./Random.ts"
import type { Pair } from "./Text.ts"

/**
 * Texts as bags of words: text t has the words and weights from `starts[t]` up to `starts[t + 1]`.
 */
export interface Bags {
  readonly starts: Int32Array
  readonly word: Int32Array
  readonly weight: Float32Array
}

/**
 * Makes bags of texts given as word numbers. A word's weight is 1 + ln of its count in the text, times its own weight.
 */
export const bagsOf = (texts: ReadonlyArray<Int32Array>, weights: Float32Array): Bags => {
  const starts = new Int32Array(texts.length + 1)
  const word: Array<number> = []
  const weight: Array<number> = []
  texts.forEach((text, at) => {
    const counts = new Map<number, number>()
    for (const number of text) counts.set(number, (counts.get(number) ?? 0) + 1)
    for (const [number, count] of counts) {
      word.push(number)
      weight.push((1 + Math.log(count)) * (weights[number] ?? 0))
    }
    starts[at + 1] = word.length
  })
  return { starts, word: Int32Array.from(word), weight: Float32Array.from(weight) }
}

/**
 * A batch of pairs: text `left[i]` of one set of bags matches text `right[i]` of another.
 */
export interface Batch {
  readonly leftBags: Bags
  readonly rightBags: Bags
  readonly left: ReadonlyArray<number>
  readonly right: ReadonlyArray<number>
  /** Texts of the same group are not used as negatives of each other. */
  readonly group: ReadonlyArray<number>
}

/** The share of batches that pair two texts under one heading instead of a heading and its text. */
const SIBLINGS_SHARE = 0.3
/** Texts under one heading at a larger distance come from different documents. */
const FARTHEST = 60
const MOST_OF_A_GROUP = 20
/** List entries are most similar to saved links; glosses are many and short. */
const ENTRY_WEIGHT = 3
const GLOSS_WEIGHT = 0.5

const siblingsOf = (pairs: ReadonlyArray<Pair>): ReadonlyArray<ReadonlyArray<number>> =>
  [...Map.groupBy(pairs.keys(), (at) => pairs[at]?.heading ?? "").values()].flatMap((same) => {
    const groups: Array<Array<number>> = []
    same.forEach((at, index) => {
      const group = groups.at(-1)
      if (group !== undefined && at - (same[index - 1] ?? 0) < FARTHEST) group.push(at)
      else groups.push([at])
    })
    return groups.filter((group) => group.length > 1)
  })

/** Draws batches of `size` pairs endlessly. */
export const batchesOf = (
  pairs: ReadonlyArray<Pair>,
  headings: Bags,
  texts: Bags,
  size: number,
  random: Random
): (() => Batch) => {
  const numbers = new Map<string, number>()
  const group = pairs.map(({ heading }) => {
    const number = numbers.get(heading) ?? numbers.size
    numbers.set(heading, number)
    return number
  })
  const drawPair = weighted(
    pairs.map(({ isEntry, isGloss }) => (isEntry ? ENTRY_WEIGHT : isGloss ? GLOSS_WEIGHT : 1)),
    random
  )
  const siblings = siblingsOf(pairs)
  const drawSiblings = weighted(
    siblings.map(({ length }) => Math.min(length, MOST_OF_A_GROUP) ** 0.75),
    random
  )

  const headed = (): Batch => {
    const drawn = Array.from({ length: size }, drawPair)
    const groups = drawn.map((at) => group[at] ?? 0)
    return { leftBags: headings, rightBags: texts, left: drawn, right: drawn, group: groups }
  }

  const siblingly = (): Batch => {
    const drawn = new Set<number>()
    while (drawn.size < Math.min(size, siblings.length)) drawn.add(drawSiblings())
    const both = [...drawn].map((at) => {
      const members = siblings[at] ?? []
      const first = Math.floor(random() * members.length)
      const second = (first + 1 + Math.floor(random() * (members.length - 1))) % members.length
      return { left: members[first] ?? 0, right: members[second] ?? 0 }
    })
    return {
      leftBags: texts,
      rightBags: texts,
      left: both.map(({ left }) => left),
      right: both.map(({ right }) => right),
      group: both.map(({ left }) => group[left] ?? 0)
    }
  }

  return () => (random() < SIBLINGS_SHARE ? siblingly() : headed())
}
