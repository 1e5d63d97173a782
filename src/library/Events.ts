import { Context, Effect, Layer, PubSub, type Scope, Stream } from "effect"
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

/** More links than this are named by their numbers alone. */
const MOST_LINKS = 100
/** Events that wait for a slow listener; it loses the oldest beyond that. */
const BUFFER = 256

/** Tells whoever listens what happens in the library, as it happens. */
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
      const publish = (event: LibraryEvent) => Effect.asVoid(PubSub.publish(events, event))
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
        many: publish({ type: "link", change: "changed", ids: [], links: [] }),
        deleted: (ids) => publish({ type: "link", change: "deleted", ids, links: [] }),
        job: (job) => publish({ type: "job", job }),
        listen: Stream.fromPubSub(events, { scoped: true })
      }
    })
  )
}
