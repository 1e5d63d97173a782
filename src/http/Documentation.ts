import { HttpLayerRouter, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { files, missing, pages } from "../../dist/docs/assets.ts"
import { embeddedAnswer, embeddedRoute, immutableHeaders, matchesEtag } from "./EmbeddedFile.ts"
import { groupOf, groups, isFromPerson, pathOf } from "./RouteGroups.ts"

/** Makes the response of a page, which is 304 if the client already has the page. */
const pageAnswer = ({ etag, ...file }: (typeof pages)[number]) => {
  const headers = { etag, "cache-control": "no-cache" }
  const answerTo = embeddedAnswer(file, headers)
  return (request: HttpServerRequest.HttpServerRequest) => {
    const sent = request.headers["if-none-match"]
    return sent !== undefined && matchesEtag(sent, etag)
      ? HttpServerResponse.empty({ status: 304, headers: { ...headers, vary: "accept-encoding" } })
      : answerTo(request)
  }
}

/** Each at its own address; the router ignores a trailing slash. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  yield* router.addAll([
    ...files.map((file) => embeddedRoute(file.path, embeddedAnswer(file, immutableHeaders))),
    ...pages.map((page) => embeddedRoute(page.path, pageAnswer(page)))
  ])
})

/** Makes the response for a person at an unknown address: a page with the search; null for programs. */
export const makeNotFoundPage = () => {
  if (missing === null) return () => null
  const answerTo = embeddedAnswer(missing, { "cache-control": "no-store" })
  return (request: HttpServerRequest.HttpServerRequest) =>
    groupOf(pathOf(request.url)) === groups.docs && isFromPerson(request)
      ? HttpServerResponse.setHeader(answerTo(request, 404), "vary", "accept, accept-encoding")
      : null
}
