import { Clock, Duration, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { LinkId } from "../domain/Link.ts"
import { afterLook, type LinkCheck, type Look } from "../domain/LinkCheck.ts"
import { WaybackMachine } from "../enrich/archive/WaybackMachine.ts"
import { PageCheck } from "../enrich/PageCheck.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { CheckStore, type DueLink } from "../store/links/CheckStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Events } from "./Events.ts"
import { asJobFailure, Jobs, type Outcome } from "./Jobs.ts"

const INTERVAL = Duration.minutes(1)
/** 4,320 links a day: every 60 days all of a library of 250,000. */
const PER_ROUND = 3
/** Between two requests to one host, in milliseconds. */
const HOST_PAUSE = Duration.toMillis("1 minute")
/** How long a host's `Retry-After` holds up its other links. */
const MAX_HOST_PAUSE = Duration.toMillis("1 day")
const MAX_HOSTS = 10_000
/** Other hosts asked whether our own network is up. */
const CONTROLS = 2
/** Pause after a failure while our own network was down. */
const RETRY = Duration.toMillis("1 hour")
/** How long the Wayback Machine's answer is good. */
const CAPTURE_AGE = Duration.toMillis("60 days")

const make = Effect.gen(function* () {
  const store = yield* CheckStore
  const links = yield* LinkStore
  const pages = yield* PageCheck
  const archive = yield* WaybackMachine
  const events = yield* Events
  const jobs = yield* Jobs
  const { run } = yield* makeWorkLoop
  /** When each host may be asked again, in monotonic milliseconds. */
  const hosts = new Map<string, number>()

  const leaveAlone = (host: string, until: number) => {
    hosts.delete(host)
    hosts.set(host, until)
    const [oldest] = hosts.keys()
    if (hosts.size > MAX_HOSTS && oldest !== undefined) hosts.delete(oldest)
  }

  const busyHosts = Effect.map(monotonicMillis, (now) => {
    for (const [host, until] of hosts) if (until <= now) hosts.delete(host)
    return [...hosts.keys()]
  })

  const visited = Effect.fnUntraced(function* (host: string) {
    leaveAlone(host, (yield* monotonicMillis) + HOST_PAUSE)
  })

  const announce = (id: LinkId) => Effect.flatMap(links.getAll([id]), (all) => events.links("changed", all))

  const findCapture = Effect.fnUntraced(function* (
    { captureAsked, createdAt, id, url }: DueLink,
    { state }: LinkCheck,
    now: number
  ) {
    if (state !== "broken" && state !== "changed") return
    if (captureAsked !== null && captureAsked <= now && now - captureAsked < CAPTURE_AGE) return
    const address = new URL(url)
    // A page that only the owner's browser could show is not public.
    if (!(yield* archive.mayKnow(address)) || Option.isSome(yield* links.browserText(id))) return
    yield* archive.nearest(address, createdAt).pipe(
      Effect.flatMap((found) => store.writeCapture(id, url, found._tag === "Some" ? found.value : null, now)),
      Effect.zipRight(announce(id)),
      // The next look asks again.
      Effect.catchTag("ArchiveError", ({ reason, status }) =>
        Effect.logDebug(`the web archive did not answer: ${status ?? reason}`)
      )
    )
  })

  const record = Effect.fnUntraced(function* (link: DueLink, look: Look) {
    const { check, id, url } = link
    const now = yield* Clock.currentTimeMillis
    const next = afterLook(check, look, id, now)
    yield* Measure.linkLooks.count(look._tag.toLowerCase())
    yield* store.write(id, url, next)
    if (next.state !== check.state || next.to !== check.to || next.reason !== check.reason)
      yield* announce(id)
    yield* findCapture(link, next, now)
  })

  const lookAt = Effect.fnUntraced(function* (link: DueLink) {
    const url = new URL(link.url)
    yield* visited(url.hostname)
    const look = yield* pages.look(url, link)
    if ("notBefore" in look && look.notBefore !== undefined) {
      const pause = Math.min(look.notBefore - (yield* Clock.currentTimeMillis), MAX_HOST_PAUSE)
      leaveAlone(url.hostname, (yield* monotonicMillis) + Math.max(pause, HOST_PAUSE))
    }
    return { link, look }
  })

  const isSilent = (look: Look) => look._tag === "Failed" && look.isSilent

  /** Undefined if no other host can be asked now. */
  const anotherAnswers = Effect.gen(function* () {
    const controls = yield* store.found(yield* busyHosts, CONTROLS)
    if (controls.length === 0) return undefined
    for (const control of controls) {
      const url = new URL(control)
      yield* visited(url.hostname)
      if (yield* pages.answers(url)) return true
    }
    return false
  })

  /** False if our own network seems down: a silent failure counts only if another host answers after it. */
  const recordAll = Effect.fnUntraced(function* (
    looks: ReadonlyArray<{ readonly link: DueLink; readonly look: Look }>
  ) {
    const silent = looks.filter(({ look }) => isSilent(look))
    for (const { link, look } of looks) if (!isSilent(look)) yield* record(link, look)
    if (silent.length === 0) return true
    const isOnline = (yield* anotherAnswers) ?? (silent.length < looks.length || silent.length === 1)
    for (const { link, look } of silent)
      if (isOnline) yield* record(link, look)
      else {
        const now = yield* Clock.currentTimeMillis
        yield* Measure.linkLooks.count("offline")
        yield* store.write(link.id, link.url, {
          ...link.check,
          nextAt: now + RETRY * (1 + (link.id % 8) / 8)
        })
      }
    return isOnline
  })

  /** The links due longest, each on its own host. */
  const choose = Effect.fnUntraced(function* (now: number) {
    const busy = [...(yield* busyHosts)]
    const chosen: Array<DueLink> = []
    while (chosen.length < PER_ROUND) {
      const [next] = yield* store.due(now, busy, 1)
      if (next === undefined) break
      chosen.push(next)
      busy.push(new URL(next.url).hostname)
    }
    return chosen
  })

  const isOn = Effect.map(
    Effect.orElseSucceed(Setting.checkLinks.config, () => "off" as const),
    (value) => value === "on"
  )

  const due = Effect.gen(function* () {
    if (!(yield* isOn)) return 0
    const now = yield* Clock.currentTimeMillis
    while ((yield* store.plan(now)) > 0) yield* awaitQuietTurn
    const looks = yield* Effect.forEach(yield* choose(now), lookAt, { concurrency: PER_ROUND })
    yield* recordAll(looks)
    return looks.length
  }).pipe(Effect.withSpan("CheckLinks.due"))

  const lookNow = Effect.fn("CheckLinks.lookNow")(function* (id: LinkId) {
    const [link] = yield* store.read(id)
    if (link !== undefined && !(yield* recordAll([yield* lookAt(link)])))
      return yield* Effect.fail({
        message: "No site answers. The network of this machine seems to be down."
      })
    const outcome: Outcome<"check"> = {}
    return outcome
  })

  return {
    due,
    run: run(Effect.as(due, INTERVAL), { name: "looking at links" }),
    /** Returns the running job of this link if there is one. */
    start: Effect.fn("CheckLinks.start")(function* (id: LinkId) {
      yield* links.get(id)
      return yield* jobs.start({ action: "check", subject: id, total: 1 }, () =>
        Effect.mapError(lookNow(id), asJobFailure)
      )
    }),
    /** Declines a moved page's new address, until the page moves again. */
    keepAddress: Effect.fn("CheckLinks.keepAddress")(function* (id: LinkId) {
      yield* links.get(id)
      yield* store.decline(id, yield* Clock.currentTimeMillis)
      yield* announce(id)
    })
  }
})

/**
 * Checks whether the links' pages are still there, each about every two months, and no host more than once a minute.
 */
export class CheckLinks extends Service<CheckLinks>()("CheckLinks", make) {}
