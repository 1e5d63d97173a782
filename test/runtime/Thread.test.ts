import { afterAll, describe, expect } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { getPriority, tmpdir } from "node:os"
import { join } from "node:path"
import {
  Cause,
  Chunk,
  type Clock,
  Context,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Scope,
  Stream,
  TestClock
} from "effect"
import { makeThread, type ThreadOptions, ThreadUnavailable } from "../../src/runtime/Thread.ts"
import { clockTest, effectTest, sharedTest } from "../support/effect.ts"
import { byTier, long } from "../support/tier.ts"
import { type Counting, echo } from "./echo.ts"

const it = effectTest(Layer.empty)
/** The same, on a clock that stands still: only the thread's own work takes time. */
const onClock = clockTest(Layer.empty)

const threads = () => readdirSync("/proc/self/task").length
/** Helper threads that the runtime may start; a leak would be one thread for each of three runs or more. */
const HELPERS = 2
const settled = (count: number) =>
  Effect.iterate(0, {
    while: (tries) => threads() > count && tries < 100,
    body: (tries) => Effect.delay(Effect.succeed(tries + 1), "20 millis")
  })

const folder = mkdtempSync(join(tmpdir(), "linkbower-thread-"))
afterAll(() => rmSync(folder, { recursive: true }))
/** The thread in one file, which starts three times as fast. */
const bundle = await Bun.build({
  entrypoints: [join(import.meta.dir, "echoThread.ts")],
  target: "bun",
  outdir: folder
})
const [echoThread = expect.unreachable()] = bundle.outputs.map(({ path }) => path)

const make = ({ argv = "well", ...more }: Partial<ThreadOptions> & { readonly argv?: string } = {}) => {
  let started = 0
  let worker: Worker | undefined
  const spawn = () => {
    started++
    worker = new Worker(echoThread, { argv: [argv] })
    return worker
  }
  const changes: Array<boolean> = []
  return Effect.map(
    makeThread(echo, {
      name: "echo",
      spawn,
      most: 4,
      patience: "20 seconds",
      onChange: (isAnswering) => Effect.sync(() => void changes.push(isAnswering)),
      ...more
    }),
    (thread) => ({
      say: (text: string) => thread.ask("say", text),
      count: (to: number, more: Omit<Counting, "to"> = {}) => ({ to, ...more }),
      changes,
      thread,
      started: () => started,
      kill: () => worker?.terminate()
    })
  )
}

const unavailable = (reason: ThreadUnavailable["reason"]) => Exit.fail(new ThreadUnavailable({ reason }))
/** An exit without the detail of a thread's death. */
const withoutDetail = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.mapError(exit, (error) =>
    error instanceof ThreadUnavailable ? new ThreadUnavailable({ reason: error.reason }) : error
  )

/** Waits in real time until a condition holds. */
const until = (condition: () => boolean) =>
  Effect.repeat(
    Effect.promise(() => Bun.sleep(10)),
    { until: condition }
  )

let files = 0
/** The path of a file to be created. */
const newFile = Effect.sync(() => join(folder, `once-${files++}`))

/** One thread for the requests that do not end it. */
class Echo extends Context.Tag("Echo")<Echo, Effect.Effect.Success<ReturnType<typeof make>>>() {}
const onEcho = sharedTest(Layer.scoped(Echo, make()))

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe("a thread", () => {
  onEcho("answers concurrent requests", function* () {
    const { say } = yield* Echo
    const answers = yield* Effect.all(["a", "b", "c"].map(say), { concurrency: "unbounded" })
    expect(answers).toEqual(["a", "b", "c"])
  })

  onEcho("rejects requests beyond its limit as busy", function* () {
    const { say } = yield* Echo
    const exits = yield* Effect.all(
      Array.from({ length: 6 }, () => Effect.exit(say("pause"))),
      { concurrency: "unbounded" }
    )
    const paused = Exit.succeed("pause")
    const busy = unavailable("busy")
    expect(exits).toEqual([paused, paused, paused, paused, busy, busy])
  })

  onEcho("passes on the failure or the defect of a request and continues", function* () {
    const { say, started } = yield* Echo
    expect(yield* Effect.exit(say("fail"))).toEqual(Exit.fail("failed as asked"))
    const exit = yield* Effect.exit(say("bug"))
    expect(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : exit).toContain("a bug of this request")
    expect([yield* say("next"), started()]).toEqual(["next", 1])
  })

  onEcho("emits all parts of a stream in order and passes on a failure", function* () {
    const { count, thread } = yield* Echo
    const all = yield* Stream.runCollect(thread.stream("skip", "count", count(200)))
    expect(Chunk.toReadonlyArray(all)).toEqual(numbers(1, 200))
    const seen: Array<number> = []
    const failed = Stream.runForEach(thread.stream("skip", "count", count(9, { failAt: 7 })), (one) =>
      Effect.sync(() => seen.push(one))
    )
    expect(yield* Effect.flip(failed)).toBe("failed at 7")
    expect(seen).toEqual(numbers(1, 6))
  })

  onEcho("cancels a stream whose reader is interrupted", function* () {
    const { count, say, thread } = yield* Echo
    const gone = yield* Effect.fork(
      Stream.runForEach(thread.stream("skip", "count", count(1_000)), () => Effect.never)
    )
    const counted = () => say("counted")
    yield* Effect.repeat(counted(), { until: (text) => text === "6 open" })
    // The thread sends only a few parts ahead of the reader.
    yield* Effect.sleep("200 millis")
    expect(yield* counted()).toBe("6 open")
    yield* Fiber.interrupt(gone)
    expect(yield* Effect.repeat(counted(), { until: (text) => text.endsWith("ended") })).toBe("6 ended")
  })

  it("starts with the first request, stops when idle, starts again and leaks no thread", function* () {
    // The runtime keeps the helper threads it starts with the first worker.
    yield* Effect.scoped(Effect.flatMap(make(), ({ say }) => say("hello")))
    const before = threads()
    const scope = yield* Scope.make()
    const { say, started, thread } = yield* Scope.extend(make({ idle: "200 millis" }), scope)
    for (let round = 1; round <= byTier(1, 2); round++) {
      expect([yield* thread.isRunning, started()]).toEqual([false, round - 1])
      expect([yield* say("hello"), started()]).toEqual(["hello", round])
      yield* Effect.delay(thread.isRunning, "20 millis").pipe(Effect.repeat({ until: (running) => !running }))
    }
    yield* say("last")
    yield* Scope.close(scope, Exit.void)
    expect(yield* thread.isRunning).toBe(false)
    yield* settled(before + HELPERS)
    expect(threads()).toBeLessThanOrEqual(before + HELPERS)
  })

  long(it)("reports a death, restarts at once and retries the pending requests", function* () {
    const { changes, kill, say, started } = yield* make()
    yield* say("warm")
    expect(changes).toEqual([true])
    kill()
    yield* until(() => changes.length === 3)
    expect([changes, started()]).toEqual([[true, false, true], 2])
    const paused = yield* Effect.fork(say("pause"))
    yield* Effect.sleep("100 millis")
    kill()
    expect([yield* paused, started()]).toEqual(["pause", 3])
  })

  onClock("retries a request once, and restarts with backoff after repeated deaths", function* () {
    const { say, started } = yield* make()
    const [paused, dead] = yield* Effect.all([Effect.exit(say("pause")), Effect.exit(say("die"))], {
      concurrency: "unbounded"
    })
    // The retried request kills the second thread too.
    expect(withoutDetail(dead)).toEqual(unavailable("died"))
    expect([withoutDetail(paused), started()]).toEqual([unavailable("died"), 2])
    expect(yield* say("again")).toBe("again")
    expect(withoutDetail(yield* Effect.exit(say("throw")))).toEqual(unavailable("died"))
    expect(started()).toBe(3)
    for (let asked = 0; asked < 20; asked++)
      expect(withoutDetail(yield* Effect.exit(say("hello")))).toEqual(unavailable("died"))
    expect(started()).toBe(3)
    yield* TestClock.adjust("1 second")
    expect(started()).toBe(4)
    expect(yield* say("hello")).toBe("hello")
  })

  it("counts as up if it becomes ready just as a wait for that ends", function* () {
    const waits = new Set<() => void>()
    const clock: Clock.Clock = Object.create(yield* Effect.clock, {
      sleep: {
        value: (duration: Duration.DurationInput) =>
          Effect.async<void>((resume) => {
            const end = () => resume(Effect.void)
            if (Duration.toMillis(duration) <= 1_000) waits.add(end)
            return Effect.sync(() => waits.delete(end))
          })
      }
    })
    const workers: Array<Worker> = []
    const { changes, say } = yield* make({
      spawn: () => {
        const worker = new Worker(echoThread, { argv: ["well"] })
        worker.addEventListener("message", ({ data }: MessageEvent<{ readonly type: string }>) => {
          if (data.type === "ready") for (const end of waits) end()
        })
        workers.push(worker)
        return worker
      }
    }).pipe(Effect.withClock(clock))
    yield* say("warm")
    workers[0]?.terminate()
    yield* until(() => changes.length === 2)
    expect(yield* say("again")).toBe("again")
    yield* until(() => {
      for (const end of waits) end()
      return changes.length === 3
    })
    expect([changes, workers.length]).toEqual([[true, false, true], 2])
  })

  onClock("times out on a slow answer and continues, but restarts a blocked thread", function* () {
    const { changes, say, started } = yield* make()
    yield* say("warm")
    const slow = yield* Effect.fork(say("slow"))
    yield* TestClock.adjust("20 seconds")
    expect(yield* Fiber.await(slow)).toEqual(unavailable("slow"))
    expect([yield* say("next"), started()]).toEqual(["next", 1])
    const stuck = yield* Effect.fork(say("stick"))
    yield* TestClock.adjust("20 seconds")
    expect(yield* Fiber.await(stuck)).toEqual(unavailable("slow"))
    yield* TestClock.adjust("20 seconds")
    yield* until(() => changes.length === 2)
    yield* TestClock.adjust("1 second")
    yield* until(() => changes.length === 3)
    expect([changes, started()]).toEqual([[true, false, true], 2])
    expect(yield* say("hello")).toBe("hello")
  })

  it("reports why it did not start", function* () {
    const { thread } = yield* make({ argv: "broken" })
    expect(yield* Effect.flip(thread.start)).toMatchObject({
      reason: "died",
      detail: "there is no echo here"
    })
  })
})

describe("a stream from a thread", () => {
  it("continues, restarts or fails after a death, as its repeat option says", function* () {
    const collect = (stream: Stream.Stream<number, unknown>) => {
      const seen: Array<number> = []
      return Effect.exit(Stream.runForEach(stream, (one) => Effect.sync(() => void seen.push(one)))).pipe(
        Effect.map((exit) => [seen, Exit.isSuccess(exit)])
      )
    }
    const { count, started, thread } = yield* make()
    const dying = { dieAt: 3, once: yield* newFile }
    expect(yield* collect(thread.stream("skip", "count", count(5, dying)))).toEqual([[1, 2, 3, 4, 5], true])
    expect(started()).toBe(2)
    const again = { dieAt: 3, once: yield* newFile }
    expect(yield* collect(thread.stream((part) => part < 3, "count", count(5, again)))).toEqual([
      [1, 2, 1, 2, 3, 4, 5],
      true
    ])
    const late = { dieAt: 3, once: yield* newFile }
    expect(yield* collect(thread.stream((part) => part < 2, "count", count(5, late)))).toEqual([
      [1, 2],
      false
    ])

    const last = yield* make()
    expect(yield* collect(last.thread.stream("skip", "count", last.count(5, { dieAt: 3 })))).toEqual([
      [1, 2],
      false
    ])
  })

  long(it)("leaks no thread when it fails, is left or dies", function* () {
    const before = threads()
    const alone = (
      more: Parameters<Effect.Effect.Success<ReturnType<typeof make>>["count"]>[1],
      take: number
    ) =>
      Stream.unwrapScoped(
        Effect.map(make(), ({ count, thread }) => thread.stream("skip", "count", count(50, more)))
      ).pipe(Stream.take(take), Stream.runDrain, Effect.exit)
    yield* alone({ failAt: 9 }, 100)
    yield* alone({}, 2)
    yield* alone({ dieAt: 9 }, 100)
    yield* settled(before + HELPERS)
    expect(threads()).toBeLessThanOrEqual(before + HELPERS)
  })
})

describe("a thread that yields the processor", () => {
  it("lowers its own priority on Linux, and nobody else's", function* () {
    const own = getPriority()
    const worker = new Worker(new URL("./yieldingThread.ts", import.meta.url))
    const [before, after] = yield* Effect.async<[number, number]>((resume) =>
      worker.addEventListener("message", ({ data }) => resume(Effect.succeed(data)))
    )
    worker.terminate()
    expect([before, after]).toEqual([own, process.platform === "linux" ? Math.max(own, 10) : own])
    expect(getPriority()).toBe(own)
  })
})
