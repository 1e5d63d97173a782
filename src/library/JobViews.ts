import { Context, Effect, Layer } from "effect"
import type { Job, ShownJob } from "../domain/Job.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"

/** The stored result of a finished job of this kind. */
type Stored<A extends Job["action"]> = NonNullable<Extract<Job, { readonly action: A }>["result"]>

/** Shows jobs with the current state of their links; a job itself stores only link numbers. */
export class JobViews extends Context.Tag("JobViews")<
  JobViews,
  {
    /** Returns the job with its links as they are now; a refresh whose link is deleted has no result. */
    readonly shown: (job: Job) => Effect.Effect<ShownJob>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore
      const places = yield* FilingStore

      /** Filed links with their titles; leaves out links deleted since. */
      const currentMoves = Effect.fnUntraced(function* ({ moves }: Stored<"organize">) {
        const wanted = [...new Set(moves.flatMap(({ because, id }) => [id, ...because]))]
        const titles = new Map<number, string>(
          (yield* places.places(wanted)).map(({ id, title }) => [id, title])
        )
        return moves.flatMap((move) => {
          const title = titles.get(move.id)
          const because = move.because.filter((id) => titles.has(id))
          return title === undefined ? [] : [{ ...move, title, because }]
        })
      })

      /** Groups that still have at least two links; leaves out links deleted or merged since. */
      const currentGroups = Effect.fnUntraced(function* ({ groups }: Stored<"dupes">) {
        const all = yield* links.getAll([...new Set(groups.flatMap(({ ids }) => ids))])
        const byId = new Map<number, Link>(all.map((link) => [link.id, link]))
        return groups
          .map(({ ids, reason, similarity }) => ({
            reason,
            similarity,
            links: ids.flatMap((id) => byId.get(id) ?? [])
          }))
          .filter((group) => group.links.length > 1)
      })

      const currentLink = Effect.fnUntraced(function* (id: LinkId | null) {
        const [link] = id === null ? [] : yield* links.getAll([id])
        return link === undefined ? null : { link }
      })

      return {
        shown: Effect.fn("JobViews.shown")(function* (job: Job): Effect.fn.Return<ShownJob> {
          switch (job.action) {
            case "dupes":
              return { ...job, result: job.result && { groups: yield* currentGroups(job.result) } }
            case "organize":
              return {
                ...job,
                result: job.result && { ...job.result, moves: yield* currentMoves(job.result) }
              }
            case "refresh":
              return { ...job, result: job.state === "done" ? yield* currentLink(job.subject) : null }
            default:
              return job
          }
        })
      }
    })
  )
}
