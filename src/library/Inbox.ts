import { Cause, Clock, Context, Data, Duration, Effect, Layer, Option } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { inLane } from "../enrich/fetch/HostLimits.ts"
import { Background } from "../runtime/Background.ts"
import { makeDrain } from "../runtime/Drain.ts"
import { withBackgroundPriority, withUrgentPriority, yieldToEventLoop } from "../runtime/Scheduling.ts"
import { type Arrival, InboxStore, type WaitingArrival } from "../store/inbox/InboxStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"

/** A stored arrival that its handler cannot read, so that a retry would fail the same way. */
export class UnreadableArrival extends Data.TaggedError("UnreadableArrival")<{ readonly id: number }> {}

/**
 * Processes an arrival and marks it done in the same transaction as its effect. With `isSpared` it reads no pages of
 * its links, because earlier runs of the program ended while reading them.
 */
export type Handler = (
  waiting: Pick<WaitingArrival, "id" | "key" | "payload">,
  isSpared: boolean
) => Effect.Effect<void, StoreUnavailable | UnreadableArrival>

type Source = WaitingArrival["source"]

/** How many arrivals of a source are processed concurrently, so that neither source waits for the other's backlog. */
const PLACES: Record<Source, number> = { chat: 32, capture: 16 }
/** An arrival that takes longer than this is waiting for an external service and frees its place for the next one. */
const SLOW_AFTER = Duration.seconds(5)
/** How many slow arrivals of a source may run beyond its places. */
const MAX_SLOW = 64
/** How long the inbox rests while a lane is full, and after a first error; also its shortest rest otherwise. */
const PAUSE = Duration.seconds(1)
/** Longest pause after an error. */
const MAX_PAUSE = Duration.seconds(30)
/** Longest rest of the inbox, because the clock may be set back. */
const MAX_REST = Duration.minutes(5)
const MAX_ATTEMPTS = 5
/**
 * Number of unfinished starts after which a link is saved by what came with it, without reading its page. A start is
 * counted before the work and uncounted when the work ends cleanly, so the count says how often the process died during
 * the work, because of it or not.
 */
export const SKIP_READING_AFTER = 2
/** Number of unfinished starts after which an arrival is given up. */
const GIVEN_UP_AFTER = 3

const make = Effect.gen(function* () {
  const store = yield* InboxStore
  const transaction = yield* Transaction
  const background = yield* Background
  const { run, wake } = yield* makeDrain
  /** Arrivals in progress, with their start time in milliseconds. */
  const running = new Map<number, { readonly source: Source; readonly since: number }>()
  /** Number of arrivals whose start was counted when they were stored, and that have not started yet. */
  const promised: Record<Source, number> = { chat: 0, capture: 0 }
  /** Whether an earlier run may have left arrivals in progress; these are processed one at a time. */
  let hasSuspects = true
  let suspectInHand: number | undefined
  /** Number of arrivals that the library has refused since one was processed. */
  let refusals = 0

  const afterFailure = Effect.fnUntraced(function* (
    waiting: WaitingArrival,
    cause: Cause.Cause<StoreUnavailable | UnreadableArrival>
  ) {
    yield* Measure.inboxFailures.count()
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    if (failure?._tag === "StoreUnavailable") {
      // The arrival stays as it is: its failure cannot be recorded while the library cannot be written.
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
    const isSpared = waiting.starts >= SKIP_READING_AFTER
    const warning = Effect.logWarning(
      `arrival ${waiting.id} is saved without reading its pages: the program ended ${waiting.starts} times while processing it`
    )
    return Effect.zipRight(
      Effect.when(warning, () => isSpared),
      handlers[waiting.source](waiting, isSpared)
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
      // A client waits for the response to a capture.
      waiting.source === "capture" ? withUrgentPriority : withBackgroundPriority
    )

  const inProgress = (source: Source) => [...running.values()].filter((one) => one.source === source)

  /** Returns how many more arrivals of the source may start now. */
  const placesLeft = (source: Source, now: number) => {
    const held = inProgress(source)
    const slow = held.filter(({ since }) => now - since >= Duration.toMillis(SLOW_AFTER)).length
    return Math.max(0, PLACES[source] + Math.min(slow, MAX_SLOW) - held.length)
  }

  /**
   * Returns one arrival that an earlier run left in progress: processing them one at a time shows which one ended
   * the program.
   */
  const nextSuspect = Effect.fnUntraced(function* (except: ReadonlyArray<number>) {
    if (!hasSuspects || suspectInHand !== undefined) return []
    const suspect = yield* store.suspect(except)
    hasSuspects = Option.isSome(suspect)
    return Option.toArray(suspect).flatMap(({ isDue, waiting }) => (isDue ? [waiting] : []))
  })

  /** Starts the due arrivals of each lane; returns how long the inbox can rest. */
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
      // A due arrival that did not start is a suspect behind another one, whose end wakes the inbox.
      onSome: (rest) => Duration.clamp(rest, { minimum: PAUSE, maximum: MAX_REST })
    })
  })

  return {
    /** Returns once the arrival is on disk; its work continues in the background. */
    enqueue: Effect.fn("Inbox.enqueue")(function* (arrival: Arrival) {
      // An arrival that starts at once is counted as it is stored; behind a backlog it is counted when its turn
      // comes.
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
    /** Runs an arrival's last work and marks the arrival done, in one transaction or the caller's. */
    settle: <A, E>(id: number, work: Effect.Effect<A, E>) =>
      orDefect(transaction(Effect.zipLeft(work, store.done(id)))),
    /** Puts every dead arrival back, as if it had just come; returns how many there were. */
    reviveAll: Effect.zipLeft(store.revive(null), wake),
    /** Puts one dead arrival back; returns false if no dead arrival has this number. */
    revive: Effect.fn("Inbox.revive")((id: number) =>
      Effect.map(Effect.zipLeft(store.revive(id), wake), (count) => count > 0)
    ),
    /** Deletes one dead arrival; returns false if no dead arrival has this number. */
    forget: store.forget,
    /** Reports that arrivals are back in the queue. */
    wake,
    /** Processes the inbox continuously, starting with what an earlier run left. */
    drain: (handlers: Record<WaitingArrival["source"], Handler>) =>
      // Lets the acknowledgement go out before the work begins.
      Effect.zipRight(yieldToEventLoop, startDue(handlers)).pipe(
        (round) => run(round, { name: "reading the inbox", backoff: { first: PAUSE, most: MAX_PAUSE } }),
        withUrgentPriority
      )
  }
})

/** Stores arrivals and processes each of them: immediately, after a failure, or after a restart. */
export class Inbox extends Context.Tag("Inbox")<Inbox, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
