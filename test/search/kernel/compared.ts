import type { Matrix } from "../../../src/search/kernel/Matrix.ts"

/** The nearest other rows of each row, when all are compared. */
export const compared = (matrix: Matrix, ...how: Parameters<Matrix["compareAll"]>) => {
  const work = matrix.compareAll(...how)
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}
