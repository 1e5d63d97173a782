import { HttpApi, HttpLayerRouter, type HttpMethod, HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { files as appFiles, downloads, shellAssets } from "../../dist/app/assets.ts"
import { files as docFiles, pages } from "../../dist/docs/assets.ts"
import { Access } from "../gates/AccessGate.ts"
import { Api } from "./api/Api.ts"
import { MethodNotAllowed, NotFound } from "./api/Failures.ts"
import { makeDashboardPage } from "./DashboardPage.ts"
import { makeNotFoundPage } from "./Documentation.ts"
import { groupOf, groups, pathOf } from "./RouteGroups.ts"

type Methods = ReadonlyArray<HttpMethod.HttpMethod>

/** The methods of every endpoint's path; a path with parameters becomes a pattern. */
const endpoints: ReadonlyArray<readonly [pattern: RegExp, methods: Methods]> = (() => {
  const byPath = new Map<string, Methods>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint.method])
    }
  })
  return [...byPath].map(([path, methods]) => [
    new RegExp(`^${path.replace(/\/$/, "").replace(/:\w+/g, "[^/]+")}$`),
    methods.includes("GET") ? [...methods, "HEAD"] : methods
  ])
})()

/** The paths of pages and files, which are read-only. */
const readable: ReadonlySet<string> = new Set([
  "/app",
  shellAssets.page,
  ...[appFiles, downloads, docFiles, pages].flatMap((all) => all.map(({ path }) => path))
])

/** Returns the methods that a path supports; undefined for an unknown path. The router ignores a trailing slash. */
const methodsOf = (path: string): Methods | undefined => {
  const known = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  return readable.has(known) ? ["GET", "HEAD"] : endpoints.find(([pattern]) => pattern.test(known))?.[1]
}

/** Answers a request that matches no endpoint: 405 with `Allow` if the path is known, else 404. */
const refuse = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const methods = methodsOf(pathOf(url))
  return yield* methods === undefined ? new NotFound() : new MethodNotAllowed(methods)
})

/** Whether a request is for a page of the app: a GET or HEAD below `/dashboard` but not below `/dashboard/api`. */
const isPage = ({ method, url }: HttpServerRequest.HttpServerRequest) =>
  (method === "GET" || method === "HEAD") && groupOf(pathOf(url)) === groups.dashboard

/** All methods but HEAD: without a route for HEAD, the router uses the one for GET. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpLayerRouter.HttpRouter
    const access = yield* Access
    const page = yield* makeDashboardPage
    const missing = yield* makeNotFoundPage
    const answerUnknown = Effect.catchTag(refuse, "NotFound", (error) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => missing(request) ?? error)
    )
    // The gate comes first, so that a refused caller cannot tell which paths exist.
    for (const method of methods) {
      yield* router.add(method, "/dashboard/*", (request) =>
        Effect.zipRight(access.pass, isPage(request) ? page.respond : refuse)
      )
      yield* router.add(method, "/*", answerUnknown)
    }
  })
)
