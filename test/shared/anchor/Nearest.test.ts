import { describe, expect, it } from "bun:test"
import { nearestEnds } from "../../../src/shared/anchor/Nearest.ts"
import { randomOf } from "../../support/randomLibrary.ts"
import { MORE, SEED } from "../../support/strange.ts"

/** The same by the whole table of edit distances (P. H. Sellers, J. Algorithms 1(4), 1980). */
const bySellers = (text: string, pattern: string, most: number) => {
  let column = Array.from({ length: pattern.length + 1 }, (_, row) => row)
  const scores = [...text].map((unit) => {
    const next = [0]
    for (let row = 1; row <= pattern.length; row++) {
      const [diagonal = 0, left = 0, up = 0] = [column[row - 1], column[row], next[row - 1]]
      next.push(Math.min(diagonal + (pattern[row - 1] === unit ? 0 : 1), left + 1, up + 1))
    }
    column = next
    return next.at(-1) ?? 0
  })
  const errors = Math.min(most, ...scores)
  return { errors, ends: scores.flatMap((score, at) => (score === errors ? [at + 1] : [])) }
}

describe("the places nearest to a pattern", () => {
  it("are those of the table of edit distances", () => {
    const random = randomOf(SEED)
    const textOf = (most: number) =>
      Array.from({ length: 1 + Math.floor(random() * most) }, () => "abc".charAt(random() * 3)).join("")
    for (let i = 0; i < 300 * MORE; i++) {
      const [text, pattern] = [textOf(150), textOf(100)]
      const most = Math.floor(random() * pattern.length)
      expect({ text, pattern, ...nearestEnds(text, pattern, most) }).toEqual({
        text,
        pattern,
        ...bySellers(text, pattern, most)
      })
    }
  })
})
