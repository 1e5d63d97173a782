import { Context, Duration, Effect, Layer, Schedule, Stream } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Erasure } from "../store/Erasure.ts"
import { Events } from "./Events.ts"

/** A deletion stays in the database's log no longer than this, where nobody reads from the log for so long. */
const EMPTY_LOG = Duration.minutes(1)
const PRUNE = Duration.hours(1)

/**
 * After a deletion the log is emptied after 1, 2, 4, … 32 seconds: pictures, replies and vectors of a deleted link go a
 * little after the link, and a reader may keep the log from being emptied at first.
 */
const afterDeletion = Schedule.exponential(Duration.seconds(1)).pipe(Schedule.intersect(Schedule.recurs(6)))

/** Keeps the library free of what was deleted and of what has become too old to be of use. */
export class Housekeeping extends Context.Tag("Housekeeping")<
  Housekeeping,
  {
    /** Runs continuously: empties the database's log after deletions and once a minute, and prunes once an hour. */
    readonly run: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const erasure = yield* Erasure
      const events = yield* Events

      const logged = <A>(what: string, work: Effect.Effect<A, StoreUnavailable>) =>
        Effect.asVoid(Effect.catchAllCause(work, (cause) => Effect.logWarning(`${what} failed`, cause)))
      const emptyLog = logged("emptying the database's log", erasure.emptyLog)
      const prune = logged("pruning old records", erasure.prune)

      return {
        run: Effect.gen(function* () {
          const deletions = Stream.filter(
            yield* events.listen,
            (event) => event.type === "link" && event.change === "deleted"
          )
          yield* Effect.all(
            [
              // A later deletion starts the waits anew; the regular run bounds how long that can go on.
              Stream.runDrain(
                Stream.flatMap(
                  deletions,
                  () => Stream.mapEffect(Stream.fromSchedule(afterDeletion), () => emptyLog),
                  { switch: true }
                )
              ),
              Effect.repeat(emptyLog, Schedule.spaced(EMPTY_LOG)),
              Effect.repeat(prune, Schedule.spaced(PRUNE))
            ],
            { concurrency: "unbounded", discard: true }
          )
        }).pipe(Effect.scoped)
      }
    })
  )
}
