import { Array, Context, Effect, Layer, Option } from "effect"
import { Background } from "../Background.ts"
import type { Job, JobNotFound } from "../domain/Job.ts"
import type { Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Enricher } from "../enrich/Enricher.ts"
import { JobStore } from "../store/JobStore.ts"
import { LinkStore } from "../store/LinkStore.ts"

/** A job and, where it is about one link, that link as it is now. */
export interface JobView {
  readonly job: Job
  readonly link: Option.Option<Link>
}

/** Looks at a saved link again: fetches its page anew and asks every source about it. */
export class Refresh extends Context.Tag("Refresh")<
  Refresh,
  {
    /** Starts the job, or answers the one that runs for this link already. */
    readonly start: (id: LinkId) => Effect.Effect<Job, LinkNotFound | StoreUnavailable>
    readonly job: (id: number) => Effect.Effect<JobView, JobNotFound>
    /** Looks at the link again now; what the owner set by hand stays. None where it has been deleted meanwhile. */
    readonly refresh: (id: LinkId) => Effect.Effect<Option.Option<Link>, LinkNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore
      const jobs = yield* JobStore
      const enricher = yield* Enricher
      const background = yield* Background

      const refresh = Effect.fn("Refresh.refresh")(function* (id: LinkId) {
        const link = yield* links.get(id)
        const categories = yield* links.categories
        const found = yield* enricher.enrich({
          url: new URL(link.url),
          note: link.note,
          hints: {},
          categories
        })
        return yield* links.finish(id, found)
      })

      const run = (job: Job, id: LinkId) =>
        refresh(id).pipe(
          Effect.matchCauseEffect({
            onSuccess: (link) =>
              Option.isSome(link)
                ? jobs.end(job.id, { state: "done" })
                : jobs.end(job.id, { state: "failed", error: "The link was deleted meanwhile." }),
            onFailure: () => jobs.end(job.id, { state: "failed", error: "The link could not be refreshed." })
          }),
          Effect.onInterrupt(() => Effect.ignore(jobs.end(job.id, { state: "interrupted" })))
        )

      return {
        refresh,
        start: Effect.fn("Refresh.start")(function* (id) {
          yield* links.get(id)
          const running = yield* jobs.running("refresh", id)
          if (Option.isSome(running)) return running.value
          const job = yield* jobs.start("refresh", id, 1)
          yield* background.run("Refresh.run", run(job, id))
          return job
        }),
        job: Effect.fn("Refresh.job")(function* (id) {
          const job = yield* jobs.get(id)
          const link = job.subject === null ? Option.none() : Array.head(yield* links.getAll([job.subject]))
          return { job, link }
        })
      }
    })
  )
}
