import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { makeProgress, type Progress } from "../../src/search/Steps.ts"
import { effectTest } from "../support/effect.ts"

const it = effectTest(Layer.empty)

describe("makeProgress", () => {
  it("emits at most 500 steps on the way, with the number of links done", function* () {
    const emitted: Array<Progress> = []
    const progress = makeProgress(100_000, (step) => Effect.sync(() => void emitted.push(step)))
    for (let share = 0; share < 1; share += 1 / 20_000) yield* progress(share)
    expect(emitted.length).toBe(500)
    expect(emitted[0]).toEqual({ type: "progress", done: 0, total: 100_000 })
    const done = emitted.map((step) => step.done)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(done.at(-1)).toBeGreaterThan(99_700)
  })

  it("emits every step of a few links", function* () {
    const done: Array<number> = []
    const progress = makeProgress(3, (step) => Effect.sync(() => void done.push(step.done)))
    for (const share of [0, 1 / 3, 2 / 3, 1]) yield* progress(share)
    expect(done).toEqual([0, 1, 2, 3])
  })
})
