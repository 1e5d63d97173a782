import { describe, expect, test } from "bun:test"
import { dot, quantize } from "../../src/search/Quantize.ts"

describe("quantize", () => {
  test("maps the largest component to 127", () => {
    expect(quantize(Float32Array.of(0.5, -1, 0))).toEqual({
      codes: Int8Array.of(64, -127, 0),
      scale: Math.fround(1 / 127)
    })
  })

  test("returns a zero vector for a zero or non-finite vector", () => {
    for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY])
      expect(quantize(Float32Array.of(value, 0))).toEqual({ codes: new Int8Array(2), scale: 0 })
  })
})

test("dot returns the product of vectors of any length", () => {
  for (const length of [1, 3, 4, 7, 16])
    expect(dot(new Float32Array(length).fill(2), new Float32Array(length).fill(3))).toBe(6 * length)
})
