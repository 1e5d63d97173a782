import { Cause, Clock, Data, Duration, Effect, Option } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { inLane } from "../enrich/fetch/HostLimits.ts"
import { Background } from "../runtime/Background.ts"
import { withBackgroundPriority, withUrgentPriority, yieldToEventLoop } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { type Arrival, InboxStore, type WaitingArrival } from "../store/inbox/InboxStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"

/** A retry would fail the same way. */
export class UnreadableArrival extends Data.TaggedError("UnreadableArrival")<{ readonly id: number }> {}

/** Done in the transaction of its effect. `skipReading`: earlier runs ended while reading its pages. */
export type Handler = (
  waiting: Pick<WaitingArrival, "id" | "key" | "payload">,
  skipReading: boolean
) => Effect.Effect<void, StoreUnavailable | UnreadableArrival>

type Source = WaitingArrival["source"]

/** Concurrent arrivals of a source; no source waits for the other's backlog. */
const PLACES: Record<Source, number> = { chat: 32, capture: 16 }
/** Slower arrivals wait for an external service and free their place. */
const SLOW_AFTER = Duration.seconds(5)
/** Slow arrivals of a source beyond its places. */
const MAX_SLOW = 64
/** Rest while a lane is full and after a first error; also the shortest rest. */
const PAUSE = Duration.seconds(1)
const MAX_PAUSE = Duration.seconds(30)
/** The clock may be set back. */
const MAX_REST = Duration.minutes(5)
const MAX_ATTEMPTS = 5
/** Starts are counted before the work and uncounted after it, so these are deaths of the process during it. */
export const SKIP_READING_AFTER = 2
/** Unfinished starts after which an arrival is given up. */
const GIVEN_UP_AFTER = 3

const make = Effect.gen(function* () {
  const store = yield* InboxStore
  const transaction = yield* Transaction
  const background = yield* Background
  const { run, wake } = yield* makeWorkLoop
  /** With the start time in milliseconds. */
  const running = new Map<number, { readonly source: Source; readonly since: number }>()
  /** Arrivals whose start was counted when they were stored, and that have not started. */
  const promised: Record<Source, number> = { chat: 0, capture: 0 }
  /** An earlier run may have left arrivals in progress; these run one at a time. */
  let hasSuspects = true
  let suspectInHand: number | undefined
  /** Arrivals refused by the library since one was processed. */
  let refusals = 0

  const afterFailure = Effect.fnUntraced(function* (
    waiting: WaitingArrival,
    cause: Cause.Cause<StoreUnavailable | UnreadableArrival>
  ) {
    yield* Measure.inboxFailures.count()
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    if (failure?._tag === "StoreUnavailable") {
      // While the library cannot be written, the failure cannot be recorded either.
      if (refusals === 0) yield* Effect.logWarning(`arrivals wait until they can be saved: ${failure.what}`)
      return yield* Effect.sleep(Duration.min(Duration.times(PAUSE, 2 ** refusals++), MAX_PAUSE))
    }
    if (failure !== undefined || waiting.attempts + 1 >= MAX_ATTEMPTS) {
      const why = failure === undefined ? `after ${MAX_ATTEMPTS} attempts` : "because it cannot be read"
      yield* Effect.logError(`giving up arrival ${waiting.id} ${why}`, cause)
      yield* Measure.inboxGivenUp.count()
      return yield* store.giveUp(waiting.id)
    }
    yield* Effect.logWarning(`arrival ${waiting.id} failed; retrying`, cause)
    yield* store.retry(waiting.id, Duration.seconds(2 ** waiting.attempts))
  })

  const giveUp = Effect.fnUntraced(function* ({ id, starts }: WaitingArrival) {
    yield* Effect.logError(`giving up arrival ${id}: the program ended ${starts} times while processing it`)
    yield* Measure.inboxGivenUp.count()
    yield* store.giveUp(id)
  })

  const handle = (handlers: Record<WaitingArrival["source"], Handler>, waiting: WaitingArrival) => {
    if (waiting.starts >= GIVEN_UP_AFTER) return giveUp(waiting)
    const skipReading = waiting.starts >= SKIP_READING_AFTER
    const warning = Effect.logWarning(
      `arrival ${waiting.id} is saved without reading its pages: the program ended ${waiting.starts} times while processing it`
    )
    return Effect.zipRight(
      Effect.when(warning, () => skipReading),
      handlers[waiting.source](waiting, skipReading)
    )
  }

  const work = (handlers: Record<WaitingArrival["source"], Handler>, waiting: WaitingArrival) =>
    handle(handlers, waiting).pipe(
      Effect.tap(() => {
        refusals = 0
      }),
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause) ? Effect.interrupt : afterFailure(waiting, cause)
      ),
      Effect.ensuring(
        Effect.suspend(() => {
          if (suspectInHand === waiting.id) suspectInHand = undefined
          running.delete(waiting.id)
          return wake
        })
      ),
      inLane(waiting.source),
      // A client waits for the response.
      waiting.source === "capture" ? withUrgentPriority : withBackgroundPriority
    )

  const inProgress = (source: Source) => [...running.values()].filter((one) => one.source === source)

  const placesLeft = (source: Source, now: number) => {
    const held = inProgress(source)
    const slow = held.filter(({ since }) => now - since >= Duration.toMillis(SLOW_AFTER)).length
    return Math.max(0, PLACES[source] + Math.min(slow, MAX_SLOW) - held.length)
  }

  /** One at a time, to show which one ended the program. */
  const nextSuspect = Effect.fnUntraced(function* (except: ReadonlyArray<number>) {
    if (!hasSuspects || suspectInHand !== undefined) return []
    const suspect = yield* store.suspect(except)
    hasSuspects = Option.isSome(suspect)
    return Option.toArray(suspect).flatMap(({ isDue, waiting }) => (isDue ? [waiting] : []))
  })

  /** Returns how long the inbox can rest. */
  const startDue = Effect.fnUntraced(function* (handlers: Record<Source, Handler>) {
    const now = yield* Clock.currentTimeMillis
    const left = { chat: placesLeft("chat", now), capture: placesLeft("capture", now) }
    const ids = [...running.keys()]
    const suspects = yield* nextSuspect(ids)
    const taken = [...suspects]
    let isFull = false
    for (const source of ["capture", "chat"] as const) {
      const places = left[source] - suspects.filter((one) => one.source === source).length
      const due = places > 0 ? yield* store.due(source, places, ids) : []
      taken.push(...due)
      isFull ||= due.length >= places
    }
    const uncounted = taken.filter(({ isBegun }) => !isBegun).map(({ id }) => id)
    if (uncounted.length > 0) yield* store.begin(uncounted)
    suspectInHand ??= suspects[0]?.id
    for (const { id, isBegun, source } of taken) {
      if (isBegun) promised[source] = Math.max(0, promised[source] - 1)
      running.set(id, { source, since: now })
    }
    yield* Effect.forEach(taken, (waiting) => background.run("Inbox.work", work(handlers, waiting)), {
      discard: true
    })
    if (isFull) return PAUSE
    return Option.match(yield* store.untilDue([...running.keys()]), {
      onNone: () => MAX_REST,
      // A due arrival that did not start waits for a suspect, whose end wakes the inbox.
      onSome: (rest) => Duration.clamp(rest, { minimum: PAUSE, maximum: MAX_REST })
    })
  })

  return {
    enqueue: Effect.fn("Inbox.enqueue")(function* (arrival: Arrival) {
      // Counted as it is stored if it starts at once, otherwise at its turn.
      const { source } = arrival
      const begun = inProgress(source).length + promised[source] < PLACES[source]
      if (begun) promised[source]++
      const uncount = Effect.sync(() => {
        if (begun) promised[source]--
      })
      const kept = yield* Effect.onError(store.keep(arrival, begun), () => uncount)
      if (kept.repeated) yield* uncount
      yield* wake
      return kept
    }),
    /** Marks the arrival done in the transaction of its last work. */
    settle: <A, E>(id: number, work: Effect.Effect<A, E>) =>
      orDefect(transaction(Effect.zipLeft(work, store.done(id)))),
    /** Puts every dead arrival back; returns how many. */
    reviveAll: Effect.zipLeft(store.revive(null), wake),
    /** False if no dead arrival has this number. */
    revive: Effect.fn("Inbox.revive")((id: number) =>
      Effect.map(Effect.zipLeft(store.revive(id), wake), (count) => count > 0)
    ),
    forget: store.forget,
    wake,
    /** Starts with what an earlier run left. */
    drain: (handlers: Record<WaitingArrival["source"], Handler>) =>
      // The acknowledgement goes out before the work begins.
      Effect.zipRight(yieldToEventLoop, startDue(handlers)).pipe(
        (pass) => run(pass, { name: "reading the inbox", backoff: { first: PAUSE, most: MAX_PAUSE } }),
        withUrgentPriority
      )
  }
})

export class Inbox extends Service<Inbox>()("Inbox", make) {}
