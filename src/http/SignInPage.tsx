/** @jsxImportSource preact */

import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { SignIn, type SignInProps } from "../../web/onboarding/SignIn.tsx"
import { signInProblems } from "../domain/SignIn.ts"
import { browserChannel } from "../gates/BrowserChannel.ts"
import { parseHost } from "../gates/RequestHost.ts"
import { Sessions } from "../gates/Sessions.ts"
import { SignInWays } from "../gates/SignInWays.ts"
import { isLoopback } from "../runtime/AddressRanges.ts"
import { pathOf } from "./RouteGroups.ts"
import { renderAppPage } from "./Shell.tsx"

/** Passkeys need a host name and a secure context, plain HTTP on this machine only (Web Authentication, 5.1.3). */
const obstacleAt = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const host = parseHost(request.headers["host"] ?? "")
  if (host === undefined || host.isAddress) return "address"
  const isSecure = (yield* browserChannel(request)) === "https" || isLoopback(host.name)
  return isSecure ? null : "http"
})

/** The sentence for the problem that the request's address names, as `ProviderSignIn` writes it. */
const problemOf = ({ url }: HttpServerRequest.HttpServerRequest) => {
  const path = pathOf(url)
  const name = path === "/signin" ? new URLSearchParams(url.slice(path.length)).get("problem") : null
  return Object.entries(signInProblems).find(([known]) => known === name)?.[1] ?? null
}

const headers = { vary: "accept, accept-encoding, cookie" }

/** The same at every private address: only which ways are set up; at its own also why the last attempt failed. */
export const makeSignInPage = Effect.gen(function* () {
  const signIn = yield* SignInWays
  const sessions = yield* Sessions

  const respond = Effect.fn("SignInPage.respond")(function* (status: 200 | 403, isSignedIn: boolean) {
    const request = yield* HttpServerRequest.HttpServerRequest
    // The page shows how to find the code.
    yield* Effect.ignore(signIn.logCode("needed"))
    const props: SignInProps = {
      ways: yield* signIn.ways(request),
      isSetUp: yield* signIn.isSetUp,
      isSignedIn,
      isSettingUp: Option.isSome(yield* sessions.settingUp(request)),
      obstacle: yield* obstacleAt,
      problem: problemOf(request)
    }
    const text = renderAppPage({
      app: "signIn",
      title: "Sign in · Linkbower",
      body: <SignIn {...props} />,
      data: props
    })
    return HttpServerResponse.html(text).pipe(
      HttpServerResponse.setStatus(status),
      HttpServerResponse.setHeaders(headers)
    )
  })

  return { respond }
})
