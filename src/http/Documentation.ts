import { HttpLayerRouter, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { files, missing, pages } from "../../dist/docs/assets.ts"
import { immutableHeaders, loadEmbedded, matchesEtag } from "./EmbeddedFile.ts"
import { groupOf, groups, isFromPerson, pathOf } from "./RouteGroups.ts"

/** Loads a page and makes its response, which is 304 if the client already has the page. */
const loadPage = Effect.fnUntraced(function* ({ etag, ...file }: (typeof pages)[number]) {
  const headers = { etag, "cache-control": "no-cache" }
  const { answerTo } = yield* loadEmbedded(file, headers)
  return (request: HttpServerRequest.HttpServerRequest) => {
    const sent = request.headers["if-none-match"]
    return sent !== undefined && matchesEtag(sent, etag)
      ? HttpServerResponse.empty({ status: 304, headers: { ...headers, vary: "accept-encoding" } })
      : answerTo(request)
  }
})

/**
 * Serves the front page, the documentation and its files, each at its own address (the router ignores a trailing
 * slash).
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpLayerRouter.HttpRouter
    for (const file of files) {
      const { answerTo } = yield* loadEmbedded(file, immutableHeaders)
      yield* router.add("GET", file.path, (request) => Effect.succeed(answerTo(request)))
    }
    for (const page of pages) {
      const answerTo = yield* loadPage(page)
      yield* router.add("GET", page.path, (request) => Effect.succeed(answerTo(request)))
    }
  })
)

/** Makes the response for a person at an unknown address: a page with the search; null for programs. */
export const makeNotFoundPage = Effect.gen(function* () {
  if (missing === null) return () => null
  const { answerTo } = yield* loadEmbedded(missing, { "cache-control": "no-store" })
  return (request: HttpServerRequest.HttpServerRequest) =>
    groupOf(pathOf(request.url)) === groups.docs && isFromPerson(request)
      ? HttpServerResponse.setHeader(answerTo(request, 404), "vary", "accept, accept-encoding")
      : null
})
