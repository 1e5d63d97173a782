import { Duration, Effect, Option, Schedule } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { every } from "../runtime/WorkLoop.ts"
import { InboxStore } from "../store/inbox/InboxStore.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { Erasure } from "../store/maintenance/Erasure.ts"
import { EditLinks } from "./EditLinks.ts"
import { Events } from "./Events.ts"

/** How often the write-ahead log is emptied without a deletion. */
const REGULAR = Duration.minutes(1)
/** Deletions within this time are erased together. */
const GATHER = Duration.seconds(2)
const PRUNE = Duration.hours(1)
/** How long a repeated delivery is recognized; the chat platform redelivers for a day. */
const KEEP_DONE = Duration.days(14)
/** How long a dead arrival can be retried. */
const KEEP_DEAD = Duration.days(90)
/** Links deleted from the trash in one transaction. */
const EXPIRED = 100
/** Largest share of time for merging the indexes. */
const SHARE = 1 / 20
/** At once and after 1, 2, 4 … seconds: pictures, replies and vectors follow a deletion, and a reader may interfere. */
const emptyingTimes = Schedule.exponential(Duration.seconds(1)).pipe(Schedule.intersect(Schedule.recurs(5)))

const make = Effect.gen(function* () {
  const changes = yield* ChangeStore
  const edits = yield* EditLinks
  const erasure = yield* Erasure
  const events = yield* Events
  const inbox = yield* InboxStore

  const logged = <A>(what: string, work: Effect.Effect<A, StoreUnavailable>) =>
    Effect.option(Effect.tapErrorCause(work, (cause) => Effect.logWarning(`${what} failed`, cause))).pipe(
      Effect.catchAllCause(() => Effect.succeedNone)
    )
  const emptyLog = logged("emptying the database's log", erasure.emptyLog)
  const merge = logged("merging the search indexes", erasure.mergeIndexes)
  const emptyTrash = Effect.gen(function* () {
    while ((yield* edits.removeExpired(EXPIRED)) === EXPIRED) yield* awaitQuietTurn
  }).pipe(Effect.withSpan("Housekeeping.emptyTrash"))
  const prune = Effect.all([
    logged("emptying the trash", emptyTrash),
    logged("pruning old records", Effect.zipRight(erasure.prune, changes.prune)),
    logged("pruning the inbox", inbox.prune(KEEP_DONE, KEEP_DEAD))
  ])

  /** Rests afterwards, so that a large library is not merged all the time. */
  const erase = Effect.gen(function* () {
    const [took, merged] = yield* Effect.timed(merge)
    if (!Option.contains(merged, true)) return yield* emptyLog
    yield* Effect.repeat(emptyLog, emptyingTimes)
    return yield* Effect.sleep(Duration.times(took, 1 / SHARE))
  })

  return {
    /**
     * After a deletion, and once a minute, merges the full-text indexes where they need it and empties the write-ahead
     * log; prunes once an hour.
     */
    run: Effect.all(
      [
        // The first pass finishes what an earlier run left.
        events.drain(
          (event) => event.type === "link" && event.change === "deleted",
          Effect.as(erase, REGULAR),
          { name: "erasing deleted links", gather: GATHER }
        ),
        every(PRUNE, "pruning", prune)
      ],
      { concurrency: "unbounded", discard: true }
    )
  }
})

/** Removes what remains of deleted data, and records that are too old to be of use. */
export class Housekeeping extends Service<Housekeeping>()("Housekeeping", make) {}
