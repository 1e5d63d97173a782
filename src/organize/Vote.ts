import type { Neighbour } from "../domain/Enrichment.ts"
import { UNSORTED } from "../shared/Category.ts"

/** A neighbour of the link to be filed, and the number of its collection. */
interface Voter extends Neighbour {
  readonly collection: number | null
}

/** The collection a link belongs in, its similarity to that collection, and the links there that decided it. */
interface Verdict {
  readonly collection: number
  readonly score: number
  readonly because: ReadonlyArray<Neighbour>
}

/** Number of a collection's links that vote: the mean of the three nearest performed best of all rules tried. */
const VOTES = 3
/**
 * Value of a missing vote, as a share of the lowest vote present. In libraries with collections of 1 to 15 links, those
 * of one or two links received nothing at 0; at 1 they received half again as many wrong links, and precision fell by a
 * tenth.
 */
const MISSING = 2 / 3

/**
 * Returns a link's similarity to a group: the mean of its three best similarities to the group's links. With fewer
 * links, each missing vote counts two thirds of the lowest, so that a group of one requires 1.3 times the similarity it
 * would otherwise.
 */
export const groupScore = (similarities: ReadonlyArray<number>): number => {
  const best = similarities.toSorted((a, b) => b - a).slice(0, VOTES)
  const missing = (VOTES - best.length) * MISSING * (best.at(-1) ?? 0)
  return best.reduce((sum, one) => sum + one, missing) / VOTES
}

/**
 * Returns the collection whose links are nearest to a link, if they are near enough: `neighbours` are its nearest
 * links, best first.
 */
export const bestCollection = (neighbours: ReadonlyArray<Voter>, threshold: number): Verdict | undefined => {
  const votes = new Map<number, Array<Neighbour>>()
  for (const { collection, id, similarity } of neighbours) {
    if (collection === null) continue
    const asked = votes.get(collection) ?? []
    if (asked.length < VOTES) asked.push({ id, similarity })
    votes.set(collection, asked)
  }
  let best: Verdict | undefined
  for (const [collection, because] of votes) {
    const score = groupScore(because.map(({ similarity }) => similarity))
    if (score >= threshold && (best === undefined || score > best.score))
      best = { collection, score, because }
  }
  return best
}

/** Returns the category with the largest total similarity among the neighbours at or above the threshold. */
export const bestCategory = (
  neighbours: ReadonlyArray<{ readonly category: string; readonly similarity: number }>,
  threshold: number
): string | undefined => {
  const weights = new Map<string, number>()
  for (const { category, similarity } of neighbours)
    if (similarity >= threshold && category !== UNSORTED)
      weights.set(category, (weights.get(category) ?? 0) + similarity)
  return [...weights].sort((a, b) => b[1] - a[1])[0]?.[0]
}
