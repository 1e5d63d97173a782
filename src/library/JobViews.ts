import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Job } from "../domain/Job.ts"
import { type Link, LinkId } from "../domain/Link.ts"
import { LinkStore } from "../store/LinkStore.ts"

const DuplicatesResult = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({ reason: Schema.String, similarity: Schema.Number, ids: Schema.Array(LinkId) })
  )
})
const duplicatesOf = Schema.decodeUnknownOption(DuplicatesResult)

/** Shows jobs with the links they are about as these are now: a job keeps their numbers alone. */
export class JobViews extends Context.Tag("JobViews")<
  JobViews,
  {
    /** What came of the job; null while nothing has. */
    readonly result: (job: Job) => Effect.Effect<unknown>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore

      /** Groups that still are some: links deleted or merged since are left out. */
      const duplicates = Effect.fnUntraced(function* ({ result }: Job) {
        const groups = Option.match(duplicatesOf(result), {
          onNone: () => [],
          onSome: (found) => found.groups
        })
        const all = yield* links.getAll([...new Set(groups.flatMap(({ ids }) => ids))])
        const byId = new Map<number, Link>(all.map((link) => [link.id, link]))
        return {
          groups: groups
            .map(({ ids, reason, similarity }) => ({
              reason,
              similarity,
              links: ids.flatMap((id) => byId.get(id) ?? [])
            }))
            .filter((group) => group.links.length > 1)
        }
      })

      return {
        result: Effect.fn("JobViews.result")(function* (job) {
          if (job.state !== "done") return null
          if (job.action === "dupes") return yield* duplicates(job)
          if (job.action !== "refresh") return job.result
          const [link] = job.subject === null ? [] : yield* links.getAll([job.subject])
          return link === undefined ? null : { link }
        })
      }
    })
  )
}
