import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import {
  ComparisonHelper,
  compareVectorsWithHelp,
  HelperDied,
  MANY
} from "../../src/search/ComparisonHelper.ts"
import { type Comparison, helpCompare } from "../../src/search/kernel/Comparison.ts"
import { makeMatrix } from "../../src/search/kernel/Matrix.ts"
import { compareVectors } from "../../src/search/SimilarLinks.ts"
import { effectTest } from "../support/effect.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { long } from "../support/tier.ts"

const it = effectTest(Layer.empty)

const DIMENSIONS = 16
const ids = Array.from({ length: MANY }, (_, i) => i + 1)
const embedder = { threshold: 0.7, dimensions: DIMENSIONS }

/** A matrix of so many rows that help is worth another thread. */
const matrix = makeMatrix(DIMENSIONS)
const next = randomOf(5)
for (const id of ids) {
  const codes = Int8Array.from({ length: DIMENSIONS }, () => Math.floor(255 * next()) - 127)
  matrix.set(id, codes, 1 / Math.hypot(...codes))
}

const nothing = () => Effect.void
const alone = compareVectors({ embedder, matrix }, ids, nothing)
/** Some of the rows' neighbours: all of them would take the test's time. */
const some = ids.filter((id) => id % 97 === 0)

describe("a comparison with a helper", () => {
  it("finds what it finds alone, with a thread of the program", function* () {
    const byOne = yield* alone
    const expected = some.map(byOne)
    expect(expected.flat().length).toBeGreaterThan(100)
    let started = 0
    const spawn = () => {
      started++
      return new Worker(new URL("../../src/Thread.ts", import.meta.url), { argv: ["comparison"] })
    }
    const help = yield* Effect.provide(ComparisonHelper, ComparisonHelper.layer(spawn))
    const byTwo = yield* compareVectorsWithHelp({ embedder, matrix }, ids, nothing, help)
    expect(some.map(byTwo)).toEqual(expected)
    expect(started).toBe(navigator.hardwareConcurrency > 1 ? 1 : 0)
  })

  long(it)("begins again alone when the helper dies halfway", function* () {
    const byOne = yield* alone
    const expected = some.map(byOne)
    const dying = (comparison: Comparison) =>
      Effect.suspend(() => {
        const part = helpCompare(comparison)
        for (let step = 0; step < 3; step++) part.next()
        return new HelperDied({ reason: "killed" })
      })
    const found = yield* compareVectorsWithHelp({ embedder, matrix }, ids, nothing, dying)
    expect(some.map(found)).toEqual(expected)
  })

  it("goes on without a thread that dies or cannot start", function* () {
    const expected = some.map(yield* alone)
    const script = new Blob(["self.onmessage = () => process.exit(7)"], { type: "text/javascript" })
    const dying = () => new Worker(URL.createObjectURL(script))
    const failing = () => {
      throw new Error("no more threads")
    }
    for (const spawn of [dying, failing]) {
      const help = yield* Effect.provide(ComparisonHelper, ComparisonHelper.layer(spawn))
      const found = yield* compareVectorsWithHelp({ embedder, matrix }, ids, nothing, help)
      expect(some.map(found)).toEqual(expected)
    }
  })
})
