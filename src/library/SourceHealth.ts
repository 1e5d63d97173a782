import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { modelInUse } from "../config/ModelChoice.ts"
import type { Enrichment, Source } from "../domain/Enrichment.ts"
import type { Outage } from "../domain/Health.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { makeSignal } from "../runtime/WorkLoop.ts"
import { OutageStore } from "../store/chat/OutageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Transaction } from "../store/Transaction.ts"

/** Consecutive failed addresses, or hosts for pages. */
const DOWN_AFTER = 3
/** Before the first probe; later pauses double. */
const FIRST_PROBE = Duration.minutes(1)
const LAST_PROBE = Duration.minutes(10)

const sources: ReadonlyArray<Source> = ["page", "repository", "model"]

interface State {
  /** Addresses, or hosts for pages, since the source last answered. */
  readonly failing: Set<string>
  /** In milliseconds; undefined while the source answers. */
  down: { readonly since: number; probes: number; next: number } | undefined
  /** Since the program started. */
  hasAnswered: boolean
}

/** Undefined if the source was not asked. */
const outcomeOf = (
  source: Source,
  found: Enrichment
): "answers" | "busy" | "unreachable" | "unavailable" | undefined => {
  const kind = found.failures.find((failure) => failure.source === source)?.kind
  if (kind === "unreachable" || kind === "unavailable" || kind === "busy") return kind
  if (kind !== undefined) return "answers"
  if (found.fellBack.includes(source)) return undefined
  // The repository host is not asked about links outside a repository.
  return source === "repository" && found.repository === null ? undefined : "answers"
}

const makeSourceHealth = Effect.gen(function* () {
  const signal = yield* makeSignal
  const fresh = (): State => ({ failing: new Set(), down: undefined, hasAnswered: false })
  const states = { page: fresh(), repository: fresh(), model: fresh() }
  const isConfigured = Effect.map(modelInUse, Option.isSome)

  const recovered = Effect.fnUntraced(function* (source: Source) {
    const state = states[source]
    state.failing.clear()
    state.hasAnswered = true
    if (state.down === undefined) return
    state.down = undefined
    yield* Effect.logInfo(`${source}: recovered`)
    yield* signal.send
  })

  const failed = Effect.fnUntraced(function* (source: Source, key: string, isCertain: boolean) {
    const state = states[source]
    state.failing.add(key)
    if (state.down !== undefined || (!isCertain && state.failing.size < DOWN_AFTER)) return
    const now = yield* Clock.currentTimeMillis
    state.down = { since: now, probes: 0, next: now + Duration.toMillis(FIRST_PROBE) }
    yield* Effect.logWarning(`${source}: down; its links wait until it recovers`)
  })

  return {
    /** Returns the sources that are down, or still at work. */
    observe: Effect.fn("SourceHealth.observe")(function* (url: URL, found: Enrichment) {
      const waitsFor: Array<Source> = []
      for (const source of sources) {
        const outcome = outcomeOf(source, found)
        if (outcome === "answers") yield* recovered(source)
        else if (outcome === "busy") waitsFor.push(source)
        else if (outcome !== undefined) {
          const isUnset = source === "model" && !(yield* isConfigured)
          if (isUnset) waitsFor.push(source)
          else yield* failed(source, source === "page" ? url.host : url.href, outcome === "unavailable")
          if (!isUnset && states[source].down !== undefined) waitsFor.push(source)
        }
      }
      return waitsFor
    }),
    /** Including a model without a key. */
    down: Effect.map(isConfigured, (configured) =>
      sources.filter((source) => states[source].down !== undefined || (source === "model" && !configured))
    ),
    failing: Effect.sync(() => sources.filter((source) => states[source].down !== undefined)),
    answering: Effect.sync(() =>
      sources.filter((source) => states[source].hasAnswered && states[source].down === undefined)
    ),
    /** Whether to probe the source with one link now; true uses up the turn. */
    mayProbe: Effect.fn("SourceHealth.mayProbe")(function* (source: Source) {
      const { down } = states[source]
      if (down === undefined || (source === "model" && !(yield* isConfigured))) return false
      const now = yield* Clock.currentTimeMillis
      // A clock that is set back must not delay the next probe.
      if (now < down.next && now >= down.since) return false
      down.probes++
      const pause = Duration.min(Duration.times(FIRST_PROBE, 2 ** Math.min(down.probes, 10)), LAST_PROBE)
      down.next = now + Duration.toMillis(pause)
      return true
    }),
    recovery: signal.received
  }
})

/** A failure concerns one link if others succeed; otherwise it is an outage. */
export class SourceHealth extends Service<SourceHealth>()("SourceHealth", makeSourceHealth) {}

/** Minimum duration of a reported outage. */
const REPORTED_AFTER = Duration.minutes(10)

interface OutageReporter {
  /** An ongoing outage of sources, or one that dropped replies. */
  readonly report: (outage: Outage) => Effect.Effect<void, StoreUnavailable>
  /** All work delayed by the outage is done; `incomplete` links remain for other reasons. */
  readonly reportEnd: (outage: Outage, incomplete: number) => Effect.Effect<void, StoreUnavailable>
  /** Whether reports reach the owner. */
  readonly isReachable: Effect.Effect<boolean>
}

const makeOutages = Effect.gen(function* () {
  const store = yield* OutageStore
  const links = yield* LinkStore
  const health = yield* SourceHealth
  const transaction = yield* Transaction

  return {
    /** Makes the report that is due: once when the outage lasts, once when it is over. */
    check: Effect.fn("Outages.check")(function* ({ isReachable, report, reportEnd }: OutageReporter) {
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

export class Outages extends Service<Outages>()("Outages", makeOutages) {}
