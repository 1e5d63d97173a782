import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Deferred, Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { StoreUnavailable } from "../../src/domain/StoreUnavailable.ts"
import { Tasks } from "../../src/library/Tasks.ts"
import { AT_ONCE, TaskStore } from "../../src/store/jobs/TaskStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { TrashStore } from "../../src/store/links/TrashStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { clockTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"

const it = clockTest(Layer.provideMerge(Layer.effect(Tasks, Tasks.make), stores()))

const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT subject, due_at, attempts, starts FROM tasks ORDER BY id`
})

const added = (...subjects: ReadonlyArray<number>) =>
  Effect.flatMap(TaskStore, (store) => store.add("read", subjects, AT_ONCE))

/** Works on the tasks that are due, and returns their subjects in the order in which they began. */
const drained = Effect.fnUntraced(function* <R = never>(
  work: (subject: number) => Effect.Effect<unknown, never, R> = () => Effect.void
) {
  const begun: Array<number> = []
  const tasks = yield* Tasks
  const rest = yield* tasks.drain("read", {
    name: "working",
    retry: (failures) => (["1 minute", "1 hour"] as const)[failures],
    work: ({ subject }) =>
      Effect.suspend(() =>
        Effect.zipRight(
          Effect.sync(() => begun.push(subject)),
          work(subject)
        )
      )
  })
  return { begun, rest }
})

/** What is left of tasks in hand when the program ends during their work. */
const crashed = Effect.fnUntraced(function* (...subjects: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE tasks SET starts = starts + 1 WHERE subject IN (SELECT value FROM json_each(${JSON.stringify(subjects)}))`
})

describe("tasks", () => {
  it("are worked on in their order, each once, and are gone when they are done", function* () {
    yield* added(3, 1, 2)
    yield* added(1, 4)
    expect(yield* drained()).toEqual({ begun: [3, 1, 2, 4], rest: Duration.minutes(10) })
    expect(yield* rows).toEqual([])
    expect((yield* drained()).begun).toEqual([])
  })

  it("wait until they are due", function* () {
    const store = yield* TaskStore
    yield* store.add("read", [1], 90_000)
    yield* added(2)
    expect(yield* drained()).toEqual({ begun: [2], rest: Duration.seconds(90) })
    yield* TestClock.adjust("90 seconds")
    expect((yield* drained()).begun).toEqual([1])
  })

  it("are left alone while they are held", function* () {
    const store = yield* TaskStore
    yield* added(1, 2)
    yield* store.hold("read", true)
    expect((yield* drained()).begun).toEqual([])
    expect(yield* store.waiting("read")).toBe(0)
    yield* store.hold("read", false)
    expect((yield* drained()).begun).toEqual([1, 2])
  })

  it("are retried after growing pauses, then dropped; others go on", function* () {
    yield* added(1, 2)
    const fails = (subject: number) => (subject === 1 ? Effect.die("a bug") : Effect.void)
    expect(yield* drained(fails)).toEqual({ begun: [1, 2], rest: Duration.minutes(1) })
    expect(yield* rows).toEqual([{ subject: 1, dueAt: 60_000, attempts: 1, starts: 0 }])
    yield* TestClock.adjust("1 minute")
    expect((yield* drained(fails)).begun).toEqual([1])
    yield* TestClock.adjust("59 minutes")
    expect((yield* drained(fails)).begun).toEqual([])
    yield* TestClock.adjust("1 minute")
    expect((yield* drained(fails)).begun).toEqual([1])
    expect(yield* rows).toEqual([])
  })

  it("do not fail with the library: it ends the pass and counts nothing", function* () {
    yield* added(1, 2)
    const tasks = yield* Tasks
    const full = new StoreUnavailable({ reason: "full" })
    const work = () => Effect.fail(full)
    expect(yield* Effect.flip(tasks.drain("read", { name: "working", work }))).toMatchObject({
      reason: "full"
    })
    expect(yield* rows).toEqual([
      { subject: 1, dueAt: 0, attempts: 0, starts: 0 },
      { subject: 2, dueAt: 0, attempts: 0, starts: 0 }
    ])
  })

  it("count their starts before the work, and come back after a crash, first and one at a time", function* () {
    const tasks = yield* Tasks
    yield* added(1, 2, 3, 4)
    let atWork: ReadonlyArray<unknown> = []
    yield* drained((subject) =>
      subject === 1 ? Effect.orDie(Effect.map(rows, (all) => (atWork = all))) : Effect.void
    )
    expect(atWork[0]).toEqual({ subject: 1, dueAt: 0, attempts: 0, starts: 1 })
    yield* added(1, 2, 3, 4)
    yield* crashed(3, 4)
    yield* crashed(4)
    const seen: Array<readonly [subject: number, starts: number, together: number]> = []
    let together = 0
    yield* tasks.drain("read", {
      name: "working",
      concurrency: 2,
      work: ({ starts, subject }) =>
        Effect.gen(function* () {
          together++
          yield* Effect.yieldNow()
          seen.push([subject, starts, together])
          together--
        })
    })
    expect(seen.slice(0, 2)).toEqual([
      [3, 1, 1],
      [4, 2, 1]
    ])
    expect(seen.map(([subject]) => subject).sort()).toEqual([1, 2, 3, 4])
  })

  it("are uncounted when the service stops cleanly", function* () {
    const tasks = yield* Tasks
    yield* added(1, 2)
    const begun = yield* Deferred.make<void>()
    const work = () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
    const running = yield* Effect.fork(tasks.drain("read", { name: "working", concurrency: 2, work }))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(running)
    expect(yield* rows).toEqual([
      { subject: 1, dueAt: 0, attempts: 0, starts: 0 },
      { subject: 2, dueAt: 0, attempts: 0, starts: 0 }
    ])
  })

  it("are worked on as many at a time as their kind allows", function* () {
    const tasks = yield* Tasks
    yield* added(1, 2, 3, 4, 5, 6)
    const open = yield* Deferred.make<void>()
    const full = yield* Deferred.make<void>()
    let [now, most] = [0, 0]
    const work = () =>
      Effect.gen(function* () {
        most = Math.max(most, ++now)
        if (now === 3) yield* Deferred.succeed(full, undefined)
        yield* Deferred.await(open)
        now--
      })
    const running = yield* Effect.fork(tasks.drain("read", { name: "working", concurrency: 3, work }))
    yield* Deferred.await(full)
    yield* Deferred.succeed(open, undefined)
    yield* Fiber.join(running)
    expect(most).toBe(3)
    expect(yield* rows).toEqual([])
  })

  it("end in the transaction of their effect, or stay with it", function* () {
    const [sql, tasks, transaction] = [yield* SqlClient.SqlClient, yield* Tasks, yield* Transaction]
    yield* added(1)
    const deliver = (fails: boolean) =>
      tasks.drain("read", {
        name: "working",
        retry: () => "1 minute",
        work: (task) =>
          transaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO outbox (message, next_at, created_at) VALUES ('{}', '', '')`
              yield* tasks.postpone(task, "1 day")
              if (fails) return yield* Effect.dieMessage("a bug")
            })
          )
      })
    const sent = sql`SELECT count(*) AS count FROM outbox`
    yield* deliver(true)
    expect(yield* sent).toEqual([{ count: 0 }])
    yield* TestClock.adjust("1 minute")
    yield* deliver(false)
    expect(yield* sent).toEqual([{ count: 1 }])
    expect(yield* rows).toEqual([{ subject: 1, dueAt: 60_000 + 86_400_000, attempts: 1, starts: 0 }])
  })

  it("are worked on again if they are added again meanwhile", function* () {
    const store = yield* TaskStore
    yield* added(1)
    let times = 0
    yield* drained(() => (++times === 1 ? Effect.orDie(store.renew("read", 1, AT_ONCE)) : Effect.void))
    expect(times).toBe(2)
    expect(yield* rows).toEqual([])
  })

  it("wake their worker after the commit, and not before", function* () {
    const [tasks, transaction] = [yield* Tasks, yield* Transaction]
    const passes: Array<number> = []
    const store = yield* TaskStore
    const pass = Effect.map(store.waiting("read"), (count) => {
      passes.push(count)
      return Duration.infinity
    })
    yield* Effect.forkScoped(tasks.run("read", pass, { name: "working" }))
    const until = (count: number) => Effect.repeat(Effect.yieldNow(), { until: () => passes.length >= count })
    yield* until(1)
    yield* transaction(
      Effect.gen(function* () {
        yield* tasks.schedule("read", 1, "1 minute")
        for (let n = 0; n < 20; n++) yield* Effect.yieldNow()
        expect(passes).toEqual([0])
      })
    )
    yield* until(2)
    expect(passes).toEqual([0, 1])
  })

  it("about a link go with it; what is to be archived stays while it is in the trash", function* () {
    const [links, store, trash] = [yield* LinkStore, yield* TaskStore, yield* TrashStore]
    const { link } = yield* links.upsert(newLink("a"))
    for (const kind of ["read", "suspect", "archive", "highlights"] as const)
      yield* store.add(kind, [link.id], AT_ONCE)
    yield* trash.moveSome([link.id])
    const kept = Effect.forEach(["read", "suspect", "archive", "highlights"] as const, (kind) =>
      store.has(kind, link.id)
    )
    expect(yield* kept).toEqual([false, false, true, true])
    yield* links.remove([link.id])
    expect(yield* kept).toEqual([false, false, false, true])
  })
})
