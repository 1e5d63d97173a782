import type { Neighbour } from "../domain/Enrichment.ts"
import { UNSORTED } from "../shared/Category.ts"
import { shareAbove } from "./Likeness.ts"

/** A neighbour of the link to be filed, and the number of its collection. */
interface Voter extends Neighbour {
  readonly collection: number | null
}

/** The collection a link belongs in, its similarity to that collection, and the links there that decided it. */
interface Verdict {
  readonly collection: number
  readonly score: number
  readonly because: ReadonlyArray<Neighbour>
  /** Whether it stands out so clearly that about 85 of 100 such links are filed correctly. */
  readonly isSure: boolean
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

/** How much the second-best collection's similarity counts against the best one's. */
const RIVAL = 0.5
/** Share of the way from the threshold to 1 below which a rival does not count. */
const NO_RIVAL = -0.19
/**
 * The clarity from which links are filed, and from which their filing is likely to be correct: in libraries of 30
 * collections, three of four links are filed correctly from the one, and 85 of 100 from the other
 * (`test/bench/filing/filing.ts`).
 */
export const FILED_FROM = -0.05
export const SURE_FROM = 0.02
/** The clarity from which links are filed in a collection that has fewer links than count. */
const FILED_IN_SMALL_FROM = 0
/** The same for the links of a new group, which was made of those that are most similar to each other. */
const SURE_IN_GROUP_FROM = 0.06

/**
 * Returns how clearly a link belongs to its best collection: that collection's similarity, less half of what the second
 * best one has above the similarity of unrelated links, both as shares of the way from the threshold to 1. At precision
 * .85, 7 of 100 links more are filed by it than by the best similarity alone.
 */
export const clarityOf = (score: number, rival: number, threshold: number): number =>
  shareAbove(score, threshold) - RIVAL * Math.max(0, shareAbove(rival, threshold) - NO_RIVAL)

/** Whether a link of a new group belongs there so clearly that about 85 of 100 such links are correct. */
export const isSureInGroup = (score: number, rival: number, threshold: number): boolean =>
  clarityOf(score, rival, threshold) >= SURE_IN_GROUP_FROM

/**
 * Returns the collections of the neighbours, most similar first: `neighbours` are a link's nearest links, best first.
 */
export const rankCollections = (neighbours: ReadonlyArray<Voter>): ReadonlyArray<Omit<Verdict, "isSure">> => {
  const votes = new Map<number, Array<Neighbour>>()
  for (const { collection, id, similarity } of neighbours) {
    if (collection === null) continue
    const asked = votes.get(collection) ?? []
    if (asked.length < VOTES) asked.push({ id, similarity })
    votes.set(collection, asked)
  }
  return Array.from(votes, ([collection, because]) => ({
    collection,
    because,
    score: groupScore(because.map(({ similarity }) => similarity))
  })).sort((a, b) => b.score - a.score)
}

/**
 * Returns the collection whose links are nearest to a link, if they are near enough and clearly nearer than those of any
 * other collection: `neighbours` are its nearest links, best first.
 */
export const bestCollection = (neighbours: ReadonlyArray<Voter>, threshold: number): Verdict | undefined => {
  const [best, rival] = rankCollections(neighbours)
  if (best === undefined) return undefined
  const clarity = clarityOf(best.score, rival?.score ?? -1, threshold)
  const least = best.because.length < VOTES ? FILED_IN_SMALL_FROM : FILED_FROM
  return clarity < least ? undefined : { ...best, isSure: clarity >= SURE_FROM }
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
