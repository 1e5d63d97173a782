import { readFileSync } from "node:fs"
import { Clock, Duration, Effect, Exit, Mailbox, Option, Schema, Stream } from "effect"
import { encodeFrame, type Frame, makeFrameReader } from "./ChildMain.ts"
import { makePermits } from "./Scheduling.ts"
import { makeWorkLoop } from "./WorkLoop.ts"

/**
 * Why a child sent no reply, or no further one. `not-started`: the process could not be started, or was not ready in
 * time. `exited`: the process exited or was killed from outside. `deadline` and `memory`: it was killed for exceeding
 * that limit. `failed`: its handler threw. `reply`: it broke the protocol or exceeded the reply limit. The reason is
 * safe to log.
 */
export class ChildFailed extends Schema.TaggedError<ChildFailed>()("ChildFailed", {
  reason: Schema.Literal("not-started", "exited", "deadline", "memory", "failed", "reply")
}) {}

export interface ChildLimits {
  readonly most: number
  /** The startup timeout: until the child is ready for its first request. */
  readonly start: Duration.DurationInput
  /** The timeout of one request, from when a child receives it. */
  readonly deadline: Duration.DurationInput
  /** The maximum resident memory during a request, in bytes. */
  readonly memory: number
  /** A child whose resident memory exceeds this after a request, in bytes, is replaced. */
  readonly recycle: number
  /** How long a child may stay idle before it is stopped. */
  readonly idle: Duration.DurationInput
  /** The maximum total size of the replies to one request, in bytes. */
  readonly reply: number
}

interface ChildOptions<Reply, Encoded> extends ChildLimits {
  /** The program and its arguments; the parent's process id is appended. */
  readonly command: ReadonlyArray<string>
  /** The schema of a reply's JSON: a child's reply is as untrusted as its input. */
  readonly replies: Schema.Schema<Reply, Encoded>
}

interface ChildReply<Reply> {
  readonly message: Reply
  readonly bytes: Uint8Array
}

/** How often to read a busy child's memory: on Linux a read costs 20 microseconds, elsewhere it starts a process. */
const MEMORY_POLL = process.platform === "linux" ? "20 millis" : "200 millis"
/** How long to wait for a killed child to exit; a stuck disk can delay it. */
const KILL_TIMEOUT = "5 seconds"

const failed = (reason: ChildFailed["reason"]) => new ChildFailed({ reason })

/** Linux: reads VmRSS from proc(5)'s status, in kB; undefined if the process is gone. */
const fromProc = (pid: number): number | undefined => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

const fromPs = (pid: number) =>
  Effect.tryPromise(async () => {
    const ps = Bun.spawn(["ps", "-o", "rss=", "-p", String(pid)], { stdout: "pipe", stderr: "ignore" })
    return Number.parseInt(await new Response(ps.stdout).text(), 10) * 1024 || undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

const residentMemory = (pid: number): Effect.Effect<number | undefined> =>
  process.platform === "linux" ? Effect.sync(() => fromProc(pid)) : fromPs(pid)

/** The frames that a child sends from one request until it is ready for the next. */
interface Exchange {
  readonly frames: Mailbox.Mailbox<Frame, ChildFailed>
  received: number
}

class Child {
  /** The current request's exchange; a child without one must not send anything. */
  exchange: Exchange | undefined
  /** Whether it has finished its last request and can take another. */
  isReady = false
  /** Whether it has sent any bytes since the current request began. */
  get hasAnswered() {
    return (this.exchange?.received ?? 0) > 0
  }
  /** Whether it was idle in the pool before this request. */
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

  /** Starts an exchange; the first frame that is not a message ends it. */
  readonly begin = Effect.tap(Mailbox.make<Frame, ChildFailed>(), (frames) =>
    Effect.sync(() => {
      this.isReady = false
      this.exchange = { frames, received: 0 }
    })
  )

  abort(reason: ChildFailed["reason"]) {
    this.isReady = false
    this.exchange?.frames.unsafeDone(Exit.fail(failed(reason)))
    this.process.kill("SIGKILL")
  }

  readonly send = (message: string, bytes: Uint8Array | undefined) =>
    Effect.ignore(
      Effect.tryPromise(async () => {
        const { stdin } = this.process
        const pieces = encodeFrame("message", message, bytes)
        // A write that fails later rejects too, and an unhandled rejection would end the service.
        const writes = Promise.all(pieces.map(async (piece) => stdin.write(piece)))
        await Promise.all([writes, (async () => stdin.flush())()])
      })
    )

  /** Reads frames until the child exits, and kills it on the first unexpected or malformed one. */
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
      // A broken pipe means the same as a closed one.
    }
    this.abort("exited")
  }

  readonly kill = Effect.promise(() => {
    this.abort("exited")
    return this.process.exited
  }).pipe(Effect.interruptible, Effect.timeout(KILL_TIMEOUT), Effect.ignore)
}

/**
 * The child's whole environment: the time zone, so that dates without one mean the same in both processes, and a small
 * heap.
 */
const environment = (memory: number) => ({
  TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
  // The garbage collector paces itself by the RAM size it believes the machine has.
  BUN_JSC_forceRAMSize: String(memory)
})

/**
 * Makes a pool of child processes, whose crashes do not affect the parent. A child starts on demand, is reused, ends after idling, and is killed when it
 * exceeds a limit or when the pool's scope closes. It inherits no environment, open files or working directory, and its
 * other output is discarded.
 */
export const makeChildPool = Effect.fn("ChildPool.make")(function* <Reply, Encoded>(
  options: ChildOptions<Reply, Encoded>
) {
  const permits = makePermits(options.most)
  const children = new Set<Child>()
  const idle: Array<Child> = []
  const becameIdle = yield* makeWorkLoop
  const idleTime = Duration.unsafeToNanos(options.idle)
  const decode = Schema.decode(Schema.parseJson(options.replies))

  const dispose = (child: Child) =>
    Effect.ensuring(
      child.kill,
      Effect.sync(() => children.delete(child))
    )

  const spawn = Effect.try({
    try: () => {
      const started = Bun.spawn([...options.command, String(process.pid)], {
        // Bun would read a .env or bunfig.toml in the working directory.
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
      Effect.onError(() => dispose(child))
    )
  }).pipe(Effect.withSpan("ChildPool.start"))

  /** Returns an idle child or starts one. With `mustBeNew`, it ends every idle child it finds and starts a new one. */
  const anyChild = (mustBeNew: boolean): Effect.Effect<Child, ChildFailed> =>
    Effect.suspend(() => {
      const child = idle.pop()
      if (child === undefined) return started
      return child.isUsable && !mustBeNew
        ? Effect.succeed(child)
        : Effect.zipRight(dispose(child), anyChild(mustBeNew))
    })

  const returnChild = Effect.fnUntraced(function* (child: Child) {
    const held = child.isUsable ? yield* residentMemory(child.process.pid) : undefined
    if (held === undefined || held > options.recycle || !child.isUsable) return yield* dispose(child)
    child.exchange = undefined
    child.wasIdle = true
    child.idleSince = yield* Clock.currentTimeNanos
    idle.push(child)
    yield* becameIdle.wake
  })

  /** Borrows a child until the scope closes. */
  const borrowedChild = (mustBeNew: boolean) =>
    Effect.acquireRelease(
      Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(
          restore(permits.take),
          Effect.onError(anyChild(mustBeNew), () => permits.release)
        )
      ),
      (child) => Effect.ensuring(returnChild(child), permits.release)
    )

  const overMemory = (child: Child): Effect.Effect<void> =>
    residentMemory(child.process.pid).pipe(
      Effect.delay(MEMORY_POLL),
      Effect.repeat({ until: (held) => held !== undefined && held > options.memory }),
      Effect.asVoid
    )

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
    Effect.forEach(children, dispose, { concurrency: "unbounded", discard: true })
  )

  /** Ends the longest-idle child when its idle time expires; a child used in the meantime starts a new idle period. */
  const endExpired = Effect.gen(function* () {
    const longest = idle.toSorted((one, other) => Number(one.idleSince - other.idleSince))[0]
    if (longest === undefined) return
    const left = longest.idleSince + idleTime - (yield* Clock.currentTimeNanos)
    yield* Effect.sleep(Duration.nanos(left > 0n ? left : 0n))
    const at = idle.indexOf(longest)
    const now = yield* Clock.currentTimeNanos
    if (at === -1 || now - longest.idleSince < idleTime) return
    idle.splice(at, 1)
    yield* dispose(longest)
  })
  // Rests while no child is idle, so that an unused service does no work.
  const restAfterExpired = Effect.map(endExpired, () => (idle.length > 0 ? Duration.zero : Duration.infinity))
  yield* Effect.forkScoped(becameIdle.run(restAfterExpired, { name: "ending idle child processes" }))

  const asking = (
    message: string,
    bytes: Uint8Array | undefined,
    mustBeNew: boolean
  ): Stream.Stream<ChildReply<Reply>, ChildFailed> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const child = yield* borrowedChild(mustBeNew)
        const frames = yield* child.begin
        yield* Effect.forkScoped(guard(child))
        yield* Effect.forkScoped(child.send(message, bytes))
        return Stream.mapError(repliesOf(child, frames), (error) =>
          error.reason === "exited" && child.wasIdle && !child.hasAnswered ? "stale" : error
        )
      })
      // The child may have died unnoticed while idle, so the request is not to blame: retry it in a new child.
    ).pipe(
      Stream.catchAll((error) => (error === "stale" ? asking(message, bytes, true) : Stream.fail(error)))
    )

  return {
    /**
     * Sends one request to a child that serves no other request, and emits the replies as they arrive, including those
     * before a failure. Ending the stream early kills the child.
     */
    ask: (message: unknown, bytes?: Uint8Array) =>
      Stream.withSpan(asking(JSON.stringify(message), bytes, false), "ChildPool.ask")
  }
})
