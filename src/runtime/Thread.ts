import {
  Chunk,
  type Context,
  Data,
  Deferred,
  Duration,
  Effect,
  Exit,
  FiberId,
  Option,
  Predicate,
  Queue,
  Schedule,
  Schema,
  Stream
} from "effect"

/** The thread died, timed out, or has too many pending requests. `detail` is the cause of death, where known. */
export class ThreadUnavailable extends Data.TaggedError("ThreadUnavailable")<{
  readonly reason: "died" | "slow" | "busy"
  readonly detail?: string
}> {}

/**
 * A service that a thread provides: effects, streams, and functions that return one. Arguments and results are passed as
 * structured clones, failures by their schema.
 */
export interface ThreadService<I, S, E, EI> {
  readonly tag: Context.Tag<I, S>
  readonly failure: Schema.Schema<E, EI>
}

/**
 * A message to a thread: a call, a credit for one more part of a streamed answer, the cancellation of a call, or a
 * liveness check. Null asks the thread to exit.
 */
export type Message =
  | {
      readonly type: "ask"
      readonly id: number
      readonly method: string
      readonly args: ReadonlyArray<unknown>
    }
  | { readonly type: "more" | "cancel"; readonly id: number }
  | { readonly type: "ping" }
  | null

/** An answer to a call: its encoded exit, after the parts of a stream. */
type Answer =
  | { readonly type: "part"; readonly id: number; readonly part: unknown }
  | { readonly type: "exit"; readonly id: number; readonly exit: unknown }

export type Reply =
  | Answer
  | { readonly type: "ready" | "pong" }
  | { readonly type: "failed"; readonly reason: string }

export const exitSchema = <A, AI, E, EI>(success: Schema.Schema<A, AI>, failure: Schema.Schema<E, EI>) =>
  Schema.Exit({ success, failure, defect: Schema.Defect })

const isTrusted = <A>(_value: unknown): _value is A => true

type Outcome<M> = M extends (...args: never) => infer R ? R : M
type ArgumentsOf<M> = M extends (...args: infer Args) => unknown ? Args : []
type SuccessOf<M> =
  Outcome<M> extends Effect.Effect<infer A, infer _> | Stream.Stream<infer A, infer _> ? A : never
/** The names of a service's members that are, or return, a `T`. */
type NamesOf<S, T> = { [K in keyof S & string]: Outcome<S[K]> extends T ? K : never }[keyof S & string]

export interface ThreadOptions {
  readonly name: string
  readonly spawn: () => Worker
  /** The maximum number of pending requests, and the timeout for an answer or for the next part of one. */
  readonly most: number
  readonly patience: Duration.DurationInput
  readonly starting?: Duration.DurationInput
  /** Stops the thread after this long without a request. By default it runs until the scope closes. */
  readonly idle?: Duration.DurationInput
  /** Called with false when the thread dies, and with true each time a thread becomes ready. */
  readonly onChange?: (isAnswering: boolean) => Effect.Effect<void>
}

/**
 * How to retry a stream whose thread died midway. `skip` asks again and drops the parts already emitted; use it for an
 * answer that is the same each time. A predicate allows a retry only if it accepts every part already emitted, which
 * may then be emitted twice.
 */
type Repeat<A> = "skip" | ((part: A) => boolean)

export interface Thread<S, E> {
  readonly start: Effect.Effect<void, ThreadUnavailable>
  readonly ask: <K extends NamesOf<S, Effect.Effect<unknown, unknown>>>(
    method: K,
    ...args: ArgumentsOf<S[K]>
  ) => Effect.Effect<SuccessOf<S[K]>, E | ThreadUnavailable>
  /** Streams an answer; the thread sends at most a few parts ahead. Ending the stream early cancels the work. */
  readonly stream: <K extends NamesOf<S, Stream.Stream<unknown, unknown>>>(
    repeat: Repeat<SuccessOf<S[K]>>,
    method: K,
    ...args: ArgumentsOf<S[K]>
  ) => Stream.Stream<SuccessOf<S[K]>, E | ThreadUnavailable>
  readonly isRunning: Effect.Effect<boolean>
}

interface Waiting {
  readonly id: number
  /** Receives the answers, or why there will be none. */
  readonly receive: (answer: Exit.Exit<Answer, ThreadUnavailable>) => void
  isOpen: boolean
  /** When an only answer is late, in nanoseconds of the clock that does not jump. */
  lateAt: bigint | undefined
}

interface Running {
  readonly worker: Worker
  readonly since: number
  readonly waiting: Map<number, Waiting>
  readonly ready: Deferred.Deferred<void, ThreadUnavailable>
  readonly closed: Deferred.Deferred<void>
  isReady: boolean
  /** Whether a fiber waits for late answers. */
  isWatched: boolean
  heard: number
  isEnding: boolean
  detail: string | undefined
}

/** The default startup timeout: a slow machine has to compile the program first. */
const START_TIMEOUT = Duration.minutes(1)
const CLOSE_TIMEOUT = Duration.seconds(2)

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
export const makeThread = Effect.fnUntraced(function* <I, S, E, EI>(
  { failure }: ThreadService<I, S, E, EI>,
  options: ThreadOptions
) {
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

  const settle = (waiting: Waiting, answer: Exit.Exit<Answer, ThreadUnavailable>) => {
    if (Exit.isFailure(answer) || answer.value.type === "exit") waiting.isOpen = false
    waiting.receive(answer)
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
    for (const waiting of one.waiting.values()) settle(waiting, Exit.fail(error))
    Deferred.unsafeDone(one.ready, Exit.fail(error))
    Deferred.unsafeDone(one.closed, Exit.void)
  }

  const receive = (one: Running, reply: Reply) => {
    one.heard++
    switch (reply.type) {
      case "ready":
        one.isReady = true
        Deferred.unsafeDone(one.ready, Exit.void)
        changes.unsafeOffer("ready")
        return
      case "failed":
        one.detail = reply.reason
        return
      case "pong":
        return
      default: {
        const waiting = one.waiting.get(reply.id)
        if (waiting !== undefined) settle(waiting, Exit.succeed(reply))
      }
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
      isReady: false,
      isWatched: false,
      isEnding: false,
      detail: undefined
    }
    one.worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => receive(one, data))
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

  const awaitReady = (one: Running) =>
    Effect.suspend(() => (one.isReady ? Effect.void : withTimeout(Deferred.await(one.ready), starting)))

  /** Calls a method; the release cancels an unfinished call. */
  const open = (
    method: string,
    args: ReadonlyArray<unknown>,
    receive: Waiting["receive"]
  ): Effect.Effect<readonly [Running, Waiting], ThreadUnavailable> =>
    Effect.flatMap(current, (one) => {
      if (one.waiting.size >= most) return new ThreadUnavailable({ reason: "busy" })
      const waiting: Waiting = { id: ++lastId, receive, isOpen: true, lateAt: undefined }
      one.waiting.set(waiting.id, waiting)
      lastUsed = now()
      return Effect.as(send(one, { type: "ask", id: waiting.id, method, args }), [one, waiting] as const)
    })
  const close = ([one, { id, isOpen }]: readonly [Running, Waiting]) =>
    Effect.suspend(() => {
      one.waiting.delete(id)
      lastUsed = now()
      return isOpen ? send(one, { type: "cancel", id }) : Effect.void
    })

  /** Calls a method and queues its answers until the scope closes. */
  const openCall = Effect.fnUntraced(function* (method: string, args: ReadonlyArray<unknown>) {
    const answers = yield* Queue.unbounded<Exit.Exit<Answer, ThreadUnavailable>>()
    const [one, { id }] = yield* Effect.acquireRelease(
      open(method, args, (answer) => answers.unsafeOffer(answer)),
      close
    )
    yield* watched(one, awaitReady(one))
    return {
      next: watched(one, Effect.flatten(withTimeout(Queue.take(answers), patience))),
      more: send(one, { type: "more", id })
    }
  })

  const failLate = (one: Running): Effect.Effect<void> =>
    Effect.suspend(() => {
      const pending = [...one.waiting.values()].flatMap((waiting) =>
        waiting.lateAt === undefined ? [] : [{ waiting, lateAt: waiting.lateAt }]
      )
      const [first] = pending
      if (first === undefined) {
        one.isWatched = false
        return Effect.void
      }
      const left = first.lateAt - clock.unsafeCurrentTimeNanos()
      if (left > 0n) return Effect.zipRight(Effect.sleep(Duration.nanos(left)), failLate(one))
      first.waiting.lateAt = undefined
      first.waiting.receive(Exit.fail(new ThreadUnavailable({ reason: "slow" })))
      return Effect.zipRight(Effect.forkIn(endIfStuck(one), scope), failLate(one))
    })

  /**
   * Has a fiber fail the call if its answer is late: the same for all calls, because a timer and two forks for each would
   * cost more than the message.
   */
  const expectSoon = (one: Running, waiting: Waiting) =>
    Effect.suspend(() => {
      waiting.lateAt = clock.unsafeCurrentTimeNanos() + BigInt(Math.ceil(Duration.toMillis(patience) * 1e6))
      if (one.isWatched) return Effect.void
      one.isWatched = true
      return Effect.forkIn(failLate(one), scope)
    })

  // Made once: a schema costs more than a message.
  const decode = Schema.decodeUnknown(exitSchema(Schema.Unknown, failure))
  const decodeExit = <A>(exit: unknown): Effect.Effect<A, E> =>
    Effect.filterOrDie(
      Predicate.hasProperty(exit, "value")
        ? Effect.succeed(exit.value)
        : Effect.flatten(Effect.orDie(decode(exit))),
      isTrusted<A>,
      () => "unreachable"
    )

  const attempt = <A>(method: string, args: ReadonlyArray<unknown>) =>
    Effect.suspend(() => {
      const answer = Deferred.unsafeMake<Answer, ThreadUnavailable>(FiberId.none)
      return Effect.acquireUseRelease(
        open(method, args, (exit) => Deferred.unsafeDone(answer, exit)),
        ([one, waiting]) =>
          watched(one, awaitReady(one)).pipe(
            Effect.zipRight(expectSoon(one, waiting)),
            Effect.zipRight(Deferred.await(answer))
          ),
        close
      )
    }).pipe(Effect.flatMap((answer) => decodeExit<A>(answer.type === "exit" ? answer.exit : null)))

  const attemptStream = <A>(method: string, args: ReadonlyArray<unknown>) =>
    openCall(method, args).pipe(
      Effect.map(({ more, next }) => {
        const part = Effect.gen(function* () {
          const answer = yield* Effect.mapError(next, Option.some)
          if (answer.type === "exit") {
            yield* Effect.mapError(decodeExit(answer.exit), Option.some)
            return yield* Effect.fail(Option.none())
          }
          yield* more
          return isTrusted<A>(answer.part) ? Chunk.of(answer.part) : Chunk.empty<A>()
        })
        return Stream.repeatEffectChunkOption<A, E | ThreadUnavailable, never>(part)
      }),
      Stream.unwrapScoped
    )

  const warnRetry = Effect.logWarning(`The ${name} thread died; retrying in a new one`)
  const hasDied = (error: unknown): error is ThreadUnavailable =>
    error instanceof ThreadUnavailable && error.reason === "died"

  const thread: Thread<S, E> = {
    isRunning: Effect.sync(() => running !== undefined),
    start: Effect.flatMap(current, awaitReady),
    ask: <K extends keyof S & string>(method: K, ...args: ArgumentsOf<S[K]>) => {
      const asked = attempt<SuccessOf<S[K]>>(method, args)
      return Effect.catchIf(asked, hasDied, () => Effect.zipRight(warnRetry, asked))
    },
    stream: <K extends keyof S & string>(
      repeat: Repeat<SuccessOf<S[K]>>,
      method: K,
      ...args: ArgumentsOf<S[K]>
    ) =>
      Stream.suspend(() => {
        const asked = attemptStream<SuccessOf<S[K]>>(method, args)
        let count = 0
        let mayRepeat = true
        const counted = Stream.map(asked, (part) => {
          count++
          mayRepeat &&= repeat === "skip" || repeat(part)
          return part
        })
        return Stream.catchAll(counted, (error) => {
          if (!hasDied(error) || !mayRepeat) return Stream.fail(error)
          const repeated = Stream.unwrap(Effect.as(warnRetry, asked))
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
        // A timeout may interrupt a take that was just given a change, which is lost: the thread itself tells whether it is up.
        if (running?.isReady !== true) return true
      }
      const isLost = Option.isSome(change) && change.value === "lost"
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

/**
 * Returns a function that starts a thread of this program. `Thread.ts`, beside the program's main file, is the program of
 * all threads; in a compiled binary a module's own URL is meaningless.
 */
export const threadOf =
  (work: string, argument = "") =>
  () =>
    new Worker(new URL("./Thread.ts", Bun.pathToFileURL(Bun.main)), { argv: [work, argument], smol: true })
