import { getPriority, setPriority } from "node:os"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import {
  Cause,
  Chunk,
  Data,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberId,
  Option,
  Queue,
  Schedule,
  Schema,
  type Scope,
  Stream
} from "effect"

/** The thread died, timed out, or has too many pending requests. `detail` is the cause of death, where known. */
export class ThreadUnavailable extends Data.TaggedError("ThreadUnavailable")<{
  readonly reason: "died" | "slow" | "busy"
  readonly detail?: string
}> {}

/** A value passed between threads of this program, which is trusted and therefore not validated. */
export const uncheckedSchema = <A>() => Schema.declare((_value: unknown): _value is A => true)

/**
 * A message to a thread: a request, a credit for one more part of a streamed answer, the cancellation of a request, or
 * a liveness check. Null asks the thread to exit.
 */
type Message =
  | { readonly type: "ask"; readonly id: number; readonly request: unknown }
  | { readonly type: "more" | "cancel"; readonly id: number }
  | { readonly type: "ping" }
  | null

/** A message from a thread. `exit` is null for a stream that ended successfully. */
const Reply = Schema.Union(
  Schema.Struct({ type: Schema.Literal("ready", "pong") }),
  Schema.Struct({ type: Schema.Literal("failed"), reason: Schema.String }),
  Schema.Struct({ type: Schema.Literal("part"), id: Schema.Int, part: Schema.Unknown }),
  Schema.Struct({ type: Schema.Literal("exit"), id: Schema.Int, exit: Schema.Unknown })
)
type Reply = typeof Reply.Type
type Answer = Extract<Reply, { readonly id: number }>

/** How to run a thread. */
export interface ThreadOptions {
  /** The thread's name in the log. */
  readonly name: string
  readonly spawn: () => Worker
  /** The maximum number of pending requests, and the timeout for an answer or for the next part of one. */
  readonly most: number
  readonly patience: Duration.DurationInput
  /** The startup timeout; one minute by default. */
  readonly starting?: Duration.DurationInput
  /** Stops the thread after this long without a request. By default it runs until the scope closes. */
  readonly idle?: Duration.DurationInput
  /** Called with false when the thread dies, and with true each time a thread becomes ready. */
  readonly onChange?: (isAnswering: boolean) => Effect.Effect<void>
}

/** A serializable request, with the schemas of its result. */
type SerializableRequest<Q, QI, A, AI, E, EI> = Schema.SerializableWithResult<
  Q,
  QI,
  never,
  A,
  AI,
  E,
  EI,
  never
>

/**
 * How to retry a stream whose thread died midway. `skip` asks again and drops the parts already emitted; use it for an
 * answer that is the same each time. A predicate allows a retry only if it accepts every part already emitted, which
 * may then be emitted twice.
 */
type Repeat<A> = "skip" | ((part: A) => boolean)

/** A thread that answers requests. */
export interface Thread {
  /** Starts the thread and waits until it is ready. */
  readonly start: Effect.Effect<void, ThreadUnavailable>
  readonly ask: <Q, QI, A, AI, E, EI>(
    request: SerializableRequest<Q, QI, A, AI, E, EI>
  ) => Effect.Effect<A, E | ThreadUnavailable>
  /** Streams an answer; the thread sends at most a few parts ahead. Ending the stream early cancels the work. */
  readonly stream: <Q, QI, A, AI, E, EI>(
    request: SerializableRequest<Q, QI, A, AI, E, EI>,
    repeat: Repeat<A>
  ) => Stream.Stream<A, E | ThreadUnavailable>
  /** Whether the thread is running. */
  readonly isRunning: Effect.Effect<boolean>
}

/** Callbacks for the answer to a pending request. */
interface Waiting {
  readonly answer: (answer: Answer) => void
  readonly lost: (reason: ThreadUnavailable) => void
}

interface Running {
  readonly worker: Worker
  readonly since: number
  readonly waiting: Map<number, Waiting>
  readonly ready: Deferred.Deferred<void, ThreadUnavailable>
  readonly closed: Deferred.Deferred<void>
  /** The number of messages received from the thread. */
  heard: number
  isEnding: boolean
  /** The startup error that the thread reported. */
  detail: string | undefined
}

/** The default startup timeout: a slow machine has to compile the program first. */
const START_TIMEOUT = Duration.minutes(1)
/** How long a thread may take to close its resources. */
const CLOSE_TIMEOUT = Duration.seconds(2)
/** The number of streamed parts that may be in flight at once. */
const PARTS_AHEAD = 4

/**
 * The number of consecutive deaths after which a new thread still starts at once. A request that kills its thread is
 * tried twice.
 */
const FREE_DEATHS = 2
/** A thread that lived this long (ms) resets the count of consecutive deaths. */
const STABLE_AFTER = Duration.toMillis("1 minute")
/** The minimum and maximum backoff before a new thread starts, in milliseconds. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000
const pauseAfter = (deaths: number) =>
  deaths <= FREE_DEATHS ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (deaths - FREE_DEATHS - 1))

/**
 * Makes a supervised thread. It starts on the first request or on `start`, and stops when idle or when the scope
 * closes. When it dies, a new thread retries the pending requests, and the rest of the program keeps running. A thread
 * that stops responding is terminated. A replacement starts at once, or after a growing backoff if its predecessors
 * died quickly.
 */
export const makeThread = Effect.fnUntraced(function* (options: ThreadOptions) {
  const { idle, most, name, patience, spawn } = options
  const starting = options.starting ?? START_TIMEOUT
  const onChange = options.onChange ?? (() => Effect.void)
  const clock = yield* Effect.clock
  const scope = yield* Effect.scope
  const changes = yield* Queue.unbounded<"lost" | "ready">()
  let running: Running | undefined
  let isClosed = false
  let lastId = 0
  let lastUsed = 0
  let deaths = 0
  let lastDeath = 0

  const now = () => clock.unsafeCurrentTimeMillis()

  /**
   * The remaining backoff before a new thread may start, in milliseconds. Setting the clock back does not extend it.
   */
  const pauseLeft = () => {
    const passed = now() - lastDeath
    return passed < 0 ? 0 : Math.max(0, pauseAfter(deaths) - passed)
  }

  const handleDeath = (one: Running, detail?: string) => {
    if (running === one) {
      running = undefined
      if (!one.isEnding) {
        deaths = now() - one.since >= STABLE_AFTER ? 1 : deaths + 1
        lastDeath = now()
        changes.unsafeOffer("lost")
      }
    }
    const cause = one.detail ?? detail
    const error = new ThreadUnavailable({ reason: "died", ...(cause === undefined ? {} : { detail: cause }) })
    for (const waiting of one.waiting.values()) waiting.lost(error)
    Deferred.unsafeDone(one.ready, Exit.fail(error))
    Deferred.unsafeDone(one.closed, Exit.void)
  }

  const receive = (one: Running, reply: Reply) => {
    one.heard++
    switch (reply.type) {
      case "ready":
        Deferred.unsafeDone(one.ready, Exit.void)
        changes.unsafeOffer("ready")
        return
      case "failed":
        one.detail = reply.reason
        return
      case "pong":
        return
      default:
        one.waiting.get(reply.id)?.answer(reply)
    }
  }

  const startWorker = () => {
    const one: Running = {
      ready: Deferred.unsafeMake(FiberId.none),
      closed: Deferred.unsafeMake(FiberId.none),
      waiting: new Map(),
      worker: spawn(),
      since: now(),
      heard: 0,
      isEnding: false,
      detail: undefined
    }
    one.worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      const reply = Schema.decodeUnknownOption(Reply)(data)
      if (reply._tag === "Some") receive(one, reply.value)
    })
    one.worker.addEventListener("error", ({ message }) => {
      handleDeath(one, message)
      one.worker.terminate()
    })
    one.worker.addEventListener("close", () => handleDeath(one))
    lastUsed = now()
    running = one
    return one
  }

  /**
   * Returns the running thread or starts one. Synchronous, so that two concurrent first requests do not start two
   * threads.
   */
  const current = Effect.suspend((): Effect.Effect<Running, ThreadUnavailable> => {
    if (running !== undefined) return Effect.succeed(running)
    if (isClosed || pauseLeft() > 0) return new ThreadUnavailable({ reason: "died" })
    return Effect.try({
      try: startWorker,
      catch: (cause) => new ThreadUnavailable({ reason: "died", detail: String(cause) })
    })
  })

  const send = (one: Running, message: Message) => Effect.sync(() => one.worker.postMessage(message))

  const end = (one: Running) =>
    Effect.sync(() => {
      one.isEnding = true
      if (running === one) running = undefined
    }).pipe(
      Effect.zipRight(send(one, null)),
      Effect.zipRight(Deferred.await(one.closed)),
      Effect.interruptible,
      Effect.timeout(CLOSE_TIMEOUT),
      Effect.catchAllCause(() => Effect.sync(() => one.worker.terminate()))
    )

  const withTimeout = <A, E>(work: Effect.Effect<A, E>, duration: Duration.DurationInput) =>
    Effect.timeoutFail(work, { duration, onTimeout: () => new ThreadUnavailable({ reason: "slow" }) })

  /** Terminates a thread that does not answer a ping: its event loop is blocked. */
  const endIfStuck = Effect.fnUntraced(function* (one: Running) {
    const before = one.heard
    yield* send(one, { type: "ping" })
    yield* Effect.sleep(patience)
    if (one.heard > before || running !== one) return
    yield* Effect.logError(`The ${name} thread is unresponsive; terminating it`)
    handleDeath(one)
    one.worker.terminate()
  })
  const watched = <A, E>(one: Running, work: Effect.Effect<A, E | ThreadUnavailable>) =>
    Effect.tapError(work, (error) =>
      error instanceof ThreadUnavailable && error.reason === "slow"
        ? Effect.forkIn(endIfStuck(one), scope)
        : Effect.void
    )

  const awaitReady = (one: Running) => withTimeout(Deferred.await(one.ready), starting)

  /** Sends a request and queues its answers until the scope closes, which cancels an unfinished request. */
  const openRequest = Effect.fnUntraced(function* <Q, QI, A, AI, E, EI>(
    request: SerializableRequest<Q, QI, A, AI, E, EI>
  ) {
    const one = yield* current
    if (one.waiting.size >= most) return yield* new ThreadUnavailable({ reason: "busy" })
    const answers = yield* Queue.unbounded<Exit.Exit<Answer, ThreadUnavailable>>()
    const id = ++lastId
    const question: Message = { type: "ask", id, request: yield* Effect.orDie(Schema.serialize(request)) }
    let isOpen = true
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        one.waiting.set(id, {
          answer: (answer) => {
            if (answer.type === "exit") isOpen = false
            answers.unsafeOffer(Exit.succeed(answer))
          },
          lost: (reason) => {
            isOpen = false
            answers.unsafeOffer(Exit.fail(reason))
          }
        })
        lastUsed = now()
        one.worker.postMessage(question)
      }),
      () =>
        Effect.suspend(() => {
          one.waiting.delete(id)
          lastUsed = now()
          return isOpen ? send(one, { type: "cancel", id }) : Effect.void
        })
    )
    yield* watched(one, awaitReady(one))
    return {
      next: watched(one, Effect.flatten(withTimeout(Queue.take(answers), patience))),
      more: send(one, { type: "more", id })
    }
  })

  const attempt = <Q, QI, A, AI, E, EI>(request: SerializableRequest<Q, QI, A, AI, E, EI>) =>
    Effect.gen(function* () {
      const { next } = yield* openRequest(request)
      const answer = yield* next
      const exit = answer.type === "exit" ? answer.exit : null
      const result: Exit.Exit<A, E> = yield* Effect.orDie(Schema.deserializeExit(request, exit))
      return yield* result
    }).pipe(Effect.scoped)

  const attemptStream = <Q, QI, A, AI, E, EI>(request: SerializableRequest<Q, QI, A, AI, E, EI>) =>
    openRequest(request).pipe(
      Effect.map(({ more, next }) => {
        const part = Effect.gen(function* () {
          const answer = yield* Effect.mapError(next, Option.some)
          if (answer.type === "part") {
            yield* more
            return Chunk.of(yield* Effect.orDie(Schema.deserializeSuccess(request, answer.part)))
          }
          if (answer.exit === null) return yield* Effect.fail(Option.none())
          const result: Exit.Exit<A, E> = yield* Effect.orDie(Schema.deserializeExit(request, answer.exit))
          return Chunk.of(yield* Effect.mapError(result, Option.some))
        })
        return Stream.repeatEffectChunkOption<A, E | ThreadUnavailable, never>(part)
      }),
      Stream.unwrapScoped
    )

  const warnRetry = Effect.logWarning(`The ${name} thread died; retrying in a new one`)
  const hasDied = (error: unknown): error is ThreadUnavailable =>
    error instanceof ThreadUnavailable && error.reason === "died"

  const thread: Thread = {
    isRunning: Effect.sync(() => running !== undefined),
    start: Effect.flatMap(current, awaitReady),
    ask: (request) =>
      Effect.catchIf(attempt(request), hasDied, () => Effect.zipRight(warnRetry, attempt(request))),
    stream: <Q, QI, A, AI, E, EI>(request: SerializableRequest<Q, QI, A, AI, E, EI>, repeat: Repeat<A>) =>
      Stream.suspend(() => {
        let count = 0
        let mayRepeat = true
        const counted = Stream.map(attemptStream(request), (part) => {
          count++
          mayRepeat &&= repeat === "skip" || repeat(part)
          return part
        })
        return Stream.catchAll(counted, (error): Stream.Stream<A, E | ThreadUnavailable> => {
          if (!hasDied(error) || !mayRepeat) return Stream.fail(error)
          const repeated = Stream.unwrap(Effect.as(warnRetry, attemptStream(request)))
          return repeat === "skip" ? Stream.drop(repeated, count) : repeated
        })
      })
  }

  /** Reports deaths and recoveries, and restarts the thread without waiting for a request. */
  const supervise = (isDown: boolean): Effect.Effect<never> =>
    Effect.gen(function* () {
      const wait = Duration.millis(Math.max(FIRST_PAUSE, pauseLeft()))
      const change = isDown
        ? yield* Effect.timeoutOption(Queue.take(changes), wait)
        : Option.some(yield* Queue.take(changes))
      if (Option.isNone(change)) {
        yield* Effect.ignore(current)
        return isDown
      }
      const isLost = change.value === "lost"
      if (isLost) yield* Effect.logWarning(`The ${name} thread died`, { deaths })
      yield* onChange(!isLost)
      return isLost
    }).pipe(Effect.flatMap(supervise))

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      return running === undefined ? Effect.void : end(running)
    })
  )
  yield* Effect.forkScoped(supervise(false))
  if (idle !== undefined) {
    const endIdle = Effect.suspend(() =>
      running !== undefined && running.waiting.size === 0 && now() - lastUsed >= Duration.toMillis(idle)
        ? end(running)
        : Effect.void
    )
    yield* Effect.forkScoped(Effect.repeat(endIdle, Schedule.spaced(Duration.times(idle, 0.25))))
  }
  return thread
})

const reasonOf = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/** Encodes a defect as an exit that any request's schemas can decode. */
const defect = (cause: Cause.Cause<unknown>) => ({
  _tag: "Failure",
  cause: { _tag: "Die", defect: Cause.pretty(cause) }
})

/** A request's work in the thread: it may send parts, and returns the encoded exit. */
export type RequestHandler = (send: (part: unknown) => Effect.Effect<void>) => Effect.Effect<unknown>

/** Answers a request with an effect's exit, encoded with the request's schemas. */
export const respondWith =
  <A, AI, E, EI>(
    request: Schema.WithResult<A, AI, E, EI, never>,
    effect: Effect.Effect<A, E>
  ): RequestHandler =>
  () =>
    Effect.flatMap(Effect.exit(effect), (exit) => Effect.orDie(Schema.serializeExit(request, exit)))

/** Answers a request with the elements of a stream, encoded with the request's schemas. */
export const respondWithStream =
  <A, AI, E, EI>(
    request: Schema.WithResult<A, AI, E, EI, never>,
    stream: Stream.Stream<A, E>
  ): RequestHandler =>
  (send) =>
    Stream.runForEach(stream, (part) =>
      Effect.flatMap(Effect.orDie(Schema.serializeSuccess(request, part)), send)
    ).pipe(
      Effect.matchCauseEffect({
        onFailure: (cause) => Effect.orDie(Schema.serializeExit(request, Exit.failCause(cause))),
        onSuccess: () => Effect.succeed(null)
      })
    )

const answerUntilEnd = <Request, I, E, R>(
  requests: Schema.Schema<Request, I>,
  open: Effect.Effect<(request: Request) => RequestHandler, E, R>
) =>
  Effect.gen(function* () {
    const messages = yield* Queue.unbounded<Message>()
    const reply = (message: Reply) => Effect.sync(() => self.postMessage(message))
    self.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      messages.unsafeOffer(data)
    })
    const answer = yield* Effect.tapErrorCause(open, (cause) =>
      reply({ type: "failed", reason: reasonOf(cause) })
    )
    yield* reply({ type: "ready" })
    yield* releaseStartMemory

    const work = new Map<number, { readonly fiber: Fiber.Fiber<void>; readonly room: Effect.Semaphore }>()
    const answered = Effect.fnUntraced(function* (id: number, sent: unknown, room: Effect.Semaphore) {
      const request = yield* Effect.orDie(Schema.decodeUnknown(requests)(sent))
      const exit = yield* answer(request)((part) =>
        Effect.zipRight(room.take(1), reply({ type: "part", id, part }))
      )
      yield* reply({ type: "exit", id, exit })
    })
    for (;;) {
      const message = yield* Queue.take(messages)
      if (message === null) return
      switch (message.type) {
        case "ping":
          yield* reply({ type: "pong" })
          break
        case "more":
          yield* work.get(message.id)?.room.release(1) ?? Effect.void
          break
        case "cancel": {
          const one = work.get(message.id)
          if (one !== undefined) yield* Fiber.interruptFork(one.fiber)
          break
        }
        case "ask": {
          const { id, request } = message
          const room = yield* Effect.makeSemaphore(PARTS_AHEAD)
          const fiber = yield* answered(id, request, room).pipe(
            Effect.catchAllCause((cause) => reply({ type: "exit", id, exit: defect(cause) })),
            Effect.ensuring(Effect.sync(() => work.delete(id))),
            Effect.fork
          )
          work.set(id, { fiber, room })
        }
      }
    }
  })

/**
 * Runs a thread's program: it answers requests until asked to exit. `open` prepares the request handler; the first
 * requests wait for it, and the parent receives the reason if it fails. Spans are off, because nothing exports them
 * from here.
 */
export const runThread = <Request, I, E>(
  requests: Schema.Schema<Request, I>,
  open: Effect.Effect<(request: Request) => RequestHandler, E, Scope.Scope>
) =>
  answerUntilEnd(requests, open).pipe(
    Effect.scoped,
    Effect.withTracerEnabled(false),
    // By default the runtime exits after a successful program only once the event loop is empty.
    BunRuntime.runMain({ teardown: (exit) => process.exit(Exit.isSuccess(exit) ? 0 : 1) })
  )

/** How long after a start its memory is released: most libraries' indexes are loaded by then. */
const START_IS_OVER = "5 seconds"

/**
 * Releases, once, the memory that the start of the calling thread leaves behind: garbage, and compiled code that never
 * runs again. The thread then recompiles the code that it needs, so the first request of each kind takes a few
 * milliseconds longer.
 */
export const releaseStartMemory = Effect.forkScoped(
  // Deprecated without a replacement: `Bun.gc` keeps compiled code.
  Effect.delay(
    Effect.sync(() => Bun.shrink()),
    START_IS_OVER
  )
)

/** How much lower the priority of background threads is, in steps of `nice`: ten get a tenth of a contested processor. */
const NICE = 10

/**
 * Lets other threads use the processor before the calling thread and the threads that it starts from now on. On Linux
 * only, where a thread has its own priority: elsewhere the whole program would give way.
 */
export const yieldProcessor: Effect.Effect<void> = Effect.sync(() => {
  if (process.platform !== "linux") return
  try {
    if (getPriority() < NICE) setPriority(0, NICE)
  } catch {
    // A sandbox may forbid it; the thread then runs like the others.
  }
})

/** The URL of a thread's file beside the program itself: in a compiled binary a module's own URL is meaningless. */
export const threadFile = (file: string): string => new URL(file, Bun.pathToFileURL(Bun.main)).href
