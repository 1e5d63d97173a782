import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { ResultLists } from "../../src/library/ResultLists.ts"
import { SearchLinks } from "../../src/library/SearchLinks.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"

/** A search by meaning alone, whose links 1, 2, 3, … have these likenesses. */
const finding = (likenesses: ReadonlyArray<number>) =>
  Layer.mock(SearchLinks, {
    page: () =>
      Effect.succeed({
        links: likenesses.map((_, at) => `{"id":${at + 1}}`),
        total: likenesses.length,
        next: null,
        match: { by: "meaning", likeness: new Map(likenesses.map((one, at) => [at + 1, one])) }
      })
  })

const idsOf = (...likenesses: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const lists = yield* ResultLists
    const { by, ids, total } = yield* lists.find({})
    expect([by, total]).toEqual(["meaning", ids.length])
    return ids.map(Number)
  }).pipe(
    Effect.provide(Layer.effect(ResultLists, ResultLists.make).pipe(Layer.provide(finding(likenesses))))
  )

effectTest(stores())(
  "a search by meaning alone lists at most five links, and none that is hardly like it",
  function* () {
    expect(yield* idsOf(1.2, 0.9, 0.75, 0.74, 0.6)).toEqual([1, 2, 3])
    expect(yield* idsOf(1.2, 1.1, 1, 1, 1, 1, 0.9)).toEqual([1, 2, 3, 4, 5])
    expect(yield* idsOf(0.7, 0.6)).toEqual([])
  }
)
