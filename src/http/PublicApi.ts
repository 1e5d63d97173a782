import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Health } from "../domain/Health.ts"
import { Callers } from "../gates/Callers.ts"
import { isDirect } from "../gates/RequestHost.ts"
import { LinkImages } from "../library/LinkImages.ts"
import { PublicSearch } from "../search/PublicSearch.ts"
import { VERSION } from "../version.ts"
import { Api, openApi } from "./api/Api.ts"
import { programsDocument } from "./api/ProgramsDocument.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { sharedImage } from "./Images.ts"
import { publicJsonPage } from "./LinkJsonPage.ts"
import { makeFeed, makeListPage } from "./PublicPages.tsx"
import { PublicRate } from "./PublicRate.ts"
import { makeSavedFeed } from "./SavedSearches.ts"

export const listLayer = HttpApiBuilder.group(
  Api,
  "list",
  Effect.fn(function* (handlers) {
    const search = yield* PublicSearch
    const feed = yield* makeFeed
    const page = yield* makeListPage
    const images = yield* LinkImages
    const rate = yield* PublicRate
    return (
      handlers
        .handle("meta", () => rate.reading(search.facets))
        // Raw: the store writes the JSON of lists.
        .handleRaw("links", () => rate.reading(publicJsonPage(search)))
        // Raw: a picture with its own media type and headers, which may be a 304.
        .handleRaw("image", () => rate.looking(sharedImage(images, "image")))
        // Raw: a picture, as above.
        .handleRaw("favicon", () => rate.looking(sharedImage(images, "favicon")))
        // Raw: a file with its own headers, which may be a 304.
        .handleRaw("feed", () => rate.reading(feed.respond))
        // Raw: an HTML page, which may be a 304.
        .handleRaw("page", () => page.respond)
    )
  })
)

/** Handles the health report and the OpenAPI document. Answers once every layer is built, migrations included. */
export const statusLayer = HttpApiBuilder.group(
  Api,
  "status",
  Effect.fn(function* (handlers) {
    const document = yield* Effect.cached(Effect.sync(() => JSON.stringify(openApi(VERSION))))
    const forPrograms = yield* Effect.cached(Effect.sync(() => JSON.stringify(programsDocument(VERSION))))
    const callers = yield* Callers
    const health = yield* Health
    return (
      handlers
        .handle("healthz", () =>
          Effect.gen(function* () {
            const report = { ...(yield* health.current), version: VERSION }
            const { headers } = yield* HttpServerRequest.HttpServerRequest
            const unnamedProxies = yield* callers.unnamedProxies
            return isDirect(headers) && unnamedProxies.length > 0 ? { ...report, unnamedProxies } : report
          })
        )
        // Raw: a file that may be a 304.
        .handleRaw("openapi", () =>
          Effect.flatMap(document, (text) => conditionalResponse(text, "application/json"))
        )
        // Raw: a file, as above.
        .handleRaw("programsOpenapi", () =>
          Effect.flatMap(forPrograms, (text) => conditionalResponse(text, "application/json"))
        )
    )
  })
)

export const feedsLayer = HttpApiBuilder.group(
  Api,
  "feeds",
  Effect.fn(function* (handlers) {
    const feed = yield* makeSavedFeed
    // Raw: a file with its own headers, which may be a 304.
    return handlers.handleRaw("saved", ({ path }) => feed.respond(path.token))
  })
)
