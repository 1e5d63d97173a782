import type { Filed } from "./Filing.ts"

/** The results of filing at or above a score. */
export interface AtThreshold {
  /** The share of correct links among filed ones; a link of no collection is never correct. */
  readonly precision: number
  /** The share of filed links among those that belong to a collection. */
  readonly coverage: number
  /** The share of filed links among those of no collection. */
  readonly strangers: number
}

/** Measures filing at `threshold` or above. */
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
 * The lowest threshold with at least this precision; infinite if there is none.
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
