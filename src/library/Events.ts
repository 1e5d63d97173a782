import { Context, Effect, Layer, PubSub, Queue, type Scope, Stream } from "effect"
import type { Job } from "../domain/Job.ts"
import type { Link } from "../domain/Link.ts"

/** Something happened in the library. */
export type LibraryEvent =
  | {
      readonly type: "link"
      readonly change: "saved" | "changed" | "deleted"
      readonly ids: ReadonlyArray<number>
      /** The links as they are now; empty where they were deleted or are too many to be sent along. */
      readonly links: ReadonlyArray<Link>
    }
  | { readonly type: "job"; readonly job: Job }

type LinkEvent = Extract<LibraryEvent, { readonly type: "link" }>

/** More links than this are named by their numbers alone. */
const MOST_LINKS = 100
/** Events that are sent as one carry at most this many links; with more they ask listeners to look again. */
const MOST_GATHERED = 20
/** The most deleted links that events sent as one can name. */
const MOST_DELETED = 10_000
/** How long events are gathered after some were sent: the first of a burst is sent at once, the others as one. */
const GATHER = "100 millis"
/** Events that wait for a slow listener; it loses the oldest beyond that. */
const BUFFER = 256

const lookAgain: LinkEvent = { type: "link", change: "changed", ids: [], links: [] }

/** Gathers events in bounded memory: it keeps the last state of each link, and the first and the last of each job. */
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
    if (present.size > MOST_LINKS) {
      isTooMuch = true
      present.clear()
    }
    if (deleted.size > MOST_DELETED && count > 1) {
      isTooMuch = true
      deleted.clear()
    }
  }

  const linksThatAre = (wanted: "saved" | "changed"): ReadonlyArray<LinkEvent> => {
    const links = [...present.values()].flatMap(({ change, link }) => (change === wanted ? [link] : []))
    return links.length === 0 ? [] : [{ type: "link", change: wanted, ids: links.map(({ id }) => id), links }]
  }

  const linkEvents = (): ReadonlyArray<LinkEvent> => {
    if (first === undefined) return []
    if (count === 1) return [first]
    const gone: ReadonlyArray<LinkEvent> =
      deleted.size === 0 ? [] : [{ type: "link", change: "deleted", ids: [...deleted], links: [] }]
    return isTooMuch || present.size > MOST_GATHERED
      ? [...gone, lookAgain]
      : [...gone, ...linksThatAre("saved"), ...linksThatAre("changed")]
  }

  // That a job has begun is told apart from its end.
  const jobEvents = (): ReadonlyArray<LibraryEvent> =>
    [...jobs.values()]
      .flatMap(({ first, last }) => (first.state === last.state ? [last] : [first, last]))
      .map((job) => ({ type: "job", job }))

  return {
    add: (event: LibraryEvent): void => {
      if (event.type === "link") addLinks(event)
      else jobs.set(event.job.id, { first: jobs.get(event.job.id)?.first ?? event.job, last: event.job })
    },
    /** What has been gathered since the last call. */
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

/**
 * Tells listeners what happens in the library, as it happens. Of what happens within a tenth of a second they hear how it
 * ended, so that a burst of changes costs each of them little.
 */
export class Events extends Context.Tag("Events")<
  Events,
  {
    readonly links: (change: "saved" | "changed", links: ReadonlyArray<Link>) => Effect.Effect<void>
    /** Links were changed that are too many to be sent along. */
    readonly changed: (ids: ReadonlyArray<number>) => Effect.Effect<void>
    /** So many links were saved or changed that whoever shows some should look again. */
    readonly many: Effect.Effect<void>
    readonly deleted: (ids: ReadonlyArray<number>) => Effect.Effect<void>
    readonly job: (job: Job) => Effect.Effect<void>
    /** What happens from now on. */
    readonly listen: Effect.Effect<Stream.Stream<LibraryEvent>, never, Scope.Scope>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const events = yield* PubSub.sliding<LibraryEvent>(BUFFER)
      yield* Effect.addFinalizer(() => PubSub.shutdown(events))
      const gathered = makeGathered()
      const wake = yield* Queue.sliding<void>(1)
      yield* Queue.take(wake).pipe(
        Effect.flatMap(() => PubSub.publishAll(events, gathered.take())),
        Effect.zipRight(Effect.sleep(GATHER)),
        Effect.forever,
        Effect.forkScoped
      )
      const publish = (event: LibraryEvent) =>
        Effect.suspend(() => {
          gathered.add(event)
          return Effect.asVoid(Queue.offer(wake, undefined))
        })
      return {
        links: (change, links) =>
          links.length === 0
            ? Effect.void
            : publish({
                type: "link",
                change,
                ids: links.map(({ id }) => id),
                links: links.length > MOST_LINKS ? [] : links
              }),
        changed: (ids) => publish({ type: "link", change: "changed", ids, links: [] }),
        many: publish(lookAgain),
        deleted: (ids) => publish({ type: "link", change: "deleted", ids, links: [] }),
        job: (job) => publish({ type: "job", job }),
        listen: Stream.fromPubSub(events, { scoped: true })
      }
    })
  )
}
