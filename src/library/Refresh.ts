import { Context, Effect, Layer, Option } from "effect"
import type { Enrichment } from "../domain/Enrichment.ts"
import type { Job } from "../domain/Job.ts"
import type { Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { SparedStore } from "../store/inbox/InboxStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Events } from "./Events.ts"
import { type JobFailure, Jobs, type Outcome } from "./Jobs.ts"
import { DescribeLink } from "./SaveLink.ts"

/** Refreshes a saved link: fetches its page again and asks every source about it. */
export class Refresh extends Context.Tag("Refresh")<
  Refresh,
  {
    /** Starts the job, or returns the one that is already running for this link. */
    readonly start: (id: LinkId) => Effect.Effect<Job, LinkNotFound | StoreUnavailable>
    /**
     * Refreshes the link now, keeping what the owner set by hand; a model that takes long completes it later. None if the link was deleted in the meantime.
     */
    readonly refresh: (id: LinkId) => Effect.Effect<Option.Option<Link>, LinkNotFound | StoreUnavailable>
    /** Refreshes the link in the same way, and returns what enrichment found. */
    readonly refreshAndReport: (id: LinkId) => Effect.Effect<Enrichment, LinkNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore
      const spared = yield* SparedStore
      const jobs = yield* Jobs
      const describer = yield* DescribeLink
      const events = yield* Events
      const transaction = yield* Transaction

      /** Asks every source and writes what they know by now. */
      const enrichAgain = Effect.fnUntraced(function* (id: LinkId, isAwaited: boolean) {
        const before = yield* links.get(id)
        const question = { url: new URL(before.url), note: before.note, hints: {} }
        const description = yield* describer.describe(before, question, { isAwaited })
        const link = yield* transaction(
          Effect.gen(function* () {
            const described = yield* describer.write(id, description)
            yield* spared.remove(id)
            const link = Option.map(described, (one) => one.link)
            yield* afterCommit(events.links("changed", Option.toArray(link)))
            return link
          })
        )
        return { description, link }
      })

      /** The same, leaving the summary to a model that takes long. */
      const enrichSoon = Effect.fnUntraced(function* (id: LinkId) {
        const again = yield* enrichAgain(id, false)
        yield* describer.completeLater(id, again.description)
        return again
      })

      /** The same, with the summary. */
      const enrichWhole = Effect.fnUntraced(function* (id: LinkId) {
        const { description, link } = yield* enrichAgain(id, true)
        return Option.orElse(yield* describer.complete(id, description), () => link)
      })

      const work = (id: LinkId): Effect.Effect<Outcome<"refresh">, JobFailure> =>
        Effect.matchEffect(enrichWhole(id), {
          onFailure: () => Effect.fail({ message: "The link could not be refreshed." }),
          onSuccess: (link) =>
            Option.isSome(link)
              ? Effect.succeed({})
              : Effect.fail({ message: "The link was deleted in the meantime." })
        })

      return {
        refresh: Effect.fn("Refresh.refresh")((id) => Effect.map(enrichSoon(id), ({ link }) => link)),
        refreshAndReport: Effect.fn("Refresh.refreshAndReport")((id) =>
          Effect.map(enrichSoon(id), ({ description }) => description.found)
        ),
        start: Effect.fn("Refresh.start")(function* (id) {
          yield* links.get(id)
          return yield* jobs.start({ action: "refresh", subject: id, total: 1 }, () => work(id))
        })
      }
    })
  )
}
