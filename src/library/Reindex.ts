import { Effect, Option, Schedule } from "effect"
import { EmbedderUnavailable } from "../enrich/embedding/TextEmbedder.ts"
import { Service } from "../runtime/Services.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { type EmbeddedLink, type EmbeddingFailure, Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { Filing } from "./Filing.ts"
import { type JobFailure, type JobRun, Jobs } from "./Jobs.ts"

/** From this many links on, catching up is a job. */
const MANY = 200
/** While the library cannot be written. */
const PAUSE = Schedule.spaced("10 seconds")

const make = Effect.gen(function* () {
  const embeddings = yield* Embeddings
  const filing = yield* Filing
  const links = yield* LinkStore
  const jobs = yield* Jobs
  const events = yield* Events
  const transaction = yield* Transaction

  const file = Effect.fnUntraced(function* ({ embedded, link: { id } }: EmbeddedLink) {
    const link = Option.getOrUndefined(yield* Effect.option(links.get(id)))
    if (link === undefined) return
    const place = yield* filing.locateEmbedded(embedded)
    const filed = Effect.tap(filing.file(link, place), ({ filed, link: now }) =>
      afterCommit(Option.isSome(filed) ? events.links("changed", [now]) : Effect.void)
    )
    // Its vector is written, so a later pass would skip the link.
    yield* transaction(filed).pipe(
      Effect.tapError(({ what }) => Effect.logWarning(`filing #${id} is waiting: ${what}`)),
      Effect.retry(PAUSE),
      Effect.ignore
    )
  })

  const fileAll = (batch: ReadonlyArray<EmbeddedLink>) =>
    Effect.forEach(
      batch.filter(({ link }) => link.fresh),
      file,
      { discard: true }
    )

  const work = (total: number) => (run: JobRun) =>
    Effect.gen(function* () {
      let done = 0
      yield* embeddings.catchUp((batch) =>
        Effect.zipRight(
          fileAll(batch),
          Effect.suspend(() => {
            done += batch.length
            return run.progress(done, Math.max(done, total))
          })
        )
      )
      return { result: { embedded: done } }
    }).pipe(Effect.mapError(jobFailureOf))

  const asJob = Effect.fnUntraced(function* (total: number) {
    const { id } = yield* jobs.start({ action: "reindex", total }, work(total))
    const job = Option.getOrUndefined(yield* Effect.option(jobs.awaitEnd(id)))
    if (job?.state === "failed")
      return yield* new EmbedderUnavailable({ reason: job.error ?? "no vectors", refused: false })
  })

  return {
    run: embeddings.run(
      Effect.flatMap(Effect.zipRight(embeddings.verifyEmbedder, embeddings.waiting), (waiting) =>
        waiting < MANY ? embeddings.catchUp(fileAll) : asJob(waiting)
      )
    )
  }
})

export class Reindex extends Service<Reindex>()("Reindex", make) {}

const jobFailureOf = (failure: EmbeddingFailure): JobFailure => {
  const why = failure._tag === "StoreUnavailable" ? failure.what : `${failure.reason}.`
  return { message: `Some links are waiting for their vectors: ${why}` }
}
