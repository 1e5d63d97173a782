import type { Neighbour } from "../domain/Enrichment.ts"

/** A link near the one to be filed, and the number of the collection it is in. */
interface Voter extends Neighbour {
  readonly collection: number | null
}

/** The collection a link belongs in, how near it is, and the links there that say so. */
interface Verdict {
  readonly collection: number
  readonly score: number
  readonly because: ReadonlyArray<Neighbour>
}

/** How many of a collection's links are asked: the mean of the three nearest did best of all rules tried. */
const VOICES = 3
/**
 * What a missing voice counts, of the lowest that is there. In libraries with collections of 1 to 15 links, at 0 those of one
 * and two received nothing; at 1 they took in half again as many strangers, and precision fell by a tenth.
 */
const MISSING = 2 / 3

/**
 * How near a link is to a group: the mean of its three best similarities to it. Where there are fewer, each that is missing
 * counts two thirds of the lowest, so that a group of one takes in what is 1.3 times as near as it need else be.
 */
export const groupScore = (similarities: ReadonlyArray<number>): number => {
  const best = similarities.toSorted((a, b) => b - a).slice(0, VOICES)
  const missing = (VOICES - best.length) * MISSING * (best.at(-1) ?? 0)
  return best.reduce((sum, one) => sum + one, missing) / VOICES
}

/** The collection whose links a link is nearest to, if it is near enough: `neighbours` are the nearest links, best first. */
export const bestCollection = (neighbours: ReadonlyArray<Voter>, threshold: number): Verdict | undefined => {
  const voices = new Map<number, Array<Neighbour>>()
  for (const { collection, id, similarity } of neighbours) {
    if (collection === null) continue
    const asked = voices.get(collection) ?? []
    if (asked.length < VOICES) asked.push({ id, similarity })
    voices.set(collection, asked)
  }
  let best: Verdict | undefined
  for (const [collection, because] of voices) {
    const score = groupScore(because.map(({ similarity }) => similarity))
    if (score >= threshold && (best === undefined || score > best.score))
      best = { collection, score, because }
  }
  return best
}
