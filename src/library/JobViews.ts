import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Job } from "../domain/Job.ts"
import { type Link, LinkId } from "../domain/Link.ts"
import { isObject } from "../domain/Schemas.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"

const DuplicatesResult = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({ reason: Schema.String, similarity: Schema.Number, ids: Schema.Array(LinkId) })
  )
})
const Moves = Schema.Struct({
  moves: Schema.Array(
    Schema.Struct({
      id: LinkId,
      /** Name of the collection. */
      to: Schema.String,
      because: Schema.Array(Schema.Int),
      similarity: Schema.Number
    })
  )
})
const movesOf = Schema.decodeUnknownOption(Moves)
const duplicatesOf = Schema.decodeUnknownOption(DuplicatesResult)

/** Shows jobs with the current state of their links; a job itself stores only link numbers. */
export class JobViews extends Context.Tag("JobViews")<
  JobViews,
  {
    /** Returns the result of the job; null until it is done, or if its link has been deleted. */
    readonly result: (job: Job) => Effect.Effect<unknown>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore
      const places = yield* FilingStore

      /** Filed links with their titles; leaves out links deleted since. */
      const organized = Effect.fnUntraced(function* ({ result }: Job) {
        const moves = Option.match(movesOf(result), { onNone: () => [], onSome: (found) => found.moves })
        const wanted = [...new Set(moves.flatMap(({ because, id }) => [id, ...because]))]
        const titles = new Map<number, string>(
          (yield* places.places(wanted)).map(({ id, title }) => [id, title])
        )
        return {
          ...(isObject(result) ? result : {}),
          moves: moves.flatMap((move) => {
            const title = titles.get(move.id)
            const because = move.because.filter((id) => titles.has(id))
            return title === undefined ? [] : [{ ...move, title, because }]
          })
        }
      })

      /** Groups that still have at least two links; leaves out links deleted or merged since. */
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
          if (job.action === "organize") return yield* organized(job)
          if (job.action !== "refresh") return job.result
          const [link] = job.subject === null ? [] : yield* links.getAll([job.subject])
          return link === undefined ? null : { link }
        })
      }
    })
  )
}
