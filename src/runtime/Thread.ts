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

/** A thread has died, does not answer in time, or has too many requests. `detail` is what it said of its death. */
export class ThreadUnavailable extends Data.TaggedError("ThreadUnavailable")<{
  readonly reason: "died" | "slow" | "busy"
  readonly detail?: string
}> {}

/**
 * What a thread is sent: a request, room for one more part of a streamed answer, the end of a request whose caller has
 * gone, a sign of life to give; null asks it to end.
 */
type Message =
  | { readonly type: "ask"; readonly id: number; readonly request: unknown }
  | { readonly type: "more" | "cancel"; readonly id: number }
  | { readonly type: "ping" }
  | null

/** The messages of a thread. The `exit` of a stream that has ended well is null. */
const Reply = Schema.Union(
  Schema.Struct({ type: Schema.Literal("ready", "pong") }),
  Schema.Struct({ type: Schema.Literal("failed"), reason: Schema.String }),
  Schema.Struct({ type: Schema.Literal("part"), id: Schema.Int, part: Schema.Unknown }),
  Schema.Struct({ type: Schema.Literal("exit"), id: Schema.Int, exit: Schema.Unknown })
)
type Reply = typeof Reply.Type
type Answer = Extract<Reply, { readonly id: number }>

/** How a thread is run. */
export interface ThreadOptions {
  /** The name of the thread in the log. */
  readonly name: string
  readonly spawn: () => Worker
  /** How many requests may wait, and how long one waits for an answer, or for the next part of one. */
  readonly most: number
  readonly patience: Duration.DurationInput
  /** How long the thread may take to start. A minute unless it is given. */
  readonly starting?: Duration.DurationInput
  /** How long the thread is kept without a request. Unless it is given, until the scope closes. */
  readonly idle?: Duration.DurationInput
  /** Called when the thread dies, and when a new one is ready. */
  readonly onChange?: (isAnswering: boolean) => Effect.Effect<void>
}

/** A request as it goes to a thread, with the schemas of its result. */
type Asked<Q, QI, A, AI, E, EI> = Schema.SerializableWithResult<Q, QI, never, A, AI, E, EI, never>

/**
 * What to do when a thread dies in the middle of a stream: ask once more and skip the parts that were handed on, for an
 * answer that is the same each time; or ask once more while each part handed on may come twice.
 */
type Repeat<A> = "skip" | ((part: A) => boolean)

/** A thread that answers requests. */
export interface Thread {
  /** Starts the thread and waits until it is ready. */
  readonly start: Effect.Effect<void, ThreadUnavailable>
  readonly ask: <Q, QI, A, AI, E, EI>(
    request: Asked<Q, QI, A, AI, E, EI>
  ) => Effect.Effect<A, E | ThreadUnavailable>
  /** The parts of an answer, of which the thread sends few ahead. Ending the stream early ends the work. */
  readonly stream: <Q, QI, A, AI, E, EI>(
    request: Asked<Q, QI, A, AI, E, EI>,
    repeat: Repeat<A>
  ) => Stream.Stream<A, E | ThreadUnavailable>
  /** Whether it runs just now. */
  readonly isRunning: Effect.Effect<boolean>
}

/** Where the answer to a request goes. */
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
  /** How many messages have come from it. */
  heard: number
  isEnding: boolean
  /** Why it says that it cannot go on. */
  detail: string | undefined
}

/** How long a thread may take to start: a slow machine compiles the program first. */
const STARTING = Duration.minutes(1)
/** How long a thread may take to close what it has open. */
const CLOSING = Duration.seconds(2)
/** How many parts of a streamed answer are on their way at once. */
const AHEAD = 4

/** Deaths in a row after which a new thread starts at once: a request that kills its thread is asked twice. */
const FREE_DEATHS = 2
/** A thread that has lived this long has not died in a row with those before it. */
const STEADY = Duration.toMillis("1 minute")
/** The pauses between deaths and new threads, in milliseconds. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000
const pauseAfter = (deaths: number) =>
  deaths <= FREE_DEATHS ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (deaths - FREE_DEATHS - 1))

/**
 * A supervised thread. It starts with the first request, or with `start`, and ends when it has been idle and at the end of
 * the scope. When it dies, the requests in hand are asked once more in a new one; the rest of the program goes on. A thread
 * that stops reacting is ended. A new thread starts at once, or after a growing pause if its predecessors died quickly.
 */
export const makeThread = Effect.fnUntraced(function* (options: ThreadOptions) {
  const { idle, most, name, patience, spawn } = options
  const starting = options.starting ?? STARTING
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

  /** How long until a new thread may start, in milliseconds. A clock set back does not prolong it. */
  const pauseLeft = () => {
    const passed = now() - lastDeath
    return passed < 0 ? 0 : Math.max(0, pauseAfter(deaths) - passed)
  }

  const lost = (one: Running, detail?: string) => {
    if (running === one) {
      running = undefined
      if (!one.isEnding) {
        deaths = now() - one.since >= STEADY ? 1 : deaths + 1
        lastDeath = now()
        changes.unsafeOffer("lost")
      }
    }
    const said = one.detail ?? detail
    const gone = new ThreadUnavailable({ reason: "died", ...(said === undefined ? {} : { detail: said }) })
    for (const waiting of one.waiting.values()) waiting.lost(gone)
    Deferred.unsafeDone(one.ready, Exit.fail(gone))
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

  const begin = () => {
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
      lost(one, message)
      one.worker.terminate()
    })
    one.worker.addEventListener("close", () => lost(one))
    lastUsed = now()
    running = one
    return one
  }

  /** The running thread, or a new one. In one step: two first requests must not start two. */
  const current = Effect.suspend((): Effect.Effect<Running, ThreadUnavailable> => {
    if (running !== undefined) return Effect.succeed(running)
    if (isClosed || pauseLeft() > 0) return new ThreadUnavailable({ reason: "died" })
    return Effect.try({
      try: begin,
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
      Effect.timeout(CLOSING),
      Effect.catchAllCause(() => Effect.sync(() => one.worker.terminate()))
    )

  const inTime = <A, E>(work: Effect.Effect<A, E>, duration: Duration.DurationInput) =>
    Effect.timeoutFail(work, { duration, onTimeout: () => new ThreadUnavailable({ reason: "slow" }) })

  /** Ends a thread that gives no sign of life: its event loop stands still, and nothing can be asked of it. */
  const endIfStuck = Effect.fnUntraced(function* (one: Running) {
    const before = one.heard
    yield* send(one, { type: "ping" })
    yield* Effect.sleep(patience)
    if (one.heard > before || running !== one) return
    yield* Effect.logError(`The ${name} thread does not react and is ended`)
    lost(one)
    one.worker.terminate()
  })
  const watched = <A, E>(one: Running, work: Effect.Effect<A, E | ThreadUnavailable>) =>
    Effect.tapError(work, (error) =>
      error instanceof ThreadUnavailable && error.reason === "slow"
        ? Effect.forkIn(endIfStuck(one), scope)
        : Effect.void
    )

  const isReady = (one: Running) => inTime(Deferred.await(one.ready), starting)

  /** Asks a request for as long as the scope lasts; the answers go to a queue. */
  const asking = Effect.fnUntraced(function* <Q, QI, A, AI, E, EI>(request: Asked<Q, QI, A, AI, E, EI>) {
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
    yield* watched(one, isReady(one))
    return {
      next: watched(one, Effect.flatten(inTime(Queue.take(answers), patience))),
      more: send(one, { type: "more", id })
    }
  })

  const attempt = <Q, QI, A, AI, E, EI>(request: Asked<Q, QI, A, AI, E, EI>) =>
    Effect.gen(function* () {
      const { next } = yield* asking(request)
      const answer = yield* next
      const exit = answer.type === "exit" ? answer.exit : null
      const result: Exit.Exit<A, E> = yield* Effect.orDie(Schema.deserializeExit(request, exit))
      return yield* result
    }).pipe(Effect.scoped)

  const attemptStream = <Q, QI, A, AI, E, EI>(request: Asked<Q, QI, A, AI, E, EI>) =>
    asking(request).pipe(
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

  const again = Effect.logWarning(`The ${name} thread died; asking a new one`)
  const hasDied = (error: unknown): error is ThreadUnavailable =>
    error instanceof ThreadUnavailable && error.reason === "died"

  const thread: Thread = {
    isRunning: Effect.sync(() => running !== undefined),
    start: Effect.flatMap(current, isReady),
    ask: (request) =>
      Effect.catchIf(attempt(request), hasDied, () => Effect.zipRight(again, attempt(request))),
    stream: <Q, QI, A, AI, E, EI>(request: Asked<Q, QI, A, AI, E, EI>, repeat: Repeat<A>) =>
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
          const repeated = Stream.unwrap(Effect.as(again, attemptStream(request)))
          return repeat === "skip" ? Stream.drop(repeated, count) : repeated
        })
      })
  }

  /** Reports deaths and recoveries, and starts a new thread without waiting for a request. */
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

/** The encoded exit of work that had a bug, which any request's schemas can decode. */
const defect = (cause: Cause.Cause<unknown>) => ({
  _tag: "Failure",
  cause: { _tag: "Die", defect: Cause.pretty(cause) }
})

/** The work that a thread does for a request: it may send parts, and returns the encoded exit. */
export type Answering = (send: (part: unknown) => Effect.Effect<void>) => Effect.Effect<unknown>

/** Answers a request with what an effect ends with, as the request's schemas write it. */
export const answering =
  <A, AI, E, EI>(request: Schema.WithResult<A, AI, E, EI, never>, effect: Effect.Effect<A, E>): Answering =>
  () =>
    Effect.flatMap(Effect.exit(effect), (exit) => Effect.orDie(Schema.serializeExit(request, exit)))

/** Answers a request with each element of a stream, as the request's schemas write it. */
export const streaming =
  <A, AI, E, EI>(request: Schema.WithResult<A, AI, E, EI, never>, stream: Stream.Stream<A, E>): Answering =>
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
  open: Effect.Effect<(request: Request) => Answering, E, R>
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
          const room = yield* Effect.makeSemaphore(AHEAD)
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
 * The program of a thread: answers requests until it is asked to end. `open` prepares the function that answers them; the
 * first requests wait for it, and the service learns why it fails. Spans are off: nothing exports them from here.
 */
export const runThread = <Request, I, E>(
  requests: Schema.Schema<Request, I>,
  open: Effect.Effect<(request: Request) => Answering, E, Scope.Scope>
) =>
  answerUntilEnd(requests, open).pipe(
    Effect.scoped,
    Effect.withTracerEnabled(false),
    // By itself the runtime ends a thread whose program succeeds only when its event loop is empty.
    BunRuntime.runMain({ teardown: (exit) => process.exit(Exit.isSuccess(exit) ? 0 : 1) })
  )
