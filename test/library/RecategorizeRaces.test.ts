import { describe, expect } from "bun:test"
import { Effect, Layer, TestClock } from "effect"
import { library } from "../../src/Application.ts"
import { type Categorizable, CategorizeError, Categorizer } from "../../src/enrich/model/Categorizer.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Recategorize } from "../../src/library/Recategorize.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { clockTest, libraryTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { addAll, categories, categorize, ended, readingEnricher } from "../support/libraryOf.ts"

/** A model with one category for everything; `meanwhile` runs before it answers. */
const model = { asked: 0, meanwhile: (): Effect.Effect<void, CategorizeError> => Effect.void }
const categorizer = Layer.succeed(Categorizer, {
  categorize: (links: ReadonlyArray<Categorizable>) =>
    Effect.suspend(() => {
      model.asked += links.length
      return Effect.as(model.meanwhile(), new Map(links.map(({ id }) => [id, "reading"] as const)))
    })
})
const layer = Layer.provideMerge(library, Layer.mergeAll(stores(), readingEnricher, categorizer))
const it = libraryTest(layer)
const itOnTestClock = clockTest(layer)

const many = (count: number) =>
  addAll(Array.from({ length: count }, (_, i) => ({ title: `Note number ${i}`, description: "" })))

const start = Effect.flatMap(Recategorize, (recategorize) => recategorize.start({ all: false }))
const run = Effect.flatMap(start, ended)

describe("Recategorize, while links change", () => {
  it("skips only the link that is deleted meanwhile", function* () {
    const [first, ...rest] = yield* many(5)
    if (first === undefined) return expect.unreachable()
    const context = yield* Effect.context<LinkStore>()
    model.meanwhile = () =>
      Effect.provide(Effect.orDie(Effect.flatMap(LinkStore, (links) => links.remove([first]))), context)
    expect((yield* run).result).toEqual({ changed: 4, categories: 1 })
    expect(yield* categories(rest)).toEqual(rest.map(() => "reading"))
  })

  it("keeps a category that the owner chooses meanwhile", function* () {
    const [first, ...rest] = yield* many(3)
    if (first === undefined) return expect.unreachable()
    const context = yield* Effect.context<EditLinks>()
    model.meanwhile = () => Effect.provide(Effect.asVoid(Effect.orDie(categorize([first], "mine"))), context)
    expect((yield* run).result).toEqual({ changed: 2, categories: 2 })
    expect(yield* categories([first, ...rest])).toEqual(["mine", "reading", "reading"])
  })

  itOnTestClock("continues where the model failed, and undoes both parts at once", function* () {
    const ids = yield* many(65)
    let calls = 0
    model.asked = 0
    model.meanwhile = () => (++calls > 2 ? new CategorizeError({ reason: "unavailable" }) : Effect.void)
    const failing = yield* start
    yield* TestClock.adjust("1 minute")
    expect(yield* ended(failing)).toMatchObject({ state: "failed" })

    model.asked = 0
    model.meanwhile = () => Effect.void
    const job = yield* run
    expect(model.asked).toBe(25)
    expect(job.result).toEqual({ changed: 65, categories: 1 })
    yield* Effect.flatMap(EditLinks, (edits) => edits.undo(job.undo ?? ""))
    expect(yield* categories(ids)).toEqual(ids.map(() => "unsorted"))
    // A job does not continue from one that was undone.
    model.asked = 0
    yield* run
    expect(model.asked).toBe(65)
  })
})
