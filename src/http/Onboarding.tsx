/** @jsxImportSource preact */

import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Connect } from "../../web/onboarding/Connect.tsx"
import { SetUp } from "../../web/onboarding/SetUp.tsx"
import { Access } from "../gates/AccessGate.ts"
import { makeFrontPage } from "./FrontPage.tsx"
import { renderAppPage } from "./Shell.tsx"
import { makeSignInPage } from "./SignInPage.tsx"

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
