import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { MetaAnswer } from "../api/Answers.ts"
import { Api } from "../api/Api.ts"
import { MODEL, Setting, SIMILARITY_THRESHOLD } from "../domain/Configuration.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Embeddings } from "../library/Embeddings.ts"
import { MergeLinks } from "../library/MergeLinks.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { FacetStore } from "../store/FacetStore.ts"
import { VERSION } from "../version.ts"
import { makeActions } from "./Actions.ts"
import { makeEventStream } from "./EventStream.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { mutate } from "./Mutations.ts"
import { dashboardPage } from "./Pages.ts"

const meta = Effect.fnUntraced(function* (facets: FacetStore["Type"], embeddings: Embeddings["Type"]) {
  const key = yield* Effect.orDie(Setting.anthropicApiKey.config)
  const answer: MetaAnswer = {
    ...(yield* facets.facets),
    model: { id: MODEL, configured: Option.isSome(key) },
    embedder: yield* Effect.map(
      embeddings.inUse,
      Option.match({
        onNone: () => ({ name: embeddings.name, dimensions: 0 }),
        onSome: ({ dimensions, name }) => ({ name, dimensions })
      })
    ),
    threshold: Option.match(yield* embeddings.inUse, {
      onNone: () => SIMILARITY_THRESHOLD,
      onSome: ({ threshold }) => threshold
    }),
    version: VERSION
  }
  return HttpServerResponse.unsafeJson(answer)
})

/** The owner's side: lists, facts for the filters, changes and jobs. */
export const layer = HttpApiBuilder.group(
  Api,
  "dashboard",
  Effect.fn(function* (handlers) {
    const list = yield* SearchLinks
    const facets = yield* FacetStore
    const useCases = { edits: yield* EditLinks, merges: yield* MergeLinks }
    const embeddings = yield* Embeddings
    const actions = yield* makeActions
    const events = yield* makeEventStream
    return handlers
      .handleRaw("links", () => linkJsonPage(list, "owner", (query) => query))
      .handleRaw("meta", () => meta(facets, embeddings))
      .handleRaw("mutate", () =>
        Effect.map(mutate(useCases), (answer) => HttpServerResponse.unsafeJson(answer))
      )
      .handleRaw("action", () => actions.start)
      .handleRaw("job", ({ path }) => actions.show(path.id))
      .handleRaw("events", () => events.respond)
      .handleRaw("page", () => dashboardPage(list))
  })
)
