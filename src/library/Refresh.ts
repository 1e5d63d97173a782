import { Effect, Option } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import { Service } from "../runtime/Services.ts"
import { CrashSuspects } from "../store/jobs/TaskStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Events } from "./Events.ts"
import { asJobFailure, type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { type Enriched, EnrichLink } from "./SaveLink.ts"
import { currentModelNames } from "./Summaries.ts"

const AT_ONCE = 4
const BATCH = 20

const silent =
  "The language model is not responding. Completed links are kept; start the job again later to continue."

const isSummarized = ({ stages }: Link) =>
  stages.some(({ stage, state }) => stage === "model" && state === "done")

const make = Effect.gen(function* () {
  const links = yield* LinkStore
  const spared = yield* CrashSuspects
  const jobs = yield* Jobs
  const enrichLink = yield* EnrichLink
  const events = yield* Events
  const transaction = yield* Transaction

  const enrichAgain = Effect.fnUntraced(function* (id: LinkId, isAwaited: boolean) {
    const before = yield* links.get(id)
    const question = {
      url: new URL(before.url),
      note: before.note,
      hints: {},
      view: { kept: links.browserText(id) }
    }
    const description = yield* enrichLink.enrich(before, question, { isAwaited })
    const link = yield* transaction(
      Effect.gen(function* () {
        const described = yield* enrichLink.write(id, description)
        yield* spared.remove(id)
        const link = Option.map(described, (one) => one.link)
        yield* afterCommit(events.links("changed", Option.toArray(link)))
        return link
      })
    )
    return { description, link }
  })

  /** Leaves the summary to a model that takes long. */
  const enrichSoon = Effect.fnUntraced(function* (id: LinkId) {
    const again = yield* enrichAgain(id, false)
    yield* enrichLink.completeLater(id, again.description)
    return again
  })

  const enrichWhole = Effect.fnUntraced(function* (id: LinkId) {
    const { description, link } = yield* enrichAgain(id, true)
    const completed = yield* enrichLink.complete(id, description)
    return { description, link: Option.orElse(completed, () => link) }
  })

  const work = (id: LinkId): Effect.Effect<Outcome<"refresh">, JobFailure> =>
    Effect.matchEffect(enrichWhole(id), {
      onFailure: () => Effect.fail({ message: "The link could not be refreshed." }),
      onSuccess: ({ link }) =>
        Option.isSome(link)
          ? Effect.succeed({})
          : Effect.fail({ message: "The link was deleted in the meantime." })
    })

  const isModelDown = ({ found: { failures } }: Enriched) =>
    failures.some(
      ({ kind, source }) => source === "model" && (kind === "unavailable" || kind === "unreachable")
    )

  const refreshOthers = Effect.fnUntraced(function* ({
    job,
    progress
  }: JobRun): Effect.fn.Return<Outcome<"refresh">, JobFailure> {
    const current = yield* currentModelNames(links)
    let [done, refreshed] = [0, 0]
    let after = 0
    for (;;) {
      const ids = yield* links.summarizedByOthers(current, after, BATCH)
      const last = ids.at(-1)
      if (last === undefined) return { result: { refreshed, tried: done } }
      after = last
      const all = yield* Effect.forEach(
        ids,
        (id) =>
          enrichWhole(id).pipe(
            Effect.map(({ description, link }) => {
              refreshed += Number(Option.exists(link, isSummarized))
              return isModelDown(description)
            }),
            Effect.catchTag("LinkNotFound", () => Effect.succeed(false)),
            Effect.tap(() => progress(++done, Math.max(job.total, done)))
          ),
        { concurrency: AT_ONCE }
      )
      if (all.every((isDown) => isDown)) return yield* Effect.fail({ message: silent })
    }
  }, Effect.mapError(asJobFailure))

  return {
    /** Links summarized by another or unknown model, never the owner's. A new start continues with the rest. */
    startOtherModels: Effect.gen(function* () {
      const total = yield* links.countSummarizedByOthers(yield* currentModelNames(links))
      return yield* jobs.start({ action: "refresh", total }, refreshOthers)
    }).pipe(Effect.withSpan("Refresh.startOtherModels")),
    /**
     * Keeps what the owner set by hand; a slow model completes the link later. None if the link was deleted meanwhile.
     */
    refresh: Effect.fn("Refresh.refresh")((id: LinkId) => Effect.map(enrichSoon(id), ({ link }) => link)),
    refreshAndReport: Effect.fn("Refresh.refreshAndReport")((id: LinkId) =>
      Effect.map(enrichSoon(id), ({ description }) => description.found)
    ),
    /** Returns the running job of this link if there is one. */
    start: Effect.fn("Refresh.start")(function* (id: LinkId) {
      yield* links.get(id)
      return yield* jobs.start({ action: "refresh", subject: id, total: 1 }, () => work(id))
    })
  }
})

export class Refresh extends Service<Refresh>()("Refresh", make) {}
