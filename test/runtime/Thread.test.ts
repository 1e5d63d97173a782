import { describe, expect } from "bun:test"
import { readdirSync } from "node:fs"
import { Effect, Exit, Layer, Scope } from "effect"
import { makeThread, type ThreadOptions, ThreadUnavailable } from "../../src/runtime/Thread.ts"
import { effectTest } from "../support/effect.ts"
import { Say } from "./say.ts"

const inTime = effectTest(Layer.empty)
/** Starting a thread takes its time on a busy machine. */
const it = (name: string, body: Parameters<typeof inTime>[1]) => inTime(name, body, 60_000)

const threads = () => readdirSync("/proc/self/task").length
const settled = (count: number) =>
  Effect.iterate(0, {
    while: (tries) => threads() > count && tries < 100,
    body: (tries) => Effect.delay(Effect.succeed(tries + 1), "20 millis")
  })

const make = (more: Partial<ThreadOptions> = {}) => {
  let started = 0
  let worker: Worker | undefined
  const spawn = () => {
    started++
    worker = new Worker(new URL("./echoThread.ts", import.meta.url).href)
    return worker
  }
  return Effect.map(
    makeThread({ name: "echo", spawn, most: 4, patience: "20 seconds", idle: "1 minute", ...more }),
    (thread) => ({
      say: (text: string) => thread.ask(new Say({ text })),
      thread,
      started: () => started,
      kill: () => worker?.terminate()
    })
  )
}

const unavailable = (reason: ThreadUnavailable["reason"]) => Exit.fail(new ThreadUnavailable({ reason }))

describe("a supervised thread", () => {
  it(
    "starts with the first request and answers each with its own answer",
    Effect.scoped(
      Effect.gen(function* () {
        const { say, started, thread } = yield* make()
        expect([started(), yield* thread.isRunning]).toEqual([0, false])
        const answers = yield* Effect.all(["a", "b", "c"].map(say), { concurrency: "unbounded" })
        expect([answers, started()]).toEqual([["a", "b", "c"], 1])
      })
    )
  )

  it(
    "hands on what a request fails with",
    Effect.scoped(
      Effect.gen(function* () {
        const { say } = yield* make()
        expect(yield* Effect.exit(say("fail"))).toEqual(Exit.fail("failed as asked"))
      })
    )
  )

  it(
    "that dies is replaced, and what was in hand is asked once more",
    Effect.scoped(
      Effect.gen(function* () {
        for (const death of ["die", "throw"]) {
          const { say, started } = yield* make()
          const [paused, dead] = yield* Effect.all([Effect.exit(say("pause")), Effect.exit(say(death))], {
            concurrency: "unbounded"
          })
          // Asked once more, the deadly request kills the second thread as well.
          expect(dead).toEqual(unavailable("died"))
          expect([paused, started()]).toEqual([unavailable("died"), 2])
          expect(yield* say("again")).toBe("again")
          expect(started()).toBe(3)
        }
      })
    )
  )

  it(
    "that dies once costs the requests in hand nothing",
    Effect.scoped(
      Effect.gen(function* () {
        const { kill, say, started } = yield* make()
        yield* say("warm")
        const paused = yield* Effect.fork(say("pause"))
        yield* Effect.sleep("100 millis")
        kill()
        expect([yield* paused, started()]).toEqual(["pause", 2])
      })
    )
  )

  it(
    "gives up on an answer in time, and goes on with others",
    Effect.scoped(
      Effect.gen(function* () {
        const { say, started } = yield* make({ patience: "3 seconds" })
        yield* say("warm")
        expect(yield* Effect.exit(say("slow"))).toEqual(unavailable("slow"))
        expect([yield* say("next"), started()]).toEqual(["next", 1])
      })
    )
  )

  it(
    "takes no more than it may",
    Effect.scoped(
      Effect.gen(function* () {
        const { say } = yield* make()
        const exits = yield* Effect.all(
          Array.from({ length: 6 }, () => Effect.exit(say("pause"))),
          { concurrency: "unbounded" }
        )
        const paused = Exit.succeed("pause")
        const busy = unavailable("busy")
        expect(exits).toEqual([paused, paused, paused, paused, busy, busy])
      })
    )
  )

  it(
    "ends when nobody asks, starts again, and leaves no thread behind",
    Effect.gen(function* () {
      const before = threads()
      const scope = yield* Scope.make()
      const { say, started, thread } = yield* Scope.extend(make({ idle: "200 millis" }), scope)
      for (let round = 1; round <= 3; round++) {
        expect([yield* say("hello"), started()]).toEqual(["hello", round])
        yield* Effect.delay(thread.isRunning, "20 millis").pipe(
          Effect.repeat({ until: (running) => !running, times: 500 })
        )
        expect(yield* thread.isRunning).toBe(false)
      }
      yield* say("last")
      yield* Scope.close(scope, Exit.void)
      expect(yield* thread.isRunning).toBe(false)
      yield* settled(before)
      expect(threads()).toBeLessThanOrEqual(before)
    })
  )
})
