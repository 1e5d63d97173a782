import { Clock, Data, Deferred, Duration, Effect, type Exit, FiberId, Queue, Schedule, Schema } from "effect"

/** A thread has died, or does not answer in time, or has too much to do. */
export class ThreadUnavailable extends Data.TaggedError("ThreadUnavailable")<{
  readonly reason: "died" | "slow" | "busy"
}> {}

/** What goes to a thread, and what comes back; null asks it to end. */
interface Question {
  readonly id: number
  readonly request: unknown
}
const Answer = Schema.Struct({ id: Schema.Int, exit: Schema.Unknown })

/** How a thread is run. */
export interface ThreadOptions {
  /** What the log calls it. */
  readonly name: string
  readonly spawn: () => Worker
  /** How many requests may wait, how long one waits once the thread runs, and how long the thread is kept idle. */
  readonly most: number
  readonly patience: Duration.DurationInput
  readonly idle: Duration.DurationInput
}

/** A request as it goes to a thread, with the schemas of its result. */
type Asked<Q, QI, A, AI, E, EI> = Schema.SerializableWithResult<Q, QI, never, A, AI, E, EI, never>

/** A thread that answers requests. */
export interface Thread {
  readonly ask: <Q, QI, A, AI, E, EI>(
    request: Asked<Q, QI, A, AI, E, EI>
  ) => Effect.Effect<A, E | ThreadUnavailable>
  /** Whether it runs just now. */
  readonly isRunning: Effect.Effect<boolean>
}

interface Running {
  readonly worker: Worker
  readonly waiting: Map<number, Deferred.Deferred<unknown, ThreadUnavailable>>
  readonly ready: Deferred.Deferred<void, ThreadUnavailable>
  readonly closed: Deferred.Deferred<void>
}

/** The number of no request: what answers it is the thread's word that it is ready. */
const READY = 0
/** How long a thread may take to start: a slow machine compiles the program first. */
const STARTING = Duration.minutes(1)

/** How long a thread may take to close what it has open. */
const CLOSING = Duration.seconds(2)

/**
 * A supervised thread. It starts with the first request and ends when it has been idle. When it dies, the requests in hand
 * are asked once more in a new one; the rest of the program goes on.
 */
export const makeThread = Effect.fnUntraced(function* ({ idle, most, name, patience, spawn }: ThreadOptions) {
  let running: Running | undefined
  let lastId = 0
  let lastUsed = 0

  const lost = (one: Running) => {
    if (running === one) running = undefined
    const gone = new ThreadUnavailable({ reason: "died" })
    for (const waiting of one.waiting.values()) Deferred.unsafeDone(waiting, Effect.fail(gone))
    Deferred.unsafeDone(one.ready, Effect.fail(gone))
    Deferred.unsafeDone(one.closed, Effect.void)
  }

  /** The running thread, or a new one. In one step: two first requests must not start two. */
  const current = Effect.sync(() => {
    if (running !== undefined) return running
    const one: Running = {
      ready: Deferred.unsafeMake(FiberId.none),
      closed: Deferred.unsafeMake(FiberId.none),
      waiting: new Map(),
      worker: spawn()
    }
    one.worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      const answer = Schema.decodeUnknownOption(Answer)(data)
      if (answer._tag === "None") return
      if (answer.value.id === READY) Deferred.unsafeDone(one.ready, Effect.void)
      const waiting = one.waiting.get(answer.value.id)
      if (waiting !== undefined) Deferred.unsafeDone(waiting, Effect.succeed(answer.value.exit))
    })
    one.worker.addEventListener("error", () => lost(one))
    one.worker.addEventListener("close", () => lost(one))
    running = one
    return one
  })

  const end = (one: Running) =>
    Effect.sync(() => {
      if (running === one) running = undefined
      one.worker.postMessage(null)
    }).pipe(
      Effect.zipRight(Deferred.await(one.closed)),
      Effect.interruptible,
      Effect.timeout(CLOSING),
      Effect.catchAllCause(() => Effect.sync(() => one.worker.terminate()))
    )

  const inTime = <A, E>(work: Effect.Effect<A, E>, duration: Duration.DurationInput) =>
    Effect.timeoutFail(work, { duration, onTimeout: () => new ThreadUnavailable({ reason: "slow" }) })

  const attempt = Effect.fnUntraced(function* <Q, QI, A, AI, E, EI>(request: Asked<Q, QI, A, AI, E, EI>) {
    const one = yield* current
    if (one.waiting.size >= most) return yield* new ThreadUnavailable({ reason: "busy" })
    const answered = yield* Deferred.make<unknown, ThreadUnavailable>()
    const question: Question = { id: ++lastId, request: yield* Effect.orDie(Schema.serialize(request)) }
    one.waiting.set(question.id, answered)
    lastUsed = yield* Clock.currentTimeMillis
    one.worker.postMessage(question)
    const exit = yield* inTime(Deferred.await(one.ready), STARTING).pipe(
      Effect.zipRight(inTime(Deferred.await(answered), patience)),
      Effect.ensuring(Effect.sync(() => one.waiting.delete(question.id)))
    )
    const result: Exit.Exit<A, E> = yield* Effect.orDie(Schema.deserializeExit(request, exit))
    return yield* result
  })

  yield* Effect.addFinalizer(() => (running === undefined ? Effect.void : end(running)))
  const endIdle = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    running !== undefined && running.waiting.size === 0 && now - lastUsed >= Duration.toMillis(idle)
      ? end(running)
      : Effect.void
  )
  yield* Effect.forkScoped(Effect.repeat(endIdle, Schedule.spaced(Duration.times(idle, 0.25))))

  const thread: Thread = {
    isRunning: Effect.sync(() => running !== undefined),
    ask: (request) =>
      attempt(request).pipe(
        Effect.catchIf(
          (error): error is ThreadUnavailable =>
            error instanceof ThreadUnavailable && error.reason === "died",
          () =>
            Effect.zipRight(Effect.logWarning(`The ${name} thread died; asking a new one`), attempt(request))
        )
      )
  }
  return thread
})

/** What the other side sends back for a request: how its effect ended, as the request's schemas write it. */
export const answering = <A, AI, E, EI>(
  request: Schema.WithResult<A, AI, E, EI, never>,
  effect: Effect.Effect<A, E>
): Effect.Effect<unknown> =>
  Effect.flatMap(Effect.exit(effect), (exit) => Effect.orDie(Schema.serializeExit(request, exit)))

/**
 * The other side: answers requests in this thread until it is asked to end. `open` makes what answers them; the first
 * requests may wait for it.
 */
export const answerThread = <Request, I, E, R>(
  requests: Schema.Schema<Request, I>,
  open: Effect.Effect<(request: Request) => Effect.Effect<unknown>, E, R>
) =>
  Effect.gen(function* () {
    const questions = yield* Queue.unbounded<Question | null>()
    self.addEventListener("message", ({ data }: MessageEvent<Question | null>) => {
      questions.unsafeOffer(data)
    })
    const answer = yield* open
    self.postMessage({ id: READY, exit: null })
    const reply = Effect.fnUntraced(function* ({ id, request: sent }: Question) {
      const request = yield* Effect.orDie(Schema.decodeUnknown(requests)(sent))
      self.postMessage({ id, exit: yield* answer(request) })
    })
    for (;;) {
      const question = yield* Queue.take(questions)
      if (question === null) return
      yield* Effect.fork(reply(question))
    }
  })
