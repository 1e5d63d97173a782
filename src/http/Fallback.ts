import { HttpApi, HttpLayerRouter, type HttpMethod, HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../api/Api.ts"
import { MethodNotAllowed, NotFound } from "../api/Failures.ts"
import { Access } from "../gates/AccessGate.ts"
import { makeDashboardPage } from "./DashboardPage.ts"
import { makeMissingPage } from "./Documentation.ts"

type Methods = ReadonlyArray<HttpMethod.HttpMethod>

/** The methods of every known path, a path with parameters as a pattern. */
const known: ReadonlyArray<readonly [pattern: RegExp, methods: Methods]> = (() => {
  const byPath = new Map<string, Methods>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint.method])
    }
  })
  return [...byPath].map(([path, methods]) => [
    new RegExp(`^${path.replace(/\/$/, "").replace(/:\w+/g, "[^/]+")}/?$`),
    methods.includes("GET") ? [...methods, "HEAD"] : methods
  ])
})()

/** Answers what no endpoint has taken: 405 with `Allow` where the path is known, else 404. */
const refuse = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const path = url.split("?", 1)[0] ?? ""
  const methods = known.find(([pattern]) => pattern.test(path))?.[1]
  return yield* methods === undefined ? new NotFound() : new MethodNotAllowed(methods)
})

const isApi = (url: string) => /^\/dashboard\/api(\/|\?|$)/.test(url)

/** Whether a request is for a page of the app: below `/dashboard` everything that is no interface is. */
const isPage = ({ method, url }: HttpServerRequest.HttpServerRequest) =>
  (method === "GET" || method === "HEAD") && !isApi(url)

/** All but HEAD: where nothing answers that, the router takes what answers GET. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpLayerRouter.HttpRouter
    const access = yield* Access
    const page = yield* makeDashboardPage
    const missing = yield* makeMissingPage
    const nothing = Effect.catchTag(refuse, "NotFound", (error) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => missing(request) ?? error)
    )
    // The gate comes first, so that no path is told from another.
    for (const method of methods) {
      yield* router.add(method, "/dashboard/*", (request) =>
        Effect.zipRight(access.pass, isPage(request) ? page.respond : refuse)
      )
      yield* router.add(method, "/*", nothing)
    }
  })
)
