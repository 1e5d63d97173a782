import { describe, expect, test } from "bun:test"
import { embed } from "../../../src/enrich/embedding/BuiltIn.ts"
import {
  addWord,
  parseWordTable,
  splitWord,
  type WordTable
} from "../../../src/enrich/embedding/WordTable.ts"
import { fileOf, inverseFrequencies, quantized } from "../../bench/training/Export.ts"

const small = (): WordTable => {
  const words = quantized({ rows: 4, columns: 2, value: Float32Array.of(1, 0, 0, 1, 0.5, 0.5, -1, 0) })
  const buckets = quantized({ rows: 3, columns: 2, value: Float32Array.of(1, 1, 1, 1, 1, 1) })
  return {
    dimensions: 2,
    hashedDimensions: 6,
    numberOf: new Map(["data", "base", "tabase", "ünïcode"].map((word, number) => [word, number])),
    centre: Float32Array.of(0, 0),
    wordScales: words.scales,
    wordCodes: words.codes,
    bucketScales: buckets.scales,
    bucketCodes: buckets.codes,
    idf: inverseFrequencies([["data", "base"], ["data"], ["data"]])
  }
}

const rowOf = (table: WordTable, word: string, weight = 1) => {
  const row = new Float32Array(table.dimensions)
  addWord(row, table, word, weight)
  return [...row].map((value) => Number(value.toFixed(3)))
}

describe("parseWordTable", () => {
  test("reads a table as it was written", () => {
    expect(parseWordTable(fileOf(small()))).toEqual(small())
  })

  test("reads a table from the middle of a buffer", () => {
    const file = fileOf(small())
    const shifted = new Uint8Array(file.length + 3)
    shifted.set(file, 3)
    expect(parseWordTable(shifted.subarray(3))).toEqual(small())
  })

  test("rejects a truncated file and other data", () => {
    const file = fileOf(small())
    for (const length of [0, 3, 20, 40, file.length - 4])
      expect(() => parseWordTable(file.slice(0, length))).toThrow("cut off")
    expect(() => parseWordTable(new Uint8Array(64))).toThrow("not a word table")
  })
})

describe("addWord", () => {
  test("adds the row of the table times the weight", () => {
    expect(rowOf(small(), "data")).toEqual([1, 0])
    expect(rowOf(small(), "base", 2)).toEqual([0, 2])
  })

  test("splits an unknown word into two known ones", () => {
    expect(splitWord(small(), "database")).toEqual([0, 1])
    expect(rowOf(small(), "database")).toEqual([0.7, 0.7])
  })

  test("averages the buckets of the n-grams of any other word", () => {
    expect(rowOf(small(), "zygote")).toEqual([1, 1])
    expect(rowOf(small(), "zygote", 3)).toEqual([3, 3])
  })

  test("adds nothing for a number, a short word or another script", () => {
    for (const word of ["12345", "ab", "слово", ""]) expect(rowOf(small(), word)).toEqual([0, 0])
  })
})

test("embed works with any table", () => {
  const vector = embed(small(), "data")
  expect(vector).toHaveLength(8)
  expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  expect(embed(small(), "")).toEqual(new Float32Array(8))
})
