import { Context, Effect, Layer, Option, Stream } from "effect"
import type { Job } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Reader } from "../search/Reader.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { Embeddings } from "./Embeddings.ts"
import { type JobRun, Jobs, type Outcome, type Reason } from "./Jobs.ts"

/** Groups a job's result names. */
const MOST_GROUPS = 1_000

/** Finds links that are one page, or nearly. It changes nothing: merging is the owner's to decide. */
export class FindDuplicates extends Context.Tag("FindDuplicates")<
  FindDuplicates,
  { readonly start: Effect.Effect<Job, StoreUnavailable> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const reader = yield* Reader
      const links = yield* LinkStore
      const embeddings = yield* Embeddings

      const work = Effect.fnUntraced(function* (run: JobRun) {
        const embedder = Option.getOrNull(yield* embeddings.inUse)
        const last = yield* Stream.runLast(
          Stream.tap(reader.findDuplicates(embedder), (step) =>
            step.type === "progress" ? run.progress(step.done, step.total) : Effect.void
          )
        ).pipe(Effect.mapError((): Reason => ({ message: unavailable })))
        const groups = Option.match(last, {
          onNone: () => [],
          onSome: (step) => (step.type === "groups" ? step.groups : [])
        })
        const outcome: Outcome = { result: { groups: groups.slice(0, MOST_GROUPS), found: groups.length } }
        return outcome
      })

      return {
        start: Effect.flatMap(links.count, (total) => jobs.start({ action: "dupes", total }, work)).pipe(
          Effect.withSpan("FindDuplicates.start")
        )
      }
    })
  )
}

const unavailable = "The links could not be compared: the search thread stopped. Start the job again."
