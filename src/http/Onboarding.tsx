/** @jsxImportSource preact */
import { HttpLayerRouter, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Connect } from "../../web/onboarding/Connect.tsx"
import { Door } from "../../web/onboarding/Door.tsx"
import { SetUp } from "../../web/onboarding/SetUp.tsx"
import { Access } from "../gates/AccessGate.ts"
import { SignInWays } from "../gates/SignInWays.ts"
import { PublicSearch } from "../search/PublicSearch.ts"
import { groups } from "./RouteGroups.ts"
import { renderAppPage } from "./Shell.tsx"
import { makeSignInPage } from "./SignInPage.tsx"

/** The response depends on the caller, whom a cookie or a header of the gateway identifies. */
export const varyByCaller = { vary: "accept-encoding, cookie, cf-access-jwt-assertion" }

/** Leads elsewhere, for this caller and this time only. */
export const leadTo = (path: "/dashboard" | "/list" | "/signin") =>
  HttpServerResponse.redirect(path, {
    status: 303,
    headers: { ...varyByCaller, "cache-control": "no-store" }
  })

/** A request that another site causes without navigating gets everyone else's, so it cannot tell who signed in. */
export const isOwners = (access: Access["Type"], request: HttpServerRequest.HttpServerRequest) =>
  groups.dashboard.admits(request) ? access.admits : Effect.succeed(false)

const door = HttpServerResponse.html(
  renderAppPage({
    app: "door",
    title: "Linkbower",
    head: <meta name="robots" content="noindex" />,
    body: <Door />
  })
).pipe(HttpServerResponse.setHeaders({ ...varyByCaller, "cache-control": "no-store" }))

/** The owner to the dashboard, others to a public list with links, a new owner to signing in; else a plain page. */
export const makeFrontPage = Effect.gen(function* () {
  const access = yield* Access
  const search = yield* PublicSearch
  const signIn = yield* SignInWays

  // A list that is too busy to count is not empty.
  const isListed = search.facets.pipe(
    Effect.map(({ collections, total }) => total + collections.length > 0),
    Effect.orElseSucceed(() => true)
  )

  const choose = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    if (yield* isOwners(access, request)) return leadTo("/dashboard")
    if (yield* isListed) return leadTo("/list")
    return (yield* signIn.isSetUp) ? door : leadTo("/signin")
  })

  return {
    respond: (request: HttpServerRequest.HttpServerRequest) =>
      choose(request).pipe(
        Effect.map(HttpServerResponse.setHeader("x-robots-tag", "noindex")),
        Effect.withSpan("FrontPage.respond")
      )
  }
})

export const onboardingPaths = ["/", "/signin", "/setup", "/connect"] as const

/** The page at which the browser extension takes over the library's address and token. */
const connectPage = HttpServerResponse.html(
  renderAppPage({ app: "connect", title: "Connect the extension · Linkbower", body: <Connect /> })
)

/** The page that guides through everything that brings links into the library; it asks the API what is set up. */
const setUpPage = HttpServerResponse.html(
  renderAppPage({ app: "setUp", title: "Set up · Linkbower", body: <SetUp /> })
)

export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const front = yield* makeFrontPage
  const signIn = yield* makeSignInPage
  yield* router.add("GET", "/", front.respond)
  yield* router.add(
    "GET",
    "/signin",
    Effect.flatMap(access.admits, (isSignedIn) => signIn.respond(200, isSignedIn))
  )
  yield* router.add("GET", "/setup", Effect.as(access.pass, setUpPage))
  yield* router.add("GET", "/connect", Effect.as(access.pass, connectPage))
})
