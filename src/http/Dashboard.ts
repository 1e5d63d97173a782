import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { JobAnswer, MetaAnswer } from "../api/Answers.ts"
import { Action } from "../api/Answers.ts"
import { Api } from "../api/Api.ts"
import { BadRequest, NotFound, Unavailable } from "../api/Failures.ts"
import { MODEL, Setting } from "../domain/Configuration.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { MergeLinks } from "../library/MergeLinks.ts"
import { type JobView, Refresh } from "../library/Refresh.ts"
import { FacetStore } from "../store/FacetStore.ts"
import { LinkList } from "../store/LinkList.ts"
import { VERSION } from "../version.ts"
import { readJson } from "./Body.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { mutate } from "./Mutations.ts"
import { dashboardPage } from "./Pages.ts"

const answerOf = ({ job, link }: JobView): JobAnswer => {
  const { subject: _, undo, ...rest } = job
  const result =
    job.state === "done" ? Option.match(link, { onNone: () => null, onSome: (link) => ({ link }) }) : null
  return { job: { ...rest, result, ...(undo === null ? {} : { undo }) } }
}

const meta = Effect.fnUntraced(function* (facets: FacetStore["Type"]) {
  const key = yield* Effect.orDie(Setting.anthropicApiKey.config)
  const answer: MetaAnswer = {
    ...(yield* facets.facets),
    model: { id: MODEL, configured: Option.isSome(key) },
    version: VERSION
  }
  return HttpServerResponse.unsafeJson(answer)
})

/** The owner's side: lists, facts for the filters, changes and jobs. */
export const layer = HttpApiBuilder.group(
  Api,
  "dashboard",
  Effect.fn(function* (handlers) {
    const list = yield* LinkList
    const facets = yield* FacetStore
    const useCases = { edits: yield* EditLinks, merges: yield* MergeLinks }
    const refresh = yield* Refresh
    return handlers
      .handleRaw("links", () => linkJsonPage(list, "owner", (query) => query))
      .handleRaw("meta", () => meta(facets))
      .handleRaw("mutate", () =>
        Effect.map(mutate(useCases), (answer) => HttpServerResponse.unsafeJson(answer))
      )
      .handleRaw("action", () =>
        Effect.gen(function* () {
          const { id } = yield* readJson(Action)
          const job = yield* Effect.catchTags(refresh.start(id), {
            LinkNotFound: ({ message }) => new NotFound(message),
            StoreUnavailable: () => new Unavailable()
          })
          return HttpServerResponse.unsafeJson(answerOf({ job, link: Option.none() }), { status: 202 })
        })
      )
      .handleRaw("job", ({ path }) =>
        Effect.gen(function* () {
          if (!/^\d{1,15}$/.test(path.id)) return yield* new BadRequest("A job has a number.")
          const view = yield* Effect.mapError(
            refresh.job(Number(path.id)),
            ({ message }) => new NotFound(message)
          )
          return HttpServerResponse.unsafeJson(answerOf(view))
        })
      )
      .handleRaw("page", () => dashboardPage(list))
  })
)
