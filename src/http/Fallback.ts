import { HttpApi, HttpLayerRouter, type HttpMethod, HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { files as appFiles, downloads, shellAssets } from "../../dist/app/assets.ts"
import { files as docFiles, pages } from "../../dist/docs/assets.ts"
import { Access } from "../gates/AccessGate.ts"
import { Api } from "./api/Api.ts"
import { MethodNotAllowed, NotFound } from "./api/Failures.ts"
import { makeDashboardPage } from "./DashboardPage.ts"
import { makeMissingPage } from "./Documentation.ts"
import { groupOf, groups, pathOf } from "./RouteGroups.ts"

type Methods = ReadonlyArray<HttpMethod.HttpMethod>

/** The methods of every endpoint's path, a path with parameters as a pattern. */
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

/** The paths of pages and files, which are only ever read. */
const readable: ReadonlySet<string> = new Set([
  "/app",
  shellAssets.page,
  ...[appFiles, downloads, docFiles, pages].flatMap((all) => all.map(({ path }) => path))
])

/** The methods a path is answered with; undefined for an unknown path. The router ignores a slash at the end. */
const methodsOf = (path: string): Methods | undefined => {
  const known = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  return readable.has(known) ? ["GET", "HEAD"] : endpoints.find(([pattern]) => pattern.test(known))?.[1]
}

/** Answers what no endpoint has taken: 405 with `Allow` where the path is known, else 404. */
const refuse = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const methods = methodsOf(pathOf(url))
  return yield* methods === undefined ? new NotFound() : new MethodNotAllowed(methods)
})

/** Whether a request is for a page of the app: below `/dashboard` everything that is no interface is. */
const isPage = ({ method, url }: HttpServerRequest.HttpServerRequest) =>
  (method === "GET" || method === "HEAD") && groupOf(pathOf(url)) === groups.dashboard

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
