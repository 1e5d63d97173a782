import { describe, expect, test } from "bun:test"
import { makeLevel } from "../../../src/search/kernel/MatrixBlocks.ts"
import { makeFasterOf } from "../../../src/search/kernel/MatrixNearest.ts"
import { dot, quantize } from "../../../src/search/Quantize.ts"

describe("quantize", () => {
  test("gives the largest component 127", () => {
    expect(quantize(Float32Array.of(0.5, -1, 0))).toEqual({
      codes: Int8Array.of(64, -127, 0),
      scale: Math.fround(1 / 127)
    })
  })

  test("makes what is zero or not finite a zero vector", () => {
    for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY])
      expect(quantize(Float32Array.of(value, 0))).toEqual({ codes: new Int8Array(2), scale: 0 })
  })
})

test("dot multiplies vectors of any length", () => {
  for (const length of [1, 3, 4, 7, 16])
    expect(dot(new Float32Array(length).fill(2), new Float32Array(length).fill(3))).toBe(6 * length)
})

test("the quicker way is taken after a trial of both", () => {
  let clock = 0
  const pick = makeFasterOf([5, 3], () => clock)
  const used: Array<number> = []
  for (let run = 0; run < 100; run++)
    pick((way) => {
      used.push(way)
      clock += way
    })
  expect(used.slice(0, 4)).toEqual([5, 3, 5, 3])
  expect(new Set(used.slice(16))).toEqual(new Set([3]))
})

test("the level settles where the products and the pairs decided cost least together", () => {
  const level = makeLevel(4)
  // Below level 3 every pair has to be decided.
  for (let block = 0; block < 10; block++) level.learn(level.get() < 3 ? 1 : 0.001)
  expect(level.get()).toBe(3)
})
