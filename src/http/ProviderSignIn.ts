import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option } from "effect"
import { publicAddress } from "../config/Addresses.ts"
import type { SignInProblem } from "../domain/SignIn.ts"
import { Access } from "../gates/AccessGate.ts"
import { CHALLENGES, makeAttempts } from "../gates/Attempts.ts"
import { OidcFailed, OpenIdConnect, type PendingSignIn, providerHost } from "../gates/OpenIdConnect.ts"
import { Sessions, sendCookie } from "../gates/Sessions.ts"
import { makeTickets } from "../gates/Tickets.ts"
import { NotFound } from "./api/Failures.ts"
import { knownAddress } from "./BaseAddress.ts"
import { isCanonical } from "./FrontDoor.ts"
import { pathOf } from "./RouteGroups.ts"
import { beginSession } from "./SignIn.ts"

/** Where signing in leads without another address. */
const DASHBOARD = "/dashboard"

/** Maximum length of an address to return to, in characters. */
const MAX_LENGTH = 2_000

/** The dashboard, the set-up and the extension's page with query and fragment, but not their APIs. */
const OWN_PAGE = /^\/(?:dashboard|setup|connect)(?!\/api(?:[/?#]|$))(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/

/** The given page of the owner's, else the dashboard. Browsers read each result as a path of this host. */
export const returnPath = (address: string | null): string => {
  if (address === null || address.length > MAX_LENGTH || !OWN_PAGE.test(address)) return DASHBOARD
  const [withoutFragment = ""] = address.split("#", 1)
  return isCanonical(pathOf(withoutFragment)) ? address : DASHBOARD
}

const BEGIN = "/signin/oidc"
const CALLBACK = "/signin/oidc/callback"

export const providerPaths = [BEGIN, CALLBACK] as const

const LIFETIME = Duration.minutes(10)

/** Marks a request that was sent on to the public address, so that it is not sent on again. */
const SENT_ON = "here"

const redirect = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

/** Shows the page for signing in with a sentence; afterwards it leads to the same address. */
const showProblem = (problem: SignInProblem, to: string) =>
  redirect(`/signin?${new URLSearchParams({ problem, to })}`)

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest) => {
  const start = url.indexOf("?")
  return new URLSearchParams(start === -1 ? "" : url.slice(start))
}

/** The public address of the service, if it is a web address. */
const published = Effect.map(
  publicAddress,
  Option.filter((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""))
)

/** The address to which the provider sends the browser; fails while none is known. */
const redirectUri = Effect.flatMap(
  knownAddress,
  Option.match({
    onNone: () => new OidcFailed({ problem: "oidc_address" }),
    onSome: (base) => Effect.succeed(`${base}${CALLBACK}`)
  })
)

/** The provider leads to the public address, whose cookie is needed. None if sent there once: a proxy may change it. */
const elsewhere = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (queryOf(request).has(SENT_ON)) return Option.none()
  const host = request.headers["host"]?.toLowerCase()
  return Option.filter(yield* published, (address) => URL.parse(address)?.host !== host)
})

interface Leaving {
  readonly pending: PendingSignIn
  readonly to: string
}

/** Signs the owner in with an OpenID Connect provider. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const provider = yield* OpenIdConnect
  const sessions = yield* Sessions
  const attempt = yield* makeAttempts({ perClient: CHALLENGES, countsAll: true })
  const tickets = makeTickets<Leaving>("linkbower_oidc", LIFETIME)

  const begin = Effect.gen(function* () {
    if (Option.isNone(yield* providerHost)) return yield* new NotFound()
    const request = yield* HttpServerRequest.HttpServerRequest
    const to = returnPath(queryOf(request).get("to"))
    if (yield* access.admits) return redirect(to)
    const other = yield* elsewhere
    if (Option.isSome(other))
      return redirect(`${other.value}${BEGIN}?${new URLSearchParams({ to, [SENT_ON]: "1" })}`)
    return yield* Effect.gen(function* () {
      yield* sessions.requireProtected(request)
      const { address, pending } = yield* attempt(request, Effect.flatMap(redirectUri, provider.begin))
      yield* sendCookie(yield* tickets.issue(request, { pending, to }))
      return redirect(address.href)
    }).pipe(
      Effect.catchTags({
        ConnectionExposed: () => Effect.succeed(showProblem("exposed", to)),
        OidcFailed: ({ problem }) => Effect.succeed(showProblem(problem, to)),
        TooManyAttempts: () => Effect.succeed(showProblem("busy", to))
      })
    )
  })

  const finish = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const answer = queryOf(request)
    const waiting = yield* tickets.peek(request)
    // Compared before it is taken, so that an address made by others does not end the owner's sign-in.
    if (!Option.exists(waiting, ({ pending }) => pending.state === answer.get("state")))
      return showProblem("oidc_expired", returnPath(null))
    const leaving = yield* tickets.take(request)
    if (Option.isNone(leaving)) return showProblem("oidc_expired", returnPath(null))
    const { pending, to } = leaving.value
    return yield* attempt(request, provider.finish(pending, answer)).pipe(
      Effect.zipRight(beginSession(sessions, "oidc")),
      Effect.as(redirect(to)),
      Effect.catchTags({
        ConnectionExposed: () => Effect.succeed(showProblem("exposed", to)),
        OidcFailed: ({ problem }) => Effect.succeed(showProblem(problem, to)),
        StoreUnavailable: () => Effect.succeed(showProblem("unavailable", to)),
        TooManyAttempts: () => Effect.succeed(showProblem("busy", to))
      })
    )
  })

  yield* router.add("GET", BEGIN, begin)
  yield* router.add("GET", CALLBACK, finish)
})
