import { describe, expect, test } from "bun:test"
import { groupingThreshold, likenessFor, mixFor, shareAbove } from "../../src/organize/Likeness.ts"

describe("likenessFor", () => {
  test("is 1 for identical links and the threshold where both cosines are at theirs, for any embedder", () => {
    for (const threshold of [0, 0.05, 0.37, 0.75, 0.95]) {
      const likeness = likenessFor(threshold)
      expect(likeness(1, 1)).toBeCloseTo(1, 10)
      expect(likeness(threshold, 0.09)).toBeCloseTo(threshold, 10)
      expect(likeness(1, 1)).toBeLessThanOrEqual(1)
    }
  })

  test("grows with either cosine, seven to three for the built-in embedder", () => {
    const likeness = likenessFor(0.37)
    expect(likeness(0.5, 0.2)).toBeGreaterThan(likeness(0.4, 0.2))
    expect(likeness(0.4, 0.3)).toBeGreaterThan(likeness(0.4, 0.2))
    const { meaning, words } = mixFor(0.37)
    expect(meaning / (meaning + words)).toBeCloseTo(0.7, 1)
  })

  test("keeps its share of the way above the threshold if the embedder's cosines are compressed", () => {
    const shift = (cosine: number) => 0.6 + 0.4 * cosine
    for (const [meaning, words] of [
      [0.2, 0],
      [0.4, 0.3],
      [0.6, 0.1]
    ] as const)
      expect(shareAbove(likenessFor(shift(0.37))(shift(meaning), words), shift(0.37))).toBeCloseTo(
        shareAbove(likenessFor(0.37)(meaning, words), 0.37),
        10
      )
  })

  test("mixes as its parts say", () => {
    const { meaning, offset, words } = mixFor(0.37)
    expect(likenessFor(0.37)(0.3, 0.2)).toBeCloseTo(0.3 * meaning + 0.2 * words + offset, 10)
  })
})

test("groupingThreshold lies between the threshold and 1", () => {
  for (const threshold of [0, 0.37, 0.95]) {
    expect(groupingThreshold(threshold)).toBeGreaterThan(threshold)
    expect(groupingThreshold(threshold)).toBeLessThan(1)
  }
})
