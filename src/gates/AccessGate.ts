import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Data, Effect, Either, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Forbidden } from "../http/api/Failures.ts"
import { scopesFor } from "../http/api/Scopes.ts"
import { isLoopback } from "../runtime/AddressRanges.ts"
import { Service } from "../runtime/Services.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { makeAccessVerifier, makeJwtVerifier } from "./GatewayTokens.ts"
import { Programs, requireOneOf, tokenOf } from "./Programs.ts"
import { isDirect } from "./RequestHost.ts"
import { Sessions } from "./Sessions.ts"
import { headerVerifier } from "./TrustedHeader.ts"
import { type Request, TokenRefused, type Verifier } from "./Verifier.ts"

const sessionVerifier = Effect.map(Sessions, ({ verify }): Verifier => ({ name: "session", verify }))

/** All verifiers, in the order in which they are asked: first those that cost least. */
export class Verifiers extends Service<Verifiers>()(
  "Verifiers",
  Effect.map(
    Effect.all([sessionVerifier, makeAccessVerifier, makeJwtVerifier]),
    (verifiers): ReadonlyArray<Verifier> => [headerVerifier, ...verifiers]
  )
) {}

/** DEV_NO_AUTH would open the dashboard to everyone who can reach the service over the network. */
class DashboardExposed extends Data.TaggedError("DashboardExposed")<{
  readonly setting: "HOST" | "PUBLIC_URL"
  readonly value: string
}> {
  override get message() {
    return this.setting === "HOST"
      ? `DEV_NO_AUTH=1 opens the dashboard to everyone, but HOST=${this.value} is reachable from other machines. ` +
          "Unset DEV_NO_AUTH, or set HOST=127.0.0.1."
      : `DEV_NO_AUTH=1 opens the dashboard to everyone, but PUBLIC_URL=${this.value} is a public address. ` +
          "Unset DEV_NO_AUTH or PUBLIC_URL."
  }
}

/** Returns the error if HOST or PUBLIC_URL rules out DEV_NO_AUTH; undefined if both name only this machine. */
export const exposureError = (host: string, publicUrl: string | undefined): DashboardExposed | undefined => {
  if (!isLoopback(host)) return new DashboardExposed({ setting: "HOST", value: host })
  return publicUrl === undefined || isLoopback(URL.parse(publicUrl)?.hostname ?? "")
    ? undefined
    : new DashboardExposed({ setting: "PUBLIC_URL", value: publicUrl })
}

/** Whether DEV_NO_AUTH is on. It fails, and so must the start, unless HOST and PUBLIC_URL are loopback addresses. */
export const devNoAuth = Effect.gen(function* () {
  if (!(yield* Setting.devNoAuth.config)) return false
  const publicUrl = Option.getOrUndefined(yield* Setting.publicUrl.config)
  const exposed = exposureError(yield* Setting.host.config, publicUrl)
  if (exposed !== undefined) return yield* exposed
  yield* Effect.logWarning("DEV_NO_AUTH=1: the dashboard is open to every program on this machine.")
  return true
})

/** With DEV_NO_AUTH, admits only direct requests to a loopback host, which excludes DNS rebinding and tunnels. */
const requireDirect = ({ headers }: Request) =>
  isDirect(headers)
    ? Effect.void
    : new TokenRefused({ reason: "DEV_NO_AUTH admits direct requests to a loopback host only" })

const anyOf = (verifiers: ReadonlyArray<Verifier>) =>
  Effect.fnUntraced(function* (request: Request) {
    const reasons: Array<string> = []
    for (const { name, verify } of verifiers) {
      const refused = yield* Effect.either(verify(request))
      if (Either.isRight(refused)) return
      reasons.push(`${name}: ${refused.left.reason}`)
    }
    return yield* new TokenRefused({ reason: reasons.join("; ") })
  })

const makeCheck = Effect.gen(function* () {
  if (yield* devNoAuth) return requireDirect
  return anyOf(yield* Verifiers)
})

const make = Effect.gen(function* () {
  const check = yield* makeCheck
  const programs = yield* Programs
  return {
    /** Fails unless the request comes from the owner, or from a program, whose scopes are checked at each endpoint. */
    pass: Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (tokenOf(request) !== undefined) return
      yield* Effect.catchTag(check(request), "TokenRefused", ({ reason }) =>
        Effect.all([
          Measure.gateRefusals.count("dashboard"),
          Effect.logDebug(`dashboard gate refused a request: ${reason}`),
          new Forbidden()
        ])
      )
    }),
    /** Whether `pass` admits the request, for a route that also answers everyone else. */
    admits: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const token = tokenOf(request)
      return token === undefined ? Effect.isSuccess(check(request)) : programs.admits(token)
    })
  }
})

/**
 * The dashboard's gate for plain routes: admits a request that any of the verifiers admits. Fails closed: every other
 * request gets the same 403.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class Access extends Service<Access>()("Access", make) {}

/** Fails unless a program's token has the scope of the endpoint; one without a row is for the owner alone. */
const passScope = Effect.flatMap(Effect.serviceOption(HttpRouter.RouteContext), (found) =>
  requireOneOf(
    Option.match(found, { onNone: () => [], onSome: ({ route }) => scopesFor(route.method, route.path) })
  )
)

export const accessGate = Effect.map(Access, ({ pass }) => ({ jwt: () => Effect.zipRight(pass, passScope) }))

/** The gate for setting up ways to sign in: admits the owner, and a browser in which a one-time code was entered. */
export const signInGate = Effect.gen(function* () {
  const access = yield* Access
  const sessions = yield* Sessions
  const pass = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (Option.isNone(yield* sessions.settingUp(request))) yield* access.pass
  })
  return { session: () => pass }
})
