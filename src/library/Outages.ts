import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { Outage } from "../domain/Health.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { OutageStore } from "../store/chat/OutageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { SourceHealth } from "./SourceHealth.ts"

/** Minimum duration of a reported outage. */
const REPORTED_AFTER = Duration.minutes(10)

/** How outages are reported to the owner. */
export interface OutageReporter {
  /** Reports an outage: an ongoing one of sources, or one that dropped replies. */
  readonly report: (outage: Outage) => Effect.Effect<void, StoreUnavailable>
  /** Reports that all work delayed by an outage is done; `incomplete` links remain for other reasons. */
  readonly reportEnd: (outage: Outage, incomplete: number) => Effect.Effect<void, StoreUnavailable>
  /** Whether reports reach the owner. */
  readonly isReachable: Effect.Effect<boolean>
}

/** Records outages that delay links or drop replies, and whether the owner was notified. */
export class Outages extends Context.Tag("Outages")<
  Outages,
  {
    /** Updates the current outage and makes the report that is due, once when it lasts and once when it is over. */
    readonly check: (reporter: OutageReporter) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* OutageStore
      const links = yield* LinkStore
      const health = yield* SourceHealth
      const transaction = yield* Transaction

      return {
        check: Effect.fn("Outages.check")(function* ({ isReachable, report, reportEnd }) {
          const failing = yield* health.failing
          const waiting = failing.length === 0 ? 0 : yield* links.waitingFor(failing)
          if (waiting > 0) yield* store.cost(failing, waiting)
          const outage = Option.getOrUndefined(yield* store.current)
          if (outage === undefined) return
          const lasted = DateTime.distanceDuration(DateTime.unsafeMake(outage.since), yield* DateTime.now)
          // Dropped replies can only be reported once the chat is reachable again.
          const isReportable =
            outage.sources.length === 0
              ? yield* isReachable
              : Duration.greaterThanOrEqualTo(lasted, REPORTED_AFTER)
          if (outage.toldAt === null && isReportable) {
            yield* transaction(Effect.zipRight(report(outage), store.told))
            // Dropped replies are not recovered, so the outage ends with its report.
            if (outage.sources.length === 0) yield* store.end
            return
          }
          if (outage.sources.length === 0) return
          const answering = yield* health.answering
          const isOver = outage.sources.every((source) => answering.includes(source))
          if (!isOver || (yield* links.hasDue) || (yield* links.waitingFor(outage.sources)) > 0) return
          const incomplete = yield* links.countPartial
          yield* transaction(
            Effect.zipRight(outage.toldAt === null ? Effect.void : reportEnd(outage, incomplete), store.end)
          )
        })
      }
    })
  )
}
