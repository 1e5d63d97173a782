import { describe, expect } from "bun:test"
import { readdirSync } from "node:fs"
import { Chunk, Context, Effect, Exit, Fiber, Layer, Option, Schema, Scope, Stream } from "effect"
import { type ChildLimits, makeChildPool } from "../../src/runtime/ChildProcess.ts"
import { effectTest, sharedTest } from "../support/effect.ts"
import { childrenOf, isRunning } from "../support/processes.ts"
import { byTier, long } from "../support/tier.ts"

const it = effectTest(Layer.empty)
const MEGABYTE = 1024 * 1024

const limits: ChildLimits = {
  most: 1,
  start: "1 minute",
  deadline: "1 minute",
  memory: 400 * MEGABYTE,
  recycle: 300 * MEGABYTE,
  idle: "1 minute",
  reply: MEGABYTE
}
const command = [process.execPath, new URL("support/child.ts", import.meta.url).pathname]
const replies = Schema.Struct({ said: Schema.String, n: Schema.Number })

const pool = (more: Partial<ChildLimits> & { readonly command?: ReadonlyArray<string> } = {}) =>
  makeChildPool({ command, replies, ...limits, ...more })
type Pool = Effect.Effect.Success<ReturnType<typeof pool>>

/** The failure of a request, or "ok", and the replies before it. */
const asking = (from: Pool, what: string, n = 0, bytes?: Uint8Array) =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const ended = yield* from.ask({ do: what, n }, bytes).pipe(
      Stream.runForEach(({ message }) => Effect.sync(() => said.push(message.said))),
      Effect.match({ onFailure: ({ reason }) => reason, onSuccess: () => "ok" })
    )
    return [ended, ...said]
  })

/** The child's process id, from a stream that ends early (which kills the child) or after its end. */
const pidAtFirst = (from: Pool) =>
  Effect.map(
    Stream.runHead(from.ask({ do: "pid" })),
    Option.match({ onNone: () => 0, onSome: ({ message }) => message.n })
  )
const pidOf = (from: Pool) =>
  Effect.map(Stream.runCollect(from.ask({ do: "pid" })), (all) => Chunk.unsafeHead(all).message.n)

/** Waits until no process with these ids is running. */
const ended = (...pids: ReadonlyArray<number>) =>
  Effect.sync(() => pids.some(isRunning)).pipe(
    Effect.delay("10 millis"),
    Effect.repeat({ while: (running) => running })
  )

/** One pool for the tests that need no limits of their own. */
class Children extends Context.Tag("Children")<Children, Pool>() {}
const onChildren = sharedTest(Layer.scoped(Children, pool()))

describe("a child process", () => {
  onChildren("sends replies with bytes and serves several requests", function* () {
    const one = yield* Children
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const [echo] = Chunk.toReadonlyArray(yield* Stream.runCollect(one.ask({ do: "echo" }, bytes)))
    expect([echo?.message.n, Buffer.compare(echo?.bytes ?? new Uint8Array(), bytes)]).toEqual([60_000, 0])
    const large = Chunk.toReadonlyArray(
      yield* Stream.runCollect(one.ask({ do: "echoless" }, new Uint8Array(20 * MEGABYTE)))
    )
    expect(large.map(({ message }) => message.said)).toEqual(["echoless"])
    expect(yield* asking(one, "count", 500)).toHaveLength(501)
    expect(yield* pidOf(one)).toBe(yield* pidOf(one))
  })

  onChildren("inherits no environment and no working directory", function* () {
    const [, said] = yield* asking(yield* Children, "environment")
    expect(said).toBe("BUN_JSC_forceRAMSize TZ")
  })

  for (const what of ["spin", "swell"])
    it(`is killed at its limit if it ${what}s; earlier replies remain and the next request succeeds`, function* () {
      const one = yield* pool({
        memory: 200 * MEGABYTE,
        deadline: what === "swell" ? "1 minute" : "500 millis"
      })
      expect(yield* asking(one, what)).toEqual([what === "swell" ? "memory" : "deadline", "first"])
      expect(yield* asking(one, "hello")).toEqual(["ok", "hello"])
    })

  for (const [what, reason] of [
    ["throw", "failed"],
    ["deep", "failed"],
    ["exit", "exited"],
    ["kill", "exited"],
    ["wrong", "reply"],
    ["garbage", "reply"]
  ] as const)
    onChildren(`fails only the current request as ${reason} after ${what}`, function* () {
      const one = yield* Children
      expect(yield* asking(one, what)).toEqual([reason])
      expect(yield* asking(one, "hello")).toEqual(["ok", "hello"])
    })

  onChildren("may log, but is killed for an unsolicited reply", function* () {
    const one = yield* Children
    expect(yield* asking(one, "chatter")).toEqual(["ok", "chatter"])
    const before = yield* pidOf(one)
    expect(yield* asking(one, "late")).toEqual(["ok"])
    yield* ended(before)
    expect(yield* asking(one, "hello")).toEqual(["ok", "hello"])
  })

  it("is killed one byte over the reply limit", function* () {
    const one = yield* pool({ reply: 100_000 })
    // Subtracts the headers of the reply and its end, and the reply's JSON without its text; `n` keeps its length.
    const room = 100_000 - 2 * 9 - JSON.stringify({ said: "", n: 99_900 }).length
    expect((yield* asking(one, "much", room))[0]).toBe("ok")
    expect((yield* asking(one, "much", room + 1))[0]).toBe("reply")
    expect((yield* asking(one, "much", 5_000_000))[0]).toBe("reply")
    expect(yield* asking(one, "hello")).toEqual(["ok", "hello"])
  })

  long(it)("is replaced if its memory exceeds the recycle limit after a request", function* () {
    const one = yield* pool({ recycle: 120 * MEGABYTE })
    const before = yield* pidOf(one)
    expect(yield* pidOf(one)).toBe(before)
    yield* asking(one, "hold", 150 * MEGABYTE)
    expect(yield* pidOf(one)).not.toBe(before)
  })

  long(it)("ends after its idle time", function* () {
    const one = yield* pool({ idle: "400 millis" })
    const pid = yield* pidOf(one)
    // A request restarts the idle time.
    for (let turn = 0; turn < 3; turn++) {
      yield* Effect.sleep("150 millis")
      expect(yield* pidOf(one)).toBe(pid)
    }
    yield* ended(pid)
    expect(yield* asking(one, "hello")).toEqual(["ok", "hello"])
  })

  it("is replaced at the next request if it was killed while idle", function* () {
    const one = yield* pool()
    const pid = yield* pidOf(one)
    process.kill(pid, "SIGKILL")
    // The pool has not noticed the death yet, and must not lose the request.
    const next = yield* pidOf(one)
    expect(next).not.toBe(pid)
    process.kill(next, "SIGKILL")
    yield* Effect.sleep("100 millis")
    expect(yield* pidOf(one)).not.toBe(next)
  })

  it("ends with its pool and with an interrupted request", function* () {
    const scope = yield* Scope.make()
    const one = yield* Scope.extend(pool(), scope)
    const pid = yield* pidOf(one)
    const spinning = yield* Effect.fork(asking(one, "spin"))
    yield* Effect.sleep("100 millis")
    expect(isRunning(pid)).toBe(true)
    yield* Fiber.interrupt(spinning)
    expect(isRunning(pid)).toBe(false)
    // A stream that ends early kills its child.
    const second = yield* pidAtFirst(one)
    const third = yield* pidOf(one)
    expect(third).toBeGreaterThan(0)
    const last = yield* Effect.fork(asking(one, "spin"))
    yield* Effect.sleep("100 millis")
    yield* Scope.close(scope, Exit.void)
    expect([pid, second, third].filter(isRunning)).toEqual([])
    yield* Fiber.interrupt(last)
  })

  it("is reported as not started, without blocking other requests", function* () {
    const missing = yield* pool({ command: ["/nowhere/at/all"] })
    const silent = yield* pool({ command: ["/bin/sleep", "60"], start: "200 millis" })
    const ending = yield* pool({ command: ["/bin/true"] })
    const babbling = yield* pool({ command: ["/usr/bin/yes"] })
    for (const one of [missing, silent, ending, babbling])
      for (let turn = 0; turn < byTier(2, 3); turn++)
        expect(yield* asking(one, "hello")).toEqual(["not-started"])
  })

  long(it)("serves queued requests with at most two processes, even if some die", function* () {
    const two = yield* pool({ most: 2, deadline: "1 second" })
    const before = childrenOf(process.pid).length
    const orders = Array.from({ length: 12 }, (_, index) =>
      index % 6 === 5 ? "hang" : index % 6 === 4 ? "kill" : "hello"
    )
    let most = 0
    const watch = yield* Effect.fork(
      Effect.forever(
        Effect.delay(
          Effect.sync(() => {
            most = Math.max(most, childrenOf(process.pid).length - before)
          }),
          "5 millis"
        )
      )
    )
    const all = yield* Effect.forEach(orders, (order) => asking(two, order), { concurrency: "unbounded" })
    yield* Fiber.interrupt(watch)
    expect(all.map(([ended]) => ended)).toEqual(
      orders.map((order) => (order === "hang" ? "deadline" : order === "kill" ? "exited" : "ok"))
    )
    expect(most).toBeLessThanOrEqual(2)
  })

  long(it)("leaks neither processes nor file descriptors", function* () {
    const descriptors = () => readdirSync("/proc/self/fd").length
    const one = yield* pool({ most: 2 })
    yield* asking(one, "hello")
    const before = [descriptors(), childrenOf(process.pid).length]
    for (let turn = 0; turn < byTier(3, 8); turn++) {
      yield* asking(one, "kill")
      yield* asking(one, "hello")
    }
    yield* Effect.sleep("200 millis")
    const [openNow = 0, runningNow] = [descriptors(), childrenOf(process.pid).length]
    expect(runningNow).toBe(before[1] ?? 0)
    expect(openNow).toBeLessThanOrEqual((before[0] ?? 0) + byTier(2, 4))
  })

  it("ends when its parent is killed, even while it computes", function* () {
    const parent = Bun.spawn([process.execPath, new URL("support/parent.ts", import.meta.url).pathname], {
      stdout: "pipe",
      stderr: "inherit"
    })
    const [idle = 0, busy = 0] = yield* Effect.promise(async () => {
      const { value } = await parent.stdout.getReader().read()
      return new TextDecoder().decode(value).trim().split(" ").map(Number)
    })
    expect([idle, busy].map(isRunning)).toEqual([true, true])
    parent.kill("SIGKILL")
    yield* Effect.promise(() => parent.exited)
    yield* ended(idle, busy)
  })
})
