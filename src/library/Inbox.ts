import { Cause, Clock, Context, Duration, Effect, Layer, Option, Queue } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { inLane } from "../enrich/fetch/HostLimits.ts"
import { Background } from "../runtime/Background.ts"
import { nextTurn, patiently, urgently } from "../runtime/Scheduling.ts"
import { type Arrival, InboxStore, type Kept, type Waiting } from "../store/inbox/InboxStore.ts"
import { Measure } from "../telemetry/Metrics.ts"

/**
 * Does what an arrival asks for, and marks it done in the same transaction as its effect. With `isSpared` its links are
 * saved by their addresses alone: earlier runs of the program ended while they read them.
 */
export type Handler = (
  waiting: Pick<Waiting, "id" | "key" | "payload">,
  isSpared: boolean
) => Effect.Effect<void, StoreUnavailable>

type Source = Waiting["source"]

/** How many arrivals of a source are worked on at once, so that neither source waits for the other's backlog. */
const PLACES: Record<Source, number> = { chat: 32, capture: 16 }
/** An arrival in hand for longer than this waits for something outside and leaves its place to the next. */
const SLOW_AFTER = Duration.seconds(5)
/** How many arrivals of a source may be in hand beyond its places. */
const MOST_SLOW = 64
/** How long the inbox rests while a lane is full, and at most: the clock may be set back. */
const PAUSE = Duration.seconds(1)
const LONGEST_REST = Duration.minutes(5)
const MAX_ATTEMPTS = 5
/**
 * After how many starts that did not end cleanly a link is saved by its address alone, and after how many its arrival is
 * given up. A start is counted before the work and undone when it ends cleanly: what is left is how often the process died
 * of the work, or beside it.
 */
export const SPARED_AFTER = 2
const GIVEN_UP_AFTER = 3
/** How long a delivery is recognised as a repetition; the chat platform repeats for a day. */
const KEEP_DONE = Duration.days(14)
/** How long an arrival that was given up can be tried again. */
const KEEP_DEAD = Duration.days(90)

/**
 * Takes in what arrives and sees that it is done: at once, after a failure, or after a restart.
 */
export class Inbox extends Context.Tag("Inbox")<
  Inbox,
  {
    /** Returns once the arrival is on disk; its work goes on in the background. */
    readonly keep: (arrival: Arrival) => Effect.Effect<Kept, StoreUnavailable>
    /** Puts every dead arrival back, as if it had just come; how many there were. */
    readonly reviveAll: Effect.Effect<number, StoreUnavailable>
    /** Puts one dead arrival back; false if no arrival has this number. */
    readonly revive: (id: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Works through the inbox for ever, beginning with what an earlier run left. */
    readonly drain: (handlers: Record<Waiting["source"], Handler>) => Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* InboxStore
      const background = yield* Background
      const wake = yield* Queue.sliding<void>(1)
      /** What is in hand, with the time it was taken up at, in milliseconds. */
      const running = new Map<number, { readonly source: Source; readonly since: number }>()
      /** Arrivals whose start was counted as they came, and that are not taken up yet. */
      const promised: Record<Source, number> = { chat: 0, capture: 0 }
      /** Whether an earlier run may have left arrivals in hand; they are worked on one at a time. */
      let hasSuspects = true
      let suspectInHand: number | undefined

      const afterFailure = Effect.fnUntraced(function* (
        waiting: Waiting,
        cause: Cause.Cause<StoreUnavailable>
      ) {
        yield* Measure.inboxFailures.count()
        if (Cause.isFailure(cause) && Cause.failures(cause).length > 0) {
          // The arrival waits where it is: there is no room to write that it failed.
          yield* Effect.logWarning("the library cannot be written, trying again", cause)
          return yield* Effect.sleep("1 second")
        }
        if (waiting.attempts + 1 >= MAX_ATTEMPTS) {
          yield* Effect.logError(`giving up arrival ${waiting.id} after ${MAX_ATTEMPTS} attempts`, cause)
          yield* Measure.inboxGivenUp.count()
          return yield* store.giveUp(waiting.id)
        }
        yield* Effect.logWarning(`arrival ${waiting.id} failed, trying again`, cause)
        yield* store.retry(waiting.id, Duration.seconds(2 ** waiting.attempts))
      })

      const giveUp = Effect.fnUntraced(function* ({ id, starts }: Waiting) {
        yield* Effect.logError(
          `giving up arrival ${id}: the program ended ${starts} times while it had it in hand`
        )
        yield* Measure.inboxGivenUp.count()
        yield* store.giveUp(id)
      })

      const handle = (handlers: Record<Waiting["source"], Handler>, waiting: Waiting) => {
        if (waiting.starts >= GIVEN_UP_AFTER) return giveUp(waiting)
        const isSpared = waiting.starts >= SPARED_AFTER
        const warning = Effect.logWarning(
          `arrival ${waiting.id} is saved by its address alone: the program ended ${waiting.starts} times while it had it in hand`
        )
        return Effect.zipRight(
          Effect.when(warning, () => isSpared),
          handlers[waiting.source](waiting, isSpared)
        )
      }

      const work = (handlers: Record<Waiting["source"], Handler>, waiting: Waiting) =>
        handle(handlers, waiting).pipe(
          Effect.catchAllCause((cause) =>
            Cause.isInterruptedOnly(cause) ? Effect.interrupt : afterFailure(waiting, cause)
          ),
          Effect.ensuring(
            Effect.suspend(() => {
              if (suspectInHand === waiting.id) suspectInHand = undefined
              running.delete(waiting.id)
              return Queue.offer(wake, undefined)
            })
          ),
          inLane(waiting.source),
          // Somebody waits for the answer to a capture.
          waiting.source === "capture" ? urgently : patiently
        )

      const inHand = (source: Source) => [...running.values()].filter((one) => one.source === source)

      /** How many more arrivals of the source may be taken up now. */
      const placesLeft = (source: Source, now: number) => {
        const held = inHand(source)
        const slow = held.filter(({ since }) => now - since >= Duration.toMillis(SLOW_AFTER)).length
        return Math.max(0, PLACES[source] + Math.min(slow, MOST_SLOW) - held.length)
      }

      /** One arrival that an earlier run left in hand, so that the one that ended it is told from those beside it. */
      const nextSuspect = Effect.fnUntraced(function* (except: ReadonlyArray<number>) {
        if (!hasSuspects || suspectInHand !== undefined) return []
        const suspect = yield* store.suspect(except)
        hasSuspects = Option.isSome(suspect)
        return Option.toArray(suspect).flatMap(({ isDue, waiting }) => (isDue ? [waiting] : []))
      })

      /** Takes up what is due in each lane, and gives how long there is nothing more to do. */
      const takeUp = Effect.fnUntraced(function* (handlers: Record<Source, Handler>) {
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
          onNone: () => LONGEST_REST,
          // What is due and was not taken is a suspect behind another: the end of that one wakes the inbox.
          onSome: (rest) => Duration.clamp(rest, { minimum: PAUSE, maximum: LONGEST_REST })
        })
      })

      return {
        keep: Effect.fn("Inbox.keep")(function* (arrival) {
          // What is taken up at once is counted as it is kept; behind a backlog it is counted when its turn comes.
          const { source } = arrival
          const begun = inHand(source).length + promised[source] < PLACES[source]
          if (begun) promised[source]++
          const takenBack = Effect.sync(() => {
            if (begun) promised[source]--
          })
          const kept = yield* Effect.onError(store.keep(arrival, begun), () => takenBack)
          if (kept.repeated) yield* takenBack
          yield* Queue.offer(wake, undefined)
          return kept
        }),
        reviveAll: Effect.zipLeft(store.revive(null), Queue.offer(wake, undefined)),
        revive: Effect.fn("Inbox.revive")((id) =>
          Effect.map(Effect.zipLeft(store.revive(id), Queue.offer(wake, undefined)), (count) => count > 0)
        ),
        drain: (handlers) =>
          takeUp(handlers).pipe(
            Effect.catchAllCause((cause) =>
              Effect.as(Effect.logError("reading the inbox failed", cause), PAUSE)
            ),
            Effect.flatMap((rest) => Effect.timeoutOption(Queue.take(wake), rest)),
            // The acknowledgement goes out before its work begins.
            Effect.zipRight(nextTurn),
            Effect.forever,
            urgently
          )
      }
    })
  )

  /** Forgets, once an hour, arrivals that were done or given up long ago. */
  static readonly housekeeping = Layer.scopedDiscard(
    Effect.gen(function* () {
      const store = yield* InboxStore
      yield* store.prune(KEEP_DONE, KEEP_DEAD).pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("pruning the inbox failed", cause)),
        Effect.zipRight(Effect.sleep("1 hour")),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
}
