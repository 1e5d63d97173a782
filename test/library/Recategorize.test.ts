import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Deferred, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { library } from "../../src/Application.ts"
import type { CategoryCount } from "../../src/domain/Enrichment.ts"
import type { Job } from "../../src/domain/Job.ts"
import { type Categorizable, CategorizeError, Categorizer } from "../../src/enrich/model/Categorizer.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { Recategorize } from "../../src/library/Recategorize.ts"
import { yieldToEventLoop } from "../../src/runtime/Scheduling.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { clockTest, effectTest, libraryTest } from "../support/effect.ts"
import { stores, storesAt } from "../support/library.ts"
import {
  add,
  addAll,
  categories,
  categorize,
  cookies,
  databases,
  ended,
  offline,
  one,
  players,
  readingEnricher,
  strangers
} from "../support/libraryOf.ts"
import { found } from "../support/links.ts"
import { libraryPath } from "../support/places.ts"
import { long } from "../support/tier.ts"

/** A model, with the requests it received and its answer. */
interface Model {
  asked: ReadonlyArray<ReadonlyArray<number>>
  inUse: ReadonlyArray<ReadonlyArray<string>>
  answer: (links: ReadonlyArray<Categorizable>) => Effect.Effect<string | undefined, CategorizeError>
}
const model: Model = { asked: [], inUse: [], answer: () => Effect.succeed("reading") }
const categorizer = Layer.succeed(Categorizer, {
  categorize: (links: ReadonlyArray<Categorizable>, inUse: ReadonlyArray<CategoryCount>) =>
    Effect.suspend(() => {
      model.asked = [...model.asked, links.map(({ id }) => id)]
      model.inUse = [...model.inUse, inUse.map(({ name }) => name)]
      return Effect.map(
        model.answer(links),
        (category) => new Map(category === undefined ? [] : links.map(({ id }) => [id, category] as const))
      )
    })
})
const withModel = () => Layer.provideMerge(library, Layer.mergeAll(stores(), readingEnricher, categorizer))
const withModelAt = (filename: string) =>
  Layer.provideMerge(library, Layer.mergeAll(storesAt(filename), readingEnricher, categorizer))

/** Sets the model's answer, and clears the requests it received. */
const answering = (answer: Model["answer"]) =>
  Effect.sync(() => {
    model.asked = []
    model.inUse = []
    model.answer = answer
  })

/** Sets the same answer for every link. */
const always = (category: string | undefined) => answering(() => Effect.succeed(category))

const many = (count: number) =>
  addAll(Array.from({ length: count }, (_, i) => ({ title: `Note number ${i}`, description: "" })))

const recategorized = Effect.fnUntraced(function* (all = false) {
  const recategorize = yield* Recategorize
  return yield* ended(yield* recategorize.start({ all }))
})

const undo = Effect.fnUntraced(function* (job: Job) {
  const edits = yield* EditLinks
  return yield* edits.undo(job.undo ?? "")
})

const all = (count: number, category: string) => Array.from({ length: count }, () => category)

const it = libraryTest(withModel())

describe("Recategorize with a model", () => {
  it("asks about each link once, twenty at a time, and counts the changes", function* () {
    const ids = yield* many(45)
    yield* always("reading")
    const job = yield* recategorized()
    expect(model.asked).toEqual([ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)])
    expect(yield* categories(ids)).toEqual(all(45, "reading"))
    expect(job).toMatchObject({
      state: "done",
      done: 45,
      total: 45,
      result: { changed: 45, categories: 1 }
    })
  })

  it("offers the model the categories in use, including new ones", function* () {
    yield* many(25)
    yield* always("field notes")
    yield* recategorized()
    expect(model.inUse).toEqual([["unsorted"], ["field notes", "unsorted"]])
  })

  it("changes nothing if the model repeats the category, omits the link, or has none", function* () {
    const ids = yield* addAll(cookies, { category: "recipes" })
    const links = yield* LinkStore
    const before = yield* links.getAll(ids)
    for (const answer of ["recipes", undefined, "unsorted"]) {
      yield* always(answer)
      const job = yield* recategorized()
      expect(job).toMatchObject({ state: "done", undo: null, result: { changed: 0, categories: 1 } })
      expect(model.asked).toEqual([ids])
      expect(yield* links.getAll(ids)).toEqual(before)
    }
  })

  it("skips categories chosen by the owner", function* () {
    const ids = yield* addAll(cookies, { category: "recipes" })
    yield* categorize(ids.slice(0, 2), "sweets")
    yield* always("baking")
    expect((yield* recategorized()).result).toMatchObject({ changed: 3 })
    expect(model.asked).toEqual([ids.slice(2)])
    expect(yield* categories(ids)).toEqual(["sweets", "sweets", "baking", "baking", "baking"])
  })

  it("asks nothing if the owner has chosen every category", function* () {
    const ids = yield* many(25)
    yield* categorize(ids, "mine")
    yield* always("baking")
    expect(yield* recategorized()).toMatchObject({ state: "done", done: 25, result: { changed: 0 } })
    expect(model.asked).toEqual([])
  })

  it("changes the owner's categories on request, and its undo restores them as the owner's", function* () {
    const ids = yield* addAll(cookies, { category: "recipes" })
    yield* categorize(ids.slice(0, 2), "sweets")
    yield* always("baking")
    const job = yield* recategorized(true)
    expect(model.asked).toEqual([ids])
    expect(yield* categories(ids)).toEqual(all(5, "baking"))
    yield* undo(job)
    expect(yield* categories(ids)).toEqual(["sweets", "sweets", "recipes", "recipes", "recipes"])
    yield* always("cooking")
    yield* recategorized()
    expect(yield* categories(ids)).toEqual(["sweets", "sweets", "cooking", "cooking", "cooking"])
  })

  it("shows the model each link's stored text", function* () {
    const links = yield* LinkStore
    const [id] = yield* many(1)
    if (id === undefined) return expect.unreachable()
    yield* links.finish(id, found({ title: "A note", text: "Rye flour\nand water" }))
    let shown: ReadonlyArray<Categorizable> = []
    yield* answering((asked) => {
      shown = asked
      return Effect.succeed("baking")
    })
    yield* recategorized()
    expect(shown).toMatchObject([{ id, title: "A note", text: "Rye flour\nand water" }])
  })

  it("estimates its links and requests without starting", function* () {
    const ids = yield* many(45)
    // All of the second batch, and one of the third.
    yield* categorize(ids.slice(20, 41), "mine")
    yield* always("reading")
    const recategorize = yield* Recategorize
    const withKey = Effect.withConfigProvider(
      ConfigProvider.fromMap(new Map([["ANTHROPIC_API_KEY", "a-key"]]))
    )
    expect(yield* withKey(recategorize.estimate({ all: false }))).toEqual({
      links: 24,
      requests: 2,
      resumes: false
    })
    expect(yield* withKey(recategorize.estimate({ all: true }))).toMatchObject({ links: 45, requests: 3 })
    expect(yield* recategorize.estimate({ all: true })).toMatchObject({ links: 45, requests: 0 })
    expect(model.asked).toEqual([])
    yield* recategorized()
    expect(model.asked.length).toBe(2)
  })

  it("restores every category, and which ones the owner chose, when undone", function* () {
    const ids = yield* many(45)
    const mine = ids.filter((_, index) => index % 3 === 0)
    yield* categorize(mine, "mine")
    const before = yield* categories(ids)
    yield* always("baking")
    const job = yield* recategorized(true)
    expect(job.result).toMatchObject({ changed: 45 })
    // The model's own categories may change again.
    yield* always("cooking")
    const second = yield* recategorized()
    expect(second.result).toMatchObject({ changed: 45 })
    yield* undo(second)
    yield* undo(job)
    expect(yield* categories(ids)).toEqual(before)
    yield* always("travel")
    yield* recategorized()
    expect(yield* categories(ids)).toEqual(before.map((name) => (name === "mine" ? name : "travel")))
  })

  it("undoes all its batches, except for the owner's later choices", function* () {
    const ids = yield* many(45)
    yield* always("reading")
    const job = yield* recategorized()
    yield* categorize(ids.slice(30, 31), "mine")
    yield* undo(job)
    const now = yield* categories(ids)
    expect(now.filter((category) => category === "unsorted").length).toBe(44)
    expect(now[30]).toBe("mine")
  })

  it("asks nothing in an empty library", function* () {
    yield* always("reading")
    expect(yield* recategorized()).toMatchObject({ state: "done", undo: null, result: { changed: 0 } })
    expect(model.asked).toEqual([])
  })

  it("changes no link of a batch whose checkpoint cannot be stored", function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = yield* addAll(cookies, { category: "recipes" })
    yield* categorize(ids.slice(0, 2), "sweets")
    yield* sql`CREATE TRIGGER refuse BEFORE UPDATE OF resume ON jobs BEGIN SELECT raise(ABORT, 'refused'); END`
    yield* always("baking")
    expect(yield* recategorized(true)).toMatchObject({ state: "failed", undo: null })
    expect(yield* categories(ids)).toEqual(["sweets", "sweets", "recipes", "recipes", "recipes"])
    yield* sql`DROP TRIGGER refuse`
    expect(yield* recategorized()).toMatchObject({ state: "done", result: { changed: 3 } })
    expect(yield* categories(ids)).toEqual(["sweets", "sweets", "baking", "baking", "baking"])
  })
})

describe("Recategorize without a model", () => {
  const it = libraryTest(offline())

  it("uses the neighbours' categories, and leaves links without neighbours alone", function* () {
    const baking = yield* addAll(cookies.slice(0, 4), { category: "recipes" })
    const astray = yield* add(one(cookies, 4), { category: "music" })
    const playing = yield* addAll(players, { category: "music" })
    const lost = yield* add(one(databases), { category: "databases" })
    const alone = yield* addAll(strangers)
    const job = yield* recategorized()
    expect(yield* categories([...baking, astray])).toEqual(all(5, "recipes"))
    expect(yield* categories(playing)).toEqual(all(4, "music"))
    expect(yield* categories([lost, ...alone])).toEqual(["databases", "unsorted", "unsorted"])
    expect(job).toMatchObject({ state: "done", result: { changed: 1 } })
    yield* undo(job)
    expect(yield* categories([astray])).toEqual(["music"])
  })

  it("keeps the owner's categories, and counts them for the neighbours", function* () {
    const chosen = yield* addAll(cookies.slice(0, 4))
    yield* categorize(chosen, "sweets")
    const own = yield* add(one(databases))
    yield* categorize([own], "sweets")
    yield* addAll(databases.slice(1), { category: "databases" })
    const open = yield* add(one(cookies, 4))
    yield* recategorized()
    expect(yield* categories([open, own])).toEqual(["sweets", "sweets"])
  })
})

/** The job once it has ended, on a clock that is moved while it waits. */
const endedInTime = Effect.fnUntraced(function* (job: Job) {
  const jobs = yield* Jobs
  const waiting = yield* Effect.fork(jobs.awaitEnd(job.id))
  while (Option.isNone(yield* Fiber.poll(waiting))) {
    yield* TestClock.adjust("5 seconds")
    yield* yieldToEventLoop
  }
  return yield* Fiber.join(waiting)
})

describe("Recategorize with a model that fails", () => {
  const it = clockTest(withModel())

  it("retries after a pause", function* () {
    const recategorize = yield* Recategorize
    const ids = yield* many(25)
    let failures = 2
    yield* answering(() =>
      failures-- > 0 ? Effect.fail(new CategorizeError({ reason: "timeout" })) : Effect.succeed("reading")
    )
    const job = yield* endedInTime(yield* recategorize.start({ all: false }))
    expect(job).toMatchObject({ state: "done", result: { changed: 25 } })
    expect(model.asked.map((batch) => batch.length)).toEqual([20, 20, 20, 5])
    expect(yield* categories(ids)).toEqual(all(25, "reading"))
  })

  it("fails with a sentence after the last retry, and keeps the finished batches", function* () {
    const recategorize = yield* Recategorize
    const ids = yield* many(65)
    yield* answering(() =>
      model.asked.length > 2
        ? Effect.fail(new CategorizeError({ reason: "circuit-open" }))
        : Effect.succeed("reading")
    )
    const job = yield* endedInTime(yield* recategorize.start({ all: false }))
    expect(job.state).toBe("failed")
    expect(job.error).toBe(
      "The model has failed repeatedly. Completed changes are kept; start the job again later to continue."
    )
    expect(yield* categories(ids)).toEqual([...all(40, "reading"), ...all(25, "unsorted")])
    yield* undo(job)
    expect(yield* categories(ids)).toEqual(all(65, "unsorted"))
  })
})

describe("Recategorize over a restart", () => {
  const it = effectTest(Layer.empty)

  /** Two batches of four are done when the service stops. */
  const cutOff = Effect.gen(function* () {
    const recategorize = yield* Recategorize
    const ids = yield* many(65)
    const third = yield* Deferred.make<void>()
    yield* answering(() =>
      model.asked.length > 2
        ? Effect.zipRight(Deferred.succeed(third, undefined), Effect.never)
        : Effect.succeed("reading")
    )
    yield* recategorize.start({ all: false })
    yield* Deferred.await(third)
    return ids
  })

  it("continues after the last batch, and undoes both parts", function* () {
    const filename = yield* libraryPath
    const ids = yield* Effect.provide(cutOff, withModelAt(filename))
    yield* always("notes")
    yield* Effect.gen(function* () {
      const recategorize = yield* Recategorize
      expect(yield* recategorize.estimate({ all: false })).toMatchObject({ links: 25, resumes: true })
      expect(yield* recategorize.estimate({ all: true })).toMatchObject({ links: 65, resumes: false })
      const job = yield* recategorized()
      expect(model.asked).toEqual([ids.slice(40, 60), ids.slice(60)])
      expect(yield* categories(ids)).toEqual([...all(40, "reading"), ...all(25, "notes")])
      expect(job).toMatchObject({ state: "done", done: 65, result: { changed: 65, categories: 2 } })
      yield* undo(job)
      expect(yield* categories(ids)).toEqual(all(65, "unsorted"))
      yield* always("again")
      yield* recategorized()
      expect(model.asked.flat()).toEqual(ids)
    }).pipe(Effect.provide(withModelAt(filename)))
  })

  long(it)("starts over if it now changes the owner's categories too", function* () {
    const filename = yield* libraryPath
    const ids = yield* Effect.provide(cutOff, withModelAt(filename))
    yield* always("notes")
    yield* Effect.gen(function* () {
      expect((yield* recategorized(true)).result).toMatchObject({ changed: 65 })
      expect(model.asked.flat()).toEqual(ids)
    }).pipe(Effect.provide(withModelAt(filename)))
  })
})
