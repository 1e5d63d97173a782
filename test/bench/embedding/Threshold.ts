import type { Filed } from "./Filing.ts"

/** What filing at or above a score does. */
export interface AtThreshold {
  /** The share of what was filed that was filed right; a stranger is never right. */
  readonly precision: number
  /** The share of the links that belong that was filed. */
  readonly coverage: number
  /** The share of the strangers that was filed. */
  readonly strangers: number
}

/** Counts what is filed at `threshold` or above. */
export const atThreshold = (filed: ReadonlyArray<Filed>, threshold: number): AtThreshold => {
  const kept = filed.filter(({ score }) => score >= threshold)
  const belonging = filed.filter(({ belongs }) => belongs).length
  return {
    precision: kept.filter(({ right }) => right).length / kept.length,
    coverage: kept.filter(({ belongs }) => belongs).length / belonging,
    strangers: kept.filter(({ belongs }) => !belongs).length / (filed.length - belonging)
  }
}

/**
 * The lowest score from which on at least `precision` of what is filed is right; infinite where there is
 * none.
 */
export const lowestThreshold = (filed: ReadonlyArray<Filed>, precision: number): number => {
  const best = [...filed].sort((a, b) => b.score - a.score)
  let right = 0
  let threshold = Number.POSITIVE_INFINITY
  best.forEach((one, at) => {
    if (one.right) right++
    if (right / (at + 1) >= precision) threshold = one.score
  })
  return threshold
}
