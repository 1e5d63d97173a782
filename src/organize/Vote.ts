import type { Neighbour } from "../domain/Enrichment.ts"
import { UNSORTED } from "../shared/Category.ts"
import { shareAbove } from "./Likeness.ts"

interface Voter extends Neighbour {
  readonly collection: number | null
}

interface Verdict {
  readonly collection: number
  readonly score: number
  readonly because: ReadonlyArray<Neighbour>
  /** About 85 of 100 such links are filed correctly. */
  readonly isSure: boolean
}

/** Number of a collection's links that vote: the mean of the three nearest performed best of all rules tried. */
const VOTES = 3
/** At 0, collections of one or two links received nothing; at 1 they received half again as many wrong links. */
const MISSING = 2 / 3

/** The mean of the three best similarities to the group's links. Each missing vote counts two thirds of the lowest. */
export const groupScore = (similarities: ReadonlyArray<number>): number => {
  const best = similarities.toSorted((a, b) => b - a).slice(0, VOTES)
  const missing = (VOTES - best.length) * MISSING * (best.at(-1) ?? 0)
  return best.reduce((sum, one) => sum + one, missing) / VOTES
}

const RIVAL = 0.5
/** Share of the way from the threshold to 1 below which a rival does not count. */
const NO_RIVAL = -0.19
/**
 * The clarity from which links are filed (three of four correctly in libraries of 30 collections), and from which their
 * filing is likely to be correct (85 of 100; `test/bench/filing/filing.ts`).
 */
export const FILED_FROM = -0.05
export const SURE_FROM = 0.02
const FILED_IN_SMALL_FROM = 0
const SURE_IN_GROUP_FROM = 0.06

/**
 * The best collection's similarity, less half of what the second best one has above the similarity of unrelated links,
 * as shares of the way from the threshold to 1. At precision .85, this files 7 of 100 links more than the best
 * similarity alone.
 */
export const clarityOf = (score: number, rival: number, threshold: number): number =>
  shareAbove(score, threshold) - RIVAL * Math.max(0, shareAbove(rival, threshold) - NO_RIVAL)

export const isSureInGroup = (score: number, rival: number, threshold: number): boolean =>
  clarityOf(score, rival, threshold) >= SURE_IN_GROUP_FROM

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

/** None unless the nearest links (best first) are near enough and clearly nearer than those of any other collection. */
export const bestCollection = (neighbours: ReadonlyArray<Voter>, threshold: number): Verdict | undefined => {
  const [best, rival] = rankCollections(neighbours)
  if (best === undefined) return undefined
  const clarity = clarityOf(best.score, rival?.score ?? -1, threshold)
  const least = best.because.length < VOTES ? FILED_IN_SMALL_FROM : FILED_FROM
  return clarity < least ? undefined : { ...best, isSure: clarity >= SURE_FROM }
}

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
