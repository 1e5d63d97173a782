import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { LinkId } from "../domain/Link.ts"
import { afterLook, type LinkCheck, type Look } from "../domain/LinkCheck.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { PageCheck } from "../enrich/PageCheck.ts"
import { makeDrain } from "../runtime/Drain.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { CheckStore, type DueLink } from "../store/links/CheckStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Events } from "./Events.ts"
import { SourceHealth } from "./SourceHealth.ts"

/** How often to look at links that are due. */
const INTERVAL = Duration.minutes(1)
/** Links looked at in a round, so 4,320 a day: every 60 days, all of a library with 250,000 links. */
const PER_ROUND = 3
/** Minimum time between two looks at links on one host, in milliseconds. */
const HOST_PAUSE = Duration.toMillis("1 minute")
/** Links from which those of a round are chosen, on different hosts. */
const CHOICE = 50
/** Hosts in a row without an answer after which our own network is taken to be down. */
const SILENT_HOSTS = 3
/** Pause before a link is looked at again whose look failed while our own network was down. */
const RETRY = Duration.toMillis("1 hour")

/**
 * Looks whether the pages of the links are still there: a few a minute in the background, each about every two months, and
 * no host more than once a minute. Changes nothing of a link but what is known about its page.
 */
export class CheckLinks extends Context.Tag("CheckLinks")<
  CheckLinks,
  {
    /** Looks at some links that are due; returns how many. */
    readonly due: Effect.Effect<number, StoreUnavailable>
    /** Runs continuously. */
    readonly run: Effect.Effect<never>
    /** Records that the page of this link was read just now. */
    readonly found: (id: LinkId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* CheckStore
      const links = yield* LinkStore
      const pages = yield* PageCheck
      const events = yield* Events
      const health = yield* SourceHealth
      const { run } = yield* makeDrain
      /** When links on each host were looked at, in the last `HOST_PAUSE`. */
      const hosts = new Map<string, number>()
      /** Hosts that have not answered since another one did. */
      const silent = new Set<string>()

      const record = Effect.fnUntraced(function* ({ check, id, url }: DueLink, next: LinkCheck) {
        yield* store.write(id, url, next)
        if (next.state !== check.state || next.to !== check.to)
          yield* Effect.flatMap(links.getAll([id]), (all) => events.links("changed", all))
      })

      /** Whether nothing can be said about a page because our own network seems to be down. */
      const isOffline = (look: Look, host: string) => {
        if (look._tag !== "Failed" || !look.isSilent) {
          silent.clear()
          return false
        }
        silent.add(host)
        return silent.size >= SILENT_HOSTS
      }

      const lookAt = Effect.fnUntraced(function* (link: DueLink) {
        const url = new URL(link.url)
        const look = yield* pages.look(url, link)
        const now = yield* Clock.currentTimeMillis
        yield* record(
          link,
          isOffline(look, url.host)
            ? { ...link.check, nextAt: now + RETRY }
            : afterLook(link.check, look, link.id, now)
        )
      })

      const choose = Effect.fnUntraced(function* (now: number) {
        for (const [host, at] of hosts) if (now - at >= HOST_PAUSE) hosts.delete(host)
        const chosen = new Map<string, DueLink>()
        for (const link of yield* store.due(now, [...hosts.keys()], CHOICE)) {
          const { host } = new URL(link.url)
          if (chosen.size < PER_ROUND && !chosen.has(host)) chosen.set(host, link)
        }
        for (const host of chosen.keys()) hosts.set(host, now)
        return [...chosen.values()]
      })

      const due = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        while ((yield* store.plan(now)) > 0) yield* awaitQuietTurn
        // Pages that fail while the network is down are not gone.
        if ((yield* health.failing).includes("page")) return 0
        const chosen = yield* choose(now)
        yield* Effect.forEach(chosen, lookAt, { concurrency: PER_ROUND, discard: true })
        return chosen.length
      }).pipe(Effect.withSpan("CheckLinks.due"))

      return {
        due,
        run: run(Effect.as(due, INTERVAL), { name: "looking at links" }),
        found: Effect.fn("CheckLinks.found")(function* (id) {
          const now = yield* Clock.currentTimeMillis
          for (const link of yield* store.read(id))
            yield* record(link, afterLook(link.check, { _tag: "Present" }, id, now))
        })
      }
    })
  )
}
