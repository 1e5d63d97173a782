import { Duration, Effect, PubSub, Stream } from "effect"
import type { Job } from "../domain/Job.ts"
import type { Link } from "../domain/Link.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop, type WorkLoopOptions } from "../runtime/WorkLoop.ts"

export type LibraryEvent =
  | {
      readonly type: "link"
      readonly change: "saved" | "changed" | "deleted"
      readonly ids: ReadonlyArray<number>
      /** Empty if they were deleted or are too many. */
      readonly links: ReadonlyArray<Link>
    }
  | { readonly type: "job"; readonly job: Job }

type LinkEvent = Extract<LibraryEvent, { readonly type: "link" }>

/** Events about more links carry only their numbers. */
const MAX_LINKS = 100
/** Beyond this, merged events ask listeners to reload. */
const MAX_GATHERED = 20
/** Deleted links that merged events name. */
const MAX_DELETED = 10_000
/** The first event of a burst is sent at once, the others as one after this time. */
const GATHER = "100 millis"
/** A slow listener loses the oldest events beyond this. */
const BUFFER = 256

const reloadEvent: LinkEvent = { type: "link", change: "changed", ids: [], links: [] }

/** Gathers events in bounded memory: the latest state of each link, the first and the last of each job. */
const makeGathered = () => {
  const jobs = new Map<number, { readonly first: Job; readonly last: Job }>()
  const present = new Map<number, { readonly change: "saved" | "changed"; readonly link: Link }>()
  const deleted = new Set<number>()
  let first: LinkEvent | undefined
  let count = 0
  let isTooMuch = false

  const addLinks = (event: LinkEvent) => {
    first ??= event
    count++
    if (event.change === "deleted") {
      for (const id of event.ids) {
        present.delete(id)
        deleted.add(id)
      }
    } else {
      for (const link of event.links) {
        const change = present.get(link.id)?.change === "saved" ? "saved" : event.change
        present.delete(link.id)
        present.set(link.id, { change, link })
      }
      for (const id of event.ids) deleted.delete(id)
      isTooMuch ||= event.links.length === 0
    }
    if (present.size > MAX_LINKS) {
      isTooMuch = true
      present.clear()
    }
    if (deleted.size > MAX_DELETED && count > 1) {
      isTooMuch = true
      deleted.clear()
    }
  }

  const eventsFor = (wanted: "saved" | "changed"): ReadonlyArray<LinkEvent> => {
    const links = [...present.values()].flatMap(({ change, link }) => (change === wanted ? [link] : []))
    return links.length === 0 ? [] : [{ type: "link", change: wanted, ids: links.map(({ id }) => id), links }]
  }

  const linkEvents = (): ReadonlyArray<LinkEvent> => {
    if (first === undefined) return []
    if (count === 1) return [first]
    const gone: ReadonlyArray<LinkEvent> =
      deleted.size === 0 ? [] : [{ type: "link", change: "deleted", ids: [...deleted], links: [] }]
    return isTooMuch || present.size > MAX_GATHERED
      ? [...gone, reloadEvent]
      : [...gone, ...eventsFor("saved"), ...eventsFor("changed")]
  }

  // A job that starts and ends within one batch gives an event for each.
  const jobEvents = (): ReadonlyArray<LibraryEvent> =>
    [...jobs.values()]
      .flatMap(({ first, last }) => (first.state === last.state ? [last] : [first, last]))
      .map((job) => ({ type: "job", job }))

  return {
    add: (event: LibraryEvent): void => {
      if (event.type === "link") addLinks(event)
      else jobs.set(event.job.id, { first: jobs.get(event.job.id)?.first ?? event.job, last: event.job })
    },
    take: (): ReadonlyArray<LibraryEvent> => {
      const taken = [...linkEvents(), ...jobEvents()]
      for (const kept of [jobs, present, deleted]) kept.clear()
      first = undefined
      count = 0
      isTooMuch = false
      return taken
    }
  }
}

const make = Effect.gen(function* () {
  const events = yield* PubSub.sliding<LibraryEvent>(BUFFER)
  yield* Effect.addFinalizer(() => PubSub.shutdown(events))
  const gathered = makeGathered()
  const start = crypto.randomUUID()
  let changes = 0
  const { run, wake } = yield* makeWorkLoop
  const publishGathered = Effect.suspend(() => {
    const some = gathered.take()
    return some.length === 0
      ? Effect.void
      : Effect.zipRight(PubSub.publishAll(events, some), Effect.sleep(GATHER))
  })
  yield* Effect.forkScoped(run(Effect.as(publishGathered, Duration.infinity), { name: "publishing events" }))
  const publish = (event: LibraryEvent) =>
    Effect.suspend(() => {
      if (event.type === "link") changes++
      gathered.add(event)
      return wake
    })
  const listen = Stream.fromPubSub(events, { scoped: true })
  return {
    links: (change: "saved" | "changed", links: ReadonlyArray<Link>) =>
      links.length === 0
        ? Effect.void
        : publish({
            type: "link",
            change,
            ids: links.map(({ id }) => id),
            links: links.length > MAX_LINKS ? [] : links
          }),
    /** For changed links too many to include. */
    changed: (ids: ReadonlyArray<number>) => publish({ type: "link", change: "changed", ids, links: [] }),
    reloadAll: publish(reloadEvent),
    deleted: (ids: ReadonlyArray<number>) => publish({ type: "link", change: "deleted", ids, links: [] }),
    job: (job: Job) => publish({ type: "job", job }),
    /** Changes with each event about links and with a restart; read before a list, it shows what that missed. */
    revision: () => `${start}-${changes}`,
    listen,
    drain: <E, R>(
      wanted: (event: LibraryEvent) => boolean,
      pass: Effect.Effect<Duration.DurationInput, E, R>,
      options: WorkLoopOptions<E>
    ) =>
      Effect.gen(function* () {
        const { run, wake } = yield* makeWorkLoop
        const heard = Stream.filter(yield* listen, wanted)
        yield* Effect.forkScoped(Stream.runForEach(heard, () => wake))
        return yield* run(pass, options)
      }).pipe(Effect.scoped)
  }
})

/** Publishes library events. Those within a tenth of a second are merged into their final state. */
export class Events extends Service<Events>()("Events", make) {}
