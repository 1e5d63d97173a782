import {
  type HttpApiGroup,
  HttpLayerRouter,
  type HttpMethod,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Context, Effect, Layer, Scope } from "effect"
import { files as appFiles, downloads, shellAssets } from "../../dist/app/assets.ts"
import { files as docFiles, pages } from "../../dist/docs/assets.ts"
import { Access, accessGate, signInGate } from "../gates/AccessGate.ts"
import { OAuth } from "../gates/OAuth.ts"
import * as OwnSignIn from "../gates/OwnSignIn.ts"
import { Programs } from "../gates/Programs.ts"
import { ExtensionUse, extensionGate } from "../gates/SecretGates.ts"
import { and, none } from "../runtime/Services.ts"
import * as Assets from "./Assets.ts"
import { Api, apiOf, capture, dashboard, feeds, list, status, things } from "./api/Api.ts"
import { backups } from "./api/BackupsApi.ts"
import { MethodNotAllowed, NotFound } from "./api/Failures.ts"
import { highlights } from "./api/HighlightsApi.ts"
import { AccessGate, CaptureBody, ExtensionGate, JsonBody, SignInGate } from "./api/Middleware.ts"
import { oauth } from "./api/OAuthApi.ts"
import { books, ereaders, pages as pagesApi, reading, shares } from "./api/PagesApi.ts"
import { setUp } from "./api/SetUpApi.ts"
import { chatSignIn, credentials, newCredentials, sessions, signin } from "./api/SignInApi.ts"
import { programs, tokens } from "./api/TokensApi.ts"
import * as BackupsApi from "./BackupsApi.ts"
import * as Body from "./Body.ts"
import * as Capture from "./Capture.ts"
import * as ChatSignIn from "./ChatSignIn.ts"
import * as ConsentPage from "./ConsentPage.tsx"
import * as Credentials from "./Credentials.ts"
import * as Dashboard from "./Dashboard.ts"
import { makeDashboardPage } from "./DashboardPage.ts"
import * as Documentation from "./Documentation.ts"
import * as Envelope from "./Envelope.ts"
import * as ExtensionPackages from "./ExtensionPackages.ts"
import * as Highlights from "./Highlights.ts"
import { addLater, type Place } from "./LaterRoutes.ts"
import * as Linkding from "./Linkding.ts"
import * as OAuthRoutes from "./OAuth.ts"
import * as Onboarding from "./Onboarding.tsx"
import * as Opds from "./Opds.ts"
import * as OpenSearch from "./OpenSearch.ts"
import * as PageDocuments from "./PageDocuments.tsx"
import * as Pages from "./Pages.ts"
import * as ProviderSignIn from "./ProviderSignIn.ts"
import * as PublicApi from "./PublicApi.ts"
import { PublicRate } from "./PublicRate.ts"
import * as Readeck from "./Readeck.ts"
import { groupOf, groups, pathOf } from "./RouteGroups.ts"
import * as SetUpApi from "./SetUpApi.ts"
import * as SignIn from "./SignIn.ts"
import * as Things from "./Things.ts"
import * as TokensApi from "./TokensApi.ts"
import * as Webhook from "./Webhook.ts"

type Methods = ReadonlyArray<HttpMethod.HttpMethod>

/** The methods of every endpoint's path; a path with parameters becomes a pattern. */
const endpoints: ReadonlyArray<readonly [pattern: RegExp, methods: Methods]> = (() => {
  const byPath = new Map<string, Methods>()
  for (const group of Object.values(Api.groups))
    for (const { method, path } of Object.values(group.endpoints))
      byPath.set(path, [...(byPath.get(path) ?? []), method])
  return [...byPath].map(([path, methods]) => [
    new RegExp(`^${path.replace(/\/$/, "").replace(/:\w+/g, "[^/]+")}$`),
    methods.includes("GET") ? [...methods, "HEAD"] : methods
  ])
})()

/** The paths of pages and files, which are read-only. */
const readable: ReadonlySet<string> = new Set([
  "/app",
  ...ProviderSignIn.providerPaths,
  shellAssets.page,
  OpenSearch.OPEN_SEARCH,
  ...ExtensionPackages.configuredPaths,
  ...Onboarding.onboardingPaths,
  ...[appFiles, downloads, docFiles, pages].flatMap((all) => all.map(({ path }) => path))
])

/** Returns the methods that a path supports; undefined for an unknown path. The router ignores a trailing slash. */
const methodsOf = (path: string): Methods | undefined => {
  const known = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  return readable.has(known) ||
    groupOf(known) === groups.opds ||
    groupOf(known) === groups.shared ||
    PageDocuments.isDocumentPath(known) ||
    PageDocuments.isSnapshotPath(known)
    ? ["GET", "HEAD"]
    : endpoints.find(([pattern]) => pattern.test(known))?.[1]
}

/** Refuses a request that matches no endpoint: 405 with `Allow` if the path is known, else 404. */
const refuse = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const methods = methodsOf(pathOf(url))
  return yield* methods === undefined ? new NotFound() : new MethodNotAllowed(methods)
})

/** Whether a request is for a page of the app: GET or HEAD below `/dashboard` but not below `/dashboard/api`. */
const isPage = ({ method, url }: HttpServerRequest.HttpServerRequest) =>
  (method === "GET" || method === "HEAD") && groupOf(pathOf(url)) === groups.dashboard

/** All methods but HEAD: without a route for HEAD, the router uses the one for GET. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** Answers every request that no other route answers: with a page of the app, or an error. */
const fallback = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const page = yield* makeDashboardPage
  const missing = Documentation.makeNotFoundPage()
  const answerUnknown = Effect.catchTag(refuse, "NotFound", (error) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => missing(request) ?? error)
  )
  // The gate comes first, so that a refused caller cannot tell which paths exist.
  const refused = Effect.zipRight(access.pass, refuse)
  for (const method of methods) {
    yield* router.add(method, "/dashboard/*", (request) =>
      Effect.zipRight(access.pass, isPage(request) ? page.respond : refuse)
    )
    for (const place of ["/dashboard", "/setup", "/connect"] as const) {
      if (method !== "GET") yield* router.add(method, place, refused)
      if (place !== "/dashboard") yield* router.add(method, `${place}/*`, refused)
    }
    yield* router.add(method, "/*", answerUnknown)
  }
})

const declared = <Group extends HttpApiGroup.HttpApiGroup.Any>(group: Group) =>
  HttpLayerRouter.addHttpApi(apiOf(group))

/** Adds the endpoints of a group, whose handlers `layer` makes once one of them is requested. */
const group = <E extends Place, R>(
  { endpoints }: { readonly endpoints: Readonly<Record<string, E>> },
  layer: Layer.Layer<never, never, R>
) =>
  addLater(
    Object.values(endpoints),
    Effect.flatMap(Effect.scope, (scope) => Layer.buildWithScope(layer, scope))
  )

/** The gates, the readers of bodies, and the limits for visitors. */
const services = Layer.effectContext(
  none.pipe(
    and(Programs, Programs.make),
    and(OAuth, OAuth.make),
    and(Access, Access.make),
    and(ExtensionUse, ExtensionUse.make),
    and(AccessGate, accessGate),
    and(SignInGate, signInGate),
    and(ExtensionGate, extensionGate),
    and(JsonBody, Effect.succeed(Body.jsonBody)),
    and(CaptureBody, Body.makeCaptureBody),
    and(Body.OpenBody, Body.OpenBody.make),
    and(PublicRate, PublicRate.make)
  )
)

/** Compares as the front door does: `/Dashboard` and `//dashboard` are not `/dashboard`. */
export const routerConfig = { caseSensitive: true, ignoreDuplicateSlashes: false }

const routes = Effect.all(
  [
    fallback,
    Assets.routes,
    ConsentPage.routes,
    Documentation.routes,
    ExtensionPackages.routes,
    Onboarding.routes,
    Opds.routes,
    OpenSearch.routes,
    ProviderSignIn.routes,
    PageDocuments.readerRoutes,
    PageDocuments.sharedRoutes,
    PageDocuments.snapshotRoutes,
    Webhook.routes,
    Effect.flatMap(HttpLayerRouter.HttpRouter, ({ addAll }) => addAll([Capture.preflight])),
    addLater(Linkding.places, Linkding.routes),
    addLater(Readeck.places, Readeck.routes),
    group(backups, Layer.provide(declared(backups), BackupsApi.layer)),
    group(books, Layer.provide(declared(books), Pages.booksLayer)),
    group(capture, Layer.provide(declared(capture), Capture.layer)),
    group(chatSignIn, Layer.provide(declared(chatSignIn), ChatSignIn.layer)),
    group(credentials, Layer.provide(declared(credentials), Credentials.credentialsLayer)),
    group(dashboard, Layer.provide(declared(dashboard), Dashboard.layer)),
    group(ereaders, Layer.provide(declared(ereaders), Pages.ereadersLayer)),
    group(feeds, Layer.provide(declared(feeds), PublicApi.feedsLayer)),
    group(highlights, Layer.provide(declared(highlights), Highlights.layer)),
    group(list, Layer.provide(declared(list), PublicApi.listLayer)),
    group(newCredentials, Layer.provide(declared(newCredentials), Credentials.newCredentialsLayer)),
    group(oauth, Layer.provide(declared(oauth), OAuthRoutes.layer)),
    group(pagesApi, Layer.provide(declared(pagesApi), Pages.pagesLayer)),
    group(programs, Layer.provide(declared(programs), Capture.programs)),
    group(reading, Layer.provide(declared(reading), Pages.readingLayer)),
    group(sessions, Layer.provide(declared(sessions), Credentials.sessionsLayer)),
    group(setUp, Layer.provide(declared(setUp), SetUpApi.layer)),
    group(shares, Layer.provide(declared(shares), Pages.sharesLayer)),
    group(signin, Layer.provide(declared(signin), SignIn.layer)),
    group(status, Layer.provide(declared(status), PublicApi.statusLayer)),
    group(things, Layer.provide(declared(things), Things.layer)),
    group(tokens, Layer.provide(declared(tokens), TokensApi.layer))
  ],
  { discard: true }
)

/** Serves every route; each handler runs behind the gate that its endpoint names. */
export const layer = Layer.merge(Layer.scopedDiscard(routes), Envelope.layer).pipe(
  Layer.provide(services),
  Layer.provide(OwnSignIn.layer)
)

/** The services that handlers expect with a request: none, because each has captured those that it needs. */
const withRequest: Context.Context<
  HttpLayerRouter.Request.Only<"Requires" | "GlobalRequires", Layer.Layer.Context<typeof layer>>
> = Context.empty()

/** Keeps the program's services out of the context of requests, because each request copies it several times. */
const serverWithoutServices = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, ({ address, serve }) =>
    HttpServer.make({
      address,
      serve: (app, middleware) =>
        Effect.mapInputContext(
          middleware === undefined ? serve(app) : serve(app, middleware),
          (all: Context.Context<Scope.Scope>) => Context.merge(withRequest, Context.pick(Scope.Scope)(all))
        )
    })
  )
)

export const served = HttpLayerRouter.serve(layer, {
  disableLogger: true,
  disableListenLog: true,
  routerConfig
}).pipe(Layer.provide(serverWithoutServices))

const unavailable = HttpServerResponse.unsafeJson(
  { error: "unavailable", message: "The service is starting or stopping. Try again in a moment." },
  { status: 503, headers: { "retry-after": "2", "cache-control": "no-store", connection: "close" } }
)

/**
 * Answers requests with 503 while the server listens without routes: before they are built, and while a stopping
 * service waits for its running requests. Otherwise Bun's server would answer 404, which a sender may treat as final
 * and not retry.
 *
 * Must be built before the routes. Stays in place until the process ends, because the server restores its previous
 * handler.
 */
export const unavailableLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { serve } = yield* HttpServer.HttpServer
    // This scope is never closed.
    yield* Scope.extend(serve(Effect.succeed(unavailable)), yield* Scope.make())
  })
)
