import { readFileSync } from "node:fs"
import { Clock, Duration, Effect, Exit, Mailbox, Option, Queue, Schema, Stream } from "effect"
import { encodeFrame, type Frame, makeFrameReader } from "./ChildMain.ts"
import { makePermits } from "./Scheduling.ts"

/**
 * Why a child gave no answer, or no further one. `not-started`: the system starts no process now. `exited`: it ended by
 * itself or was killed. `deadline` and `memory`: it was killed for the bound it overran. `failed`: its handler threw.
 * `reply`: it sent what the protocol does not know, or too much. The reason is safe to log.
 */
export class ChildFailed extends Schema.TaggedError<ChildFailed>()("ChildFailed", {
  reason: Schema.Literal("not-started", "exited", "deadline", "memory", "failed", "reply")
}) {}

/** What a child may use, and how many of them there are. */
export interface ChildLimits {
  /** The most children at once; further requests wait their turn. */
  readonly most: number
  /** How long a child may take until it is ready for its first request. */
  readonly start: Duration.DurationInput
  /** How long one request may take, from when a child has it. */
  readonly deadline: Duration.DurationInput
  /** The most resident memory a child may hold while it works, in bytes. */
  readonly memory: number
  /** A child that holds more than this after a request, in bytes, is replaced. */
  readonly recycle: number
  /** A child without a request for this long is ended. */
  readonly idle: Duration.DurationInput
  /** The most bytes that all replies to one request may have together. */
  readonly reply: number
}

/** How a child is started and what it answers. */
interface ChildOptions<Reply, Encoded> extends ChildLimits {
  /** The program and its arguments; the parent's process id is appended. */
  readonly command: ReadonlyArray<string>
  /** What a reply's JSON must decode to: a child's answer is as untrusted as what it has read. */
  readonly replies: Schema.Schema<Reply, Encoded>
}

/** A decoded reply, and the bytes beside it. */
interface ChildReply<Reply> {
  readonly message: Reply
  readonly bytes: Uint8Array
}

/** Answers requests in child processes that may die of them. */
interface ChildPool<Reply> {
  /**
   * Sends one request to a child of its own for the time it takes, and emits the replies as they arrive. What came
   * before a failure has been emitted. Ending the stream early kills the child.
   */
  readonly ask: (message: unknown, bytes?: Uint8Array) => Stream.Stream<ChildReply<Reply>, ChildFailed>
}

/** How often a working child's memory is read: on Linux that costs 20 microseconds, elsewhere it starts a process. */
const LOOK = process.platform === "linux" ? "20 millis" : "200 millis"
/** How long a killed child may take to be gone; a stuck disk can hold one up. */
const BURIAL = "5 seconds"

const failed = (reason: ChildFailed["reason"]) => new ChildFailed({ reason })

/** Linux: a line of proc(5)'s status, in kB; undefined where the process is gone. */
const fromProc = (pid: number): number | undefined => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/** Elsewhere: what ps(1) prints, in kB. */
const fromPs = (pid: number) =>
  Effect.tryPromise(async () => {
    const ps = Bun.spawn(["ps", "-o", "rss=", "-p", String(pid)], { stdout: "pipe", stderr: "ignore" })
    return Number.parseInt(await new Response(ps.stdout).text(), 10) * 1024 || undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

/** The resident memory of a process in bytes; undefined where it is gone or cannot be read. */
const residentMemory = (pid: number): Effect.Effect<number | undefined> =>
  process.platform === "linux" ? Effect.sync(() => fromProc(pid)) : fromPs(pid)

/** What a child sends from a request until it is ready for the next. */
interface Exchange {
  readonly frames: Mailbox.Mailbox<Frame, ChildFailed>
  received: number
}

/** A process, and what is known of it. */
class Child {
  /** The request in hand; a child that has none must be silent. */
  exchange: Exchange | undefined
  /** Whether it has ended its last request and may take another. */
  isReady = false
  /** Whether it has sent any frame since its last request. */
  get hasAnswered() {
    return (this.exchange?.received ?? 0) > 0
  }
  /** Whether it has waited for a request before this one. */
  wasIdle = false
  /** When it became idle, in nanoseconds of the monotonic clock. */
  idleSince = 0n

  readonly process: Bun.Subprocess<"pipe", "pipe", "ignore">
  readonly limit: number

  constructor(process: Bun.Subprocess<"pipe", "pipe", "ignore">, limit: number) {
    this.process = process
    this.limit = limit
  }

  get isUsable() {
    return this.isReady && this.process.exitCode === null && this.process.signalCode === null
  }

  /** Starts an exchange; its frames end with the first that is no message. */
  readonly begin = Effect.tap(Mailbox.make<Frame, ChildFailed>(), (frames) =>
    Effect.sync(() => {
      this.isReady = false
      this.exchange = { frames, received: 0 }
    })
  )

  /** Ends the exchange with a failure and kills the child. */
  abort(reason: ChildFailed["reason"]) {
    this.isReady = false
    this.exchange?.frames.unsafeDone(Exit.fail(failed(reason)))
    this.process.kill("SIGKILL")
  }

  /** Writes a request; a child that is gone is noticed where its frames are read. */
  readonly send = (message: string, bytes: Uint8Array | undefined) =>
    Effect.ignore(
      Effect.tryPromise(async () => {
        for (const piece of encodeFrame("message", message, bytes)) this.process.stdin.write(piece)
        await this.process.stdin.flush()
      })
    )

  /** Reads frames as long as the child lives, and kills it at the first that it should not have sent. */
  async listen() {
    const reader = makeFrameReader(this.limit)
    try {
      for await (const chunk of this.process.stdout) {
        const { exchange } = this
        if (exchange === undefined || this.isReady) return this.abort("reply")
        exchange.received += chunk.length
        const frames = exchange.received > this.limit ? "bad-frame" : reader.push(chunk)
        if (frames === "bad-frame") return this.abort("reply")
        const end = frames.findIndex(({ kind }) => kind !== "message")
        if (end !== -1 && (end < frames.length - 1 || reader.isWithin())) return this.abort("reply")
        if (end !== -1) this.isReady = true
        exchange.frames.unsafeOfferAll(frames)
      }
    } catch {
      // A pipe that breaks says the same as its end.
    }
    this.abort("exited")
  }

  /** Kills the child and waits until it is gone. */
  readonly kill = Effect.promise(() => {
    this.abort("exited")
    return this.process.exited
  }).pipe(Effect.interruptible, Effect.timeout(BURIAL), Effect.ignore)
}

/** All that a child gets: its zone, for dates without one mean the same in both processes, and a frugal heap. */
const environment = (memory: number) => ({
  TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
  // The collector paces itself by what it takes for the machine's memory.
  BUN_JSC_forceRAMSize: String(memory)
})

/**
 * Makes a pool of child processes. A child is started when a request needs one, kept for the next, ended after idling,
 * killed at the first overrun, and killed with the pool's scope. It inherits no environment, no open files and no
 * working directory, and its other output is discarded.
 */
export const makeChildPool = Effect.fn("ChildPool.make")(function* <Reply, Encoded>(
  options: ChildOptions<Reply, Encoded>
) {
  const permits = makePermits(options.most)
  const children = new Set<Child>()
  const idle: Array<Child> = []
  const becameIdle = yield* Queue.sliding<void>(1)
  const idleTime = Duration.unsafeToNanos(options.idle)
  const decode = Schema.decode(Schema.parseJson(options.replies))

  const bury = (child: Child) =>
    Effect.ensuring(
      child.kill,
      Effect.sync(() => children.delete(child))
    )

  const spawn = Effect.try({
    try: () => {
      const started = Bun.spawn([...options.command, String(process.pid)], {
        // A .env or bunfig.toml of the working directory would be read.
        cwd: "/",
        env: environment(options.memory),
        stdin: "pipe",
        stdout: "pipe",
        stderr: "ignore"
      })
      const child = new Child(started, options.reply)
      children.add(child)
      return child
    },
    catch: () => failed("not-started")
  })

  /** A new child that has said that it is ready. */
  const started = Effect.gen(function* () {
    const child = yield* spawn
    return yield* Effect.gen(function* () {
      const frames = yield* child.begin
      void child.listen()
      yield* Effect.timeoutFail(frames.take, {
        duration: options.start,
        onTimeout: () => failed("not-started")
      })
      return child
    }).pipe(
      Effect.interruptible,
      Effect.mapError(() => failed("not-started")),
      Effect.onError(() => bury(child))
    )
  }).pipe(Effect.withSpan("ChildPool.start"))

  /** A child that idles, else a new one; a new one in its place where `mustBeNew`. */
  const anyChild = (mustBeNew: boolean): Effect.Effect<Child, ChildFailed> =>
    Effect.suspend(() => {
      const child = idle.pop()
      if (child === undefined) return started
      return child.isUsable && !mustBeNew
        ? Effect.succeed(child)
        : Effect.zipRight(bury(child), anyChild(mustBeNew))
    })

  const giveBack = Effect.fnUntraced(function* (child: Child) {
    const held = child.isUsable ? yield* residentMemory(child.process.pid) : undefined
    if (held === undefined || held > options.recycle || !child.isUsable) return yield* bury(child)
    child.exchange = undefined
    child.wasIdle = true
    child.idleSince = yield* Clock.currentTimeNanos
    idle.push(child)
    yield* Queue.offer(becameIdle, undefined)
  })

  /** A child for as long as the scope lasts. */
  const lent = (mustBeNew: boolean) =>
    Effect.acquireRelease(
      Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(
          restore(permits.take),
          Effect.onError(anyChild(mustBeNew), () => permits.release)
        )
      ),
      (child) => Effect.ensuring(giveBack(child), permits.release)
    )

  const overMemory = (child: Child): Effect.Effect<void> =>
    residentMemory(child.process.pid).pipe(
      Effect.delay(LOOK),
      Effect.repeat({ until: (held) => held !== undefined && held > options.memory }),
      Effect.asVoid
    )

  /** Kills the child once its request overruns a bound. */
  const guard = (child: Child) =>
    Effect.race(
      Effect.as(Effect.sleep(options.deadline), "deadline" as const),
      Effect.as(overMemory(child), "memory" as const)
    ).pipe(Effect.map((reason) => child.abort(reason)))

  const repliesOf = (child: Child, frames: Mailbox.Mailbox<Frame, ChildFailed>) =>
    Mailbox.toStream(frames).pipe(
      Stream.takeUntil(({ kind }) => kind !== "message"),
      Stream.filterMapEffect(({ bytes, json, kind }) => {
        if (kind === "end") return Option.none()
        if (kind === "failed") return Option.some(Effect.fail(failed("failed")))
        return Option.some(
          decode(json).pipe(
            Effect.map((message): ChildReply<Reply> => ({ message, bytes })),
            Effect.mapError(() => {
              child.abort("reply")
              return failed("reply")
            })
          )
        )
      })
    )

  yield* Effect.addFinalizer(() =>
    Effect.forEach(children, bury, { concurrency: "unbounded", discard: true })
  )

  /** Ends the child that has idled longest once its time is up; a child that was asked meanwhile starts over. */
  const endExpired = Effect.gen(function* () {
    const longest = idle.toSorted((one, other) => Number(one.idleSince - other.idleSince))[0]
    if (longest === undefined) return
    const left = longest.idleSince + idleTime - (yield* Clock.currentTimeNanos)
    yield* Effect.sleep(Duration.nanos(left > 0n ? left : 0n))
    const at = idle.indexOf(longest)
    const now = yield* Clock.currentTimeNanos
    if (at === -1 || now - longest.idleSince < idleTime) return
    idle.splice(at, 1)
    yield* bury(longest)
  })
  // Sleeps while no child is idle: an unused service does no work.
  yield* Queue.take(becameIdle).pipe(
    Effect.zipRight(Effect.repeat(endExpired, { while: () => idle.length > 0 })),
    Effect.forever,
    Effect.forkScoped
  )

  const asking = (
    message: string,
    bytes: Uint8Array | undefined,
    mustBeNew: boolean
  ): Stream.Stream<ChildReply<Reply>, ChildFailed> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const child = yield* lent(mustBeNew)
        const frames = yield* child.begin
        yield* Effect.forkScoped(guard(child))
        yield* Effect.forkScoped(child.send(message, bytes))
        return Stream.mapError(repliesOf(child, frames), (error) =>
          error.reason === "exited" && child.wasIdle && !child.hasAnswered ? "stale" : error
        )
      })
      // A child may have died while it idled, before anybody saw it: what it was asked is not to blame.
    ).pipe(
      Stream.catchAll((error) => (error === "stale" ? asking(message, bytes, true) : Stream.fail(error)))
    )

  const pool: ChildPool<Reply> = {
    ask: (message, bytes) => Stream.withSpan(asking(JSON.stringify(message), bytes, false), "ChildPool.ask")
  }
  return pool
})
