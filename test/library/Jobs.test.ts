import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Chunk, Deferred, Effect, Fiber, Layer, Option, Schedule, Stream } from "effect"
import { type Job, JobNotFound } from "../../src/domain/Job.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Events } from "../../src/library/Events.ts"
import { type JobRun, Jobs } from "../../src/library/Jobs.ts"
import { Refresh } from "../../src/library/Refresh.ts"
import { isUrgent, withUrgentPriority, yieldToEventLoop } from "../../src/runtime/Scheduling.ts"
import { JobStore } from "../../src/store/jobs/JobStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { effectTest, libraryTest } from "../support/effect.ts"
import { storesAt } from "../support/library.ts"
import { add, cookies, databases, ended, offline, offlineAt, one } from "../support/libraryOf.ts"
import { libraryPath } from "../support/places.ts"
import { long } from "../support/tier.ts"

const it = libraryTest(offline())

/** Has services of its own, because those of `it` remember jobs and progress. */
const apart = effectTest(offline())

const organize = { action: "organize", total: 3 } as const
const dupes = { action: "dupes", total: 3 } as const

/** The result of a job that filed this many links. */
const filed = (links: number) => ({ filed: links, collections: 0, moves: [] })

describe("Jobs", () => {
  it("returns the running job to callers that start another of its kind", function* () {
    const jobs = yield* Jobs
    const done = yield* Deferred.make<void>()
    let second = false
    const first = yield* jobs.start(organize, () => Effect.as(Deferred.await(done), { result: filed(7) }))
    const again = yield* jobs.start(organize, () =>
      Effect.sync(() => {
        second = true
        return {}
      })
    )
    expect(again.id).toBe(first.id)
    yield* Deferred.succeed(done, undefined)
    expect(yield* jobs.awaitEnd(first.id)).toMatchObject({ state: "done", result: filed(7) })
    expect(second).toBe(false)
    expect((yield* jobs.start(organize, () => Effect.succeed({}))).id).not.toBe(first.id)
  })

  it("runs the work in the background, though an urgent request starts it", function* () {
    const jobs = yield* Jobs
    const urgent = yield* Deferred.make<boolean>()
    const work = () => Effect.as(Deferred.complete(urgent, isUrgent), {})
    yield* withUrgentPriority(jobs.start(organize, work))
    expect(yield* Deferred.await(urgent)).toBe(false)
  })

  it("starts one job for many concurrent requests", function* () {
    const jobs = yield* Jobs
    let runs = 0
    const work = () =>
      Effect.zipRight(
        Effect.sync(() => void runs++),
        Effect.never
      )
    const started = yield* Effect.all(
      Array.from({ length: 20 }, () => jobs.start(organize, work)),
      { concurrency: "unbounded" }
    )
    yield* yieldToEventLoop
    expect([new Set(started.map(({ id }) => id)).size, runs]).toEqual([1, 1])
  })

  it("runs jobs of different kinds, or about different links, concurrently", function* () {
    const jobs = yield* Jobs
    const links = [yield* add(one(cookies, 0)), yield* add(one(cookies, 1))] as const
    const met = yield* Effect.forEach([0, 1, 2, 3], () => Deferred.make<void>())
    // Each job ends only once all of them run.
    const work = (index: number) => () =>
      Effect.gen(function* () {
        for (const [at, there] of met.entries())
          yield* at === index ? Deferred.succeed(there, undefined) : Deferred.await(there)
        return {}
      })
    const started = [
      yield* jobs.start(organize, work(0)),
      yield* jobs.start(dupes, work(1)),
      yield* jobs.start({ action: "refresh", subject: links[0], total: 1 }, work(2)),
      yield* jobs.start({ action: "refresh", subject: links[1], total: 1 }, work(3))
    ]
    const all = yield* Effect.forEach(started, ({ id }) => jobs.awaitEnd(id))
    expect(all.map(({ state }) => state)).toEqual(["done", "done", "done", "done"])
    expect(new Set(all.map(({ id }) => id)).size).toBe(4)
  })

  apart("publishes and stores progress, but not every step", function* () {
    const jobs = yield* Jobs
    const events = yield* (yield* Events).listen
    const heard = yield* Deferred.make<void>()
    const work = ({ job, progress }: JobRun) =>
      Effect.gen(function* () {
        let steps = 0
        while ((yield* Effect.orDie(jobs.get(job.id))).done === 0) {
          yield* progress(++steps, 5_000_000)
          yield* yieldToEventLoop
        }
        const { done, state } = yield* Effect.orDie(jobs.get(job.id))
        yield* Deferred.await(heard)
        for (let more = 0; more < 500; more++) yield* progress(++steps, 5_000_000)
        return { result: filed(state === "running" ? done : 0) }
      })
    const { id } = yield* jobs.start(organize, work)
    const told = yield* events.pipe(
      Stream.filterMap((event) => (event.type === "job" ? Option.some(event.job) : Option.none())),
      Stream.tap(({ done }) => (done > 0 ? Deferred.succeed(heard, undefined) : Effect.void)),
      Stream.takeUntil(({ state }) => state === "done"),
      Stream.runCollect
    )
    const all = Chunk.toReadonlyArray(told)
    const first = all.find(({ done }) => done > 0)
    expect(first).toMatchObject({ id, state: "running", total: 5_000_000 })
    expect(all.at(-1)).toMatchObject({
      state: "done",
      done: 5_000_000,
      result: filed(first?.done ?? 0)
    })
    // The next five hundred steps sent far fewer events.
    expect(all.length).toBeLessThan(100)
  })

  apart("publishes a job's start and its end", function* () {
    const jobs = yield* Jobs
    const events = yield* (yield* Events).listen
    const { id } = yield* jobs.start(organize, () => Effect.fail({ message: "The wind has turned." }))
    const told = yield* Stream.runCollect(
      Stream.takeUntil(events, (event) => event.type === "job" && event.job.state !== "running")
    )
    expect(Chunk.toReadonlyArray(told)).toMatchObject([
      { type: "job", job: { id, state: "running", endedAt: null } },
      { type: "job", job: { id, state: "failed", error: "The wind has turned." } }
    ])
  })

  it("marks a job whose work fails as failed, with the reason", function* () {
    const jobs = yield* Jobs
    const { id } = yield* jobs.start(organize, () => Effect.fail({ message: "The model does not answer." }))
    const job = yield* jobs.awaitEnd(id)
    expect(job).toMatchObject({
      state: "failed",
      error: "The model does not answer.",
      result: null,
      done: 0
    })
    expect(job.endedAt).not.toBeNull()
  })

  it("marks a job whose work crashes as failed, without internals", function* () {
    const jobs = yield* Jobs
    const crash = () => Effect.die(new TypeError("undefined is not a function at /secret/path"))
    const { id } = yield* jobs.start(organize, crash)
    const job = yield* jobs.awaitEnd(id)
    expect(job.state).toBe("failed")
    expect(job.error).toMatch(/^[A-Z].+\.$/)
    expect(JSON.stringify(job)).not.toMatch(/TypeError|undefined is|secret/)
    const { state } = yield* jobs.awaitEnd((yield* jobs.start(organize, () => Effect.succeed({}))).id)
    expect(state).toBe("done")
  })

  it("keeps a job's undo token, also if it failed halfway", function* () {
    const jobs = yield* Jobs
    const done = yield* jobs.start(organize, () => Effect.succeed({ undo: "all of it" }))
    const failed = yield* jobs.start(dupes, ({ checkpoint: reached }) =>
      Effect.zipRight(reached({ after: 7 }, "half of it"), Effect.fail({ message: "No more." }))
    )
    const nothing = yield* jobs.start({ action: "recategorize", total: 0 }, () => Effect.succeed({}))
    expect((yield* jobs.awaitEnd(done.id)).undo).toBe("all of it")
    expect(yield* jobs.awaitEnd(failed.id)).toMatchObject({
      state: "failed",
      undo: "half of it",
      resume: { after: 7 }
    })
    expect((yield* jobs.awaitEnd(nothing.id)).undo).toBeNull()
  })

  it("fails for an unknown job", function* () {
    const jobs = yield* Jobs
    expect(yield* Effect.flip(jobs.get(99))).toBeInstanceOf(JobNotFound)
    expect(yield* Effect.flip(jobs.awaitEnd(99))).toBeInstanceOf(JobNotFound)
    expect(yield* jobs.interrupted("organize")).toEqual(Option.none())
  })
})

const plain = effectTest(Layer.empty)

describe("Jobs while the database is locked", () => {
  long(plain)("store the end as soon as possible, and show why they wait", function* () {
    const filename = yield* libraryPath
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const other = new Database(filename)
      const finished = yield* Deferred.make<void>()
      const work = () =>
        Effect.sync(() => {
          other.run("BEGIN IMMEDIATE")
          return { result: filed(3) }
        })
      const { id } = yield* jobs.start(
        { ...organize, afterwards: Deferred.succeed(finished, undefined) },
        work
      )
      const waiting = yield* Effect.repeat(jobs.get(id), {
        until: (job) => job.waiting !== null,
        schedule: Schedule.spaced("10 millis")
      }).pipe(Effect.zipRight(jobs.get(id)))
      expect(waiting).toMatchObject({
        state: "running",
        waiting:
          "Another program is using the library's database. The job has ended; its result is not saved yet."
      })
      expect(yield* Deferred.isDone(finished)).toBe(false)
      other.close()
      expect(yield* jobs.awaitEnd(id)).toMatchObject({ state: "done", result: { filed: 3 }, waiting: null })
      expect(yield* Deferred.isDone(finished)).toBe(true)
    }).pipe(Effect.provide(offlineAt(filename)))
  })
})

describe("Jobs over a restart", () => {
  plain("marks a running job as interrupted when the service stops, and keeps its checkpoint", function* () {
    const filename = yield* libraryPath
    const id = yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const under = yield* Deferred.make<void>()
      const work = ({ checkpoint: reached }: JobRun) =>
        Effect.gen(function* () {
          yield* reached({ after: 2 }, "a token")
          yield* Deferred.succeed(under, undefined)
          return yield* Effect.never
        })
      const job = yield* jobs.start(organize, work)
      yield* Deferred.await(under)
      expect((yield* jobs.get(job.id)).state).toBe("running")
      return job.id
    }).pipe(Effect.provide(offlineAt(filename)))

    // Read without a `JobStore`, which marks a running job as interrupted at its start.
    const database = new Database(filename, { readonly: true })
    const row = database.query("SELECT state, ended_at IS NOT NULL AS ended FROM jobs WHERE id = ?").get(id)
    database.close()
    expect(row).toEqual({ state: "interrupted", ended: 1 })

    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      expect(Option.getOrUndefined(yield* jobs.interrupted("organize"))).toMatchObject({
        id,
        undo: "a token",
        resume: { after: 2 }
      })
      expect(yield* jobs.interrupted("dupes")).toEqual(Option.none())
      yield* jobs.awaitEnd((yield* jobs.start(organize, () => Effect.succeed({}))).id)
      // A later job of this kind has ended, so none is left to continue.
      expect(yield* jobs.interrupted("organize")).toEqual(Option.none())
    }).pipe(Effect.provide(offlineAt(filename)))
  })

  plain("marks only jobs that an earlier process left running as interrupted", function* () {
    const filename = yield* libraryPath
    const ids = yield* Effect.gen(function* () {
      const store = yield* JobStore
      const running = yield* store.start("organize", null, 3)
      const done = yield* store.start("dupes", null, 3)
      yield* store.end(done.id, { state: "done", result: { groups: [], found: 0 } })
      return { running: running.id, done: done.id }
    }).pipe(Effect.provide(storesAt(filename)))

    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const running = yield* jobs.awaitEnd(ids.running)
      expect(running.state).toBe("interrupted")
      expect(running.endedAt).not.toBeNull()
      expect(yield* jobs.get(ids.done)).toMatchObject({
        state: "done",
        result: { groups: [], found: 0 }
      })
      expect((yield* jobs.start(organize, () => Effect.never)).id).not.toBe(ids.running)
    }).pipe(Effect.provide(offlineAt(filename)))
  })

  it("leaves no running row without work if its start is interrupted", function* () {
    const jobs = yield* Jobs
    const sql = yield* SqlClient.SqlClient
    for (let turns = 0; turns < 40; turns++) {
      const fiber = yield* Effect.fork(jobs.start(organize, () => Effect.never))
      for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      const rows = yield* sql<{ id: number }>`SELECT id FROM jobs WHERE state = 'running'`
      expect(rows.length).toBeLessThanOrEqual(1)
      for (const { id } of rows) {
        yield* jobs.stop(id)
        expect((yield* jobs.get(id)).state).toBe("interrupted")
      }
    }
    expect(yield* sql`SELECT id FROM jobs WHERE state <> 'interrupted'`).toEqual([])
    expect((yield* sql`SELECT id FROM jobs`).length).toBeGreaterThan(0)
  })

  it("starts the work after the commit, and never after a rollback", function* () {
    const jobs = yield* Jobs
    const transaction = yield* Transaction
    let runs = 0
    const work = () => Effect.sync(() => ({ result: filed(++runs) }))
    yield* Effect.exit(transaction(Effect.zipRight(jobs.start(organize, work), Effect.fail("no"))))
    yield* yieldToEventLoop
    expect(runs).toBe(0)
    expect(yield* jobs.recent).toEqual([])
    const job = yield* transaction(jobs.start(organize, work))
    expect(yield* jobs.awaitEnd(job.id)).toMatchObject({ state: "done", result: filed(1) })
  })

  it("starts despite a row whose end could not be stored", function* () {
    const jobs = yield* Jobs
    const left = yield* (yield* JobStore).start("organize", null, 3)
    const job = yield* jobs.start(organize, () => Effect.succeed({}))
    expect(job.id).not.toBe(left.id)
    expect((yield* jobs.get(left.id)).state).toBe("interrupted")
    expect((yield* jobs.awaitEnd(job.id)).state).toBe("done")
  })
})

const resultOf = (job: Job) =>
  Effect.flatMap(Jobs, (jobs) => Effect.map(jobs.shown(job), ({ result }) => result))

/** Three links of one page, two of another, and the job that found both groups. */
const twoGroups = Effect.gen(function* () {
  const three = yield* Effect.forEach(["https://", "https://www.", "http://m."], (start, index) =>
    add(one(cookies, index), { url: `${start}bakery.example/cookies` })
  )
  const two = yield* Effect.forEach(["https://", "https://www."], (start, index) =>
    add(one(databases, index), { url: `${start}data.example/tables` })
  )
  const job = yield* ended(yield* (yield* Duplicates).start)
  return { job, shown: resultOf(job), three, two }
})

describe("Jobs.shown", () => {
  it("shows the links of each group of duplicates as they are now", function* () {
    const edits = yield* EditLinks
    const { shown, three, two } = yield* twoGroups
    yield* edits.change(three.slice(1, 2), { title: "My cookies" })
    expect(yield* shown).toMatchObject({
      groups: [
        {
          reason: "same-page",
          similarity: 1,
          links: three.map((id, i) => ({ id, title: i === 1 ? "My cookies" : one(cookies, i).title }))
        },
        { reason: "same-page", similarity: 1, links: two.map((id) => ({ id })) }
      ]
    })
  })

  it("omits links merged or deleted since, and groups left with one link", function* () {
    const edits = yield* EditLinks
    const merges = yield* Duplicates
    const { shown, three, two } = yield* twoGroups
    const [kept, merged, deleted] = three
    if (kept === undefined || merged === undefined || deleted === undefined) throw new Error("no links")
    yield* edits.remove([deleted])
    expect(yield* shown).toMatchObject({
      groups: [{ links: [{ id: kept }, { id: merged }] }, { links: two.map((id) => ({ id })) }]
    })
    yield* merges.merge(kept, [merged])
    expect(yield* shown).toMatchObject({ groups: [{ links: two.map((id) => ({ id })) }] })
    yield* edits.remove(two.slice(0, 1))
    expect(yield* shown).toEqual({ groups: [] })
  })

  it("shows the refreshed link as it is now", function* () {
    const edits = yield* EditLinks
    const refresh = yield* Refresh
    const id = yield* add(one(cookies))
    const job = yield* ended(yield* refresh.start(id))
    expect(yield* resultOf(job)).toMatchObject({ link: { id, title: one(cookies).title } })
    yield* edits.change([id], { title: "My cookies" })
    expect(yield* resultOf(job)).toMatchObject({ link: { id, title: "My cookies" } })
    yield* edits.remove([id])
    expect(yield* resultOf(job)).toBeNull()
  })

  it("shows no result of a running or failed job, and the stored result of any other", function* () {
    const jobs = yield* Jobs
    const result = { filed: 3, collections: 0, moves: [] }
    const about = { action: "organize", total: 1 } as const
    const failed = yield* jobs.start(about, () => Effect.fail({ message: "No." }))
    expect(yield* resultOf(yield* jobs.awaitEnd(failed.id))).toBeNull()
    const done = yield* jobs.start(about, () => Effect.succeed({ result }))
    expect(yield* resultOf(yield* jobs.awaitEnd(done.id))).toEqual(result)
    expect(yield* resultOf(yield* jobs.start(about, () => Effect.never))).toBeNull()
  })
})
