import { Clock, Config, Context, Duration, Effect, Layer, Option, Queue } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { Enrichment, Source } from "../domain/Enrichment.ts"

/** A source that did not answer for so many addresses in a row, on as many hosts for pages, is down. */
const DOWN_AFTER = 3
/** While a source is down one link is tried after this long, and then after pauses that double. */
const FIRST_PROBE = Duration.minutes(1)
const LAST_PROBE = Duration.minutes(10)

const sources: ReadonlyArray<Source> = ["page", "repository", "model"]

interface State {
  /** The addresses, or hosts, that it has not answered for since it last did. */
  readonly failing: Set<string>
  /** Since when it is down, and when it is tried next, in milliseconds; undefined while it answers. */
  down: { readonly since: number; probes: number; next: number } | undefined
  /** Whether it has answered since the program started. */
  hasAnswered: boolean
}

/** How a source did, as far as this result shows it; undefined where it was not asked. */
const outcomeOf = (
  source: Source,
  found: Enrichment
): "answers" | "unreachable" | "unavailable" | undefined => {
  const kind = found.failures.find((failure) => failure.source === source)?.kind
  if (kind === "unreachable" || kind === "unavailable") return kind
  if (kind !== undefined) return "answers"
  if (found.fellBack.includes(source)) return undefined
  // A link that lies in no repository asks no repository host.
  return source === "repository" && found.repository === null ? undefined : "answers"
}

/**
 * Which sources are down for every link, as the looks at links show it. A failure that concerns one link is distinguished from an
 * outage by whether other links succeed.
 */
export class SourceHealth extends Context.Tag("SourceHealth")<
  SourceHealth,
  {
    /** Learns from what a look at this address found; gives the sources that failed because they are down. */
    readonly observe: (url: URL, found: Enrichment) => Effect.Effect<ReadonlyArray<Source>>
    /** The sources that are down. A model without a key is. */
    readonly down: Effect.Effect<ReadonlyArray<Source>>
    /** The sources that are down although they are set up. */
    readonly failing: Effect.Effect<ReadonlyArray<Source>>
    /** The sources that have answered since the program started and are not down. */
    readonly answering: Effect.Effect<ReadonlyArray<Source>>
    /** Whether it is time to try a source that is down with one link. Asking uses the turn. */
    readonly mayProbe: (source: Source) => Effect.Effect<boolean>
    /** Returns when a source answers again. */
    readonly recovery: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const signal = yield* Queue.sliding<void>(1)
      const fresh = (): State => ({ failing: new Set(), down: undefined, hasAnswered: false })
      const states = { page: fresh(), repository: fresh(), model: fresh() }
      const isConfigured = Setting.anthropicApiKey.config.pipe(
        Config.map(Option.isSome),
        Effect.orElseSucceed(() => false)
      )

      const recovered = Effect.fnUntraced(function* (source: Source) {
        const state = states[source]
        state.failing.clear()
        state.hasAnswered = true
        if (state.down === undefined) return
        state.down = undefined
        yield* Effect.logInfo(`${source}: answers again`)
        yield* Queue.offer(signal, undefined)
      })

      const failed = Effect.fnUntraced(function* (source: Source, key: string, isCertain: boolean) {
        const state = states[source]
        state.failing.add(key)
        if (state.down !== undefined || (!isCertain && state.failing.size < DOWN_AFTER)) return
        const now = yield* Clock.currentTimeMillis
        state.down = { since: now, probes: 0, next: now + Duration.toMillis(FIRST_PROBE) }
        yield* Effect.logWarning(`${source}: does not answer, its links wait until it does`)
      })

      return {
        observe: Effect.fn("SourceHealth.observe")(function* (url, found) {
          const waitsFor: Array<Source> = []
          for (const source of sources) {
            const outcome = outcomeOf(source, found)
            if (outcome === "answers") yield* recovered(source)
            else if (outcome !== undefined) {
              const isUnset = source === "model" && !(yield* isConfigured)
              if (isUnset) waitsFor.push(source)
              else yield* failed(source, source === "page" ? url.host : url.href, outcome === "unavailable")
              if (!isUnset && states[source].down !== undefined) waitsFor.push(source)
            }
          }
          return waitsFor
        }),
        down: Effect.map(isConfigured, (configured) =>
          sources.filter((source) => states[source].down !== undefined || (source === "model" && !configured))
        ),
        failing: Effect.sync(() => sources.filter((source) => states[source].down !== undefined)),
        answering: Effect.sync(() =>
          sources.filter((source) => states[source].hasAnswered && states[source].down === undefined)
        ),
        mayProbe: Effect.fn("SourceHealth.mayProbe")(function* (source) {
          const { down } = states[source]
          if (down === undefined || (source === "model" && !(yield* isConfigured))) return false
          const now = yield* Clock.currentTimeMillis
          // A clock set back must not put the next attempt off.
          if (now < down.next && now >= down.since) return false
          down.probes++
          const pause = Duration.min(Duration.times(FIRST_PROBE, 2 ** Math.min(down.probes, 10)), LAST_PROBE)
          down.next = now + Duration.toMillis(pause)
          return true
        }),
        recovery: Queue.take(signal)
      }
    })
  )
}
