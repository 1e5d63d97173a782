import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SimilarNames } from "../../src/library/SimilarNames.ts"
import { effectTest } from "../support/effect.ts"
import { long } from "../support/tier.ts"

const it = effectTest(Layer.effect(SimilarNames, SimilarNames.make))

const named = (...names: ReadonlyArray<string>) => names.map((name) => ({ name, label: name }))

it("proposes pairs by spelling and by meaning, the name with more links first", function* () {
  const twins = yield* SimilarNames
  const found = yield* twins.among(
    named("automobile", "car", "js", "javascript", "sourdough", "self-hosted", "selfhosted", "tax")
  )
  expect(found.map(({ names, reason }) => [reason, ...names])).toEqual([
    ["spelling", "js", "javascript"],
    ["spelling", "self-hosted", "selfhosted"],
    ["meaning", "automobile", "car"]
  ])
})

it("keeps its result until the names change", function* () {
  const twins = yield* SimilarNames
  const first = yield* twins.among(named("book", "books"))
  expect(yield* twins.among(named("book", "books"))).toBe(first)
  expect(yield* twins.among(named("books", "book"))).toEqual([
    { names: ["books", "book"], reason: "spelling", similarity: 1 }
  ])
})

long(it)("lets other work run while it compares 2,000 names", function* () {
  const twins = yield* SimilarNames
  let turns = 0
  const turning = yield* Effect.fork(
    Effect.forever(
      Effect.zipRight(
        Effect.sync(() => turns++),
        Effect.sleep(1)
      )
    )
  )
  yield* twins.among(named(...Array.from({ length: 2_000 }, (_, i) => `topic-${i}-of-${i % 70}`)))
  yield* turning.interruptAsFork(turning.id())
  expect(turns).toBeGreaterThan(50)
})
