import { Effect, Layer, Schema } from "effect"
import { Health } from "../domain/Health.ts"
import type { PublicQuery } from "../domain/LinkQuery.ts"
import { Measure } from "../domain/Metrics.ts"
import { ours } from "../domain/Ours.ts"
import { type Answering, answering, makeThread, type ThreadUnavailable } from "../runtime/Thread.ts"
import type { SharedFacets } from "../store/public/PublicList.ts"
import { isPublicSearch, PublicListBusy, type PublicPage, PublicSearch } from "./PublicSearch.ts"

class AskPage extends Schema.TaggedRequest<AskPage>()("AskPage", {
  failure: PublicListBusy,
  success: ours<PublicPage>(),
  payload: { query: ours<PublicQuery>() }
}) {}

class AskFacets extends Schema.TaggedRequest<AskFacets>()("AskFacets", {
  failure: PublicListBusy,
  success: ours<SharedFacets>(),
  payload: {}
}) {}

class AskPicture extends Schema.TaggedRequest<AskPicture>()("AskPicture", {
  failure: PublicListBusy,
  success: Schema.Array(Schema.String),
  payload: { kind: Schema.Literal("image", "favicon"), address: Schema.String }
}) {}

/** What the thread of the public list is asked: the methods of `PublicSearch`. */
export const PublicRequest = Schema.Union(AskPage, AskFacets, AskPicture)
export type PublicRequest = typeof PublicRequest.Type

/** Answers a request of the thread. */
export const answerPublicly =
  (search: PublicSearch["Type"]) =>
  (request: PublicRequest): Answering => {
    switch (request._tag) {
      case "AskPage":
        return answering(request, search.page(request.query))
      case "AskFacets":
        return answering(request, search.facets)
      case "AskPicture":
        return answering(request, search.pagesWith(request.kind, request.address))
    }
  }

/** The public search in a thread of its own, so that the owner never waits for strangers. */
export const layer = (spawn: () => Worker) =>
  Layer.scoped(
    PublicSearch,
    Effect.gen(function* () {
      const health = yield* Health
      const thread = yield* makeThread({
        name: "public list",
        spawn,
        most: 64,
        patience: "5 seconds",
        idle: "10 minutes",
        onChange: (isAnswering) => health.set("public-search", !isAnswering)
      })
      const orBusy = <A>(asked: Effect.Effect<A, PublicListBusy | ThreadUnavailable>) =>
        Effect.catchTag(asked, "ThreadUnavailable", ({ detail, reason }) =>
          Effect.zipRight(
            Effect.logWarning("The public list cannot answer", { reason, detail }),
            new PublicListBusy()
          )
        )
      return {
        page: (query) => {
          const page = orBusy(thread.ask(new AskPage({ query })))
          return isPublicSearch(query)
            ? Effect.zipRight(Measure.searches.count("public"), Measure.searchDuration.timed()(page))
            : page
        },
        facets: Effect.suspend(() => orBusy(thread.ask(new AskFacets()))),
        pagesWith: (kind, address) => orBusy(thread.ask(new AskPicture({ kind, address })))
      }
    })
  )
