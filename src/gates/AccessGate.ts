import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Redacted } from "effect"
import { Forbidden } from "../http/api/Failures.ts"
import { AccessGate } from "../http/api/Middleware.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { makeVerify, TokenRefused } from "./AccessToken.ts"
import { devNoAuth } from "./DevNoAuth.ts"
import { isDirect } from "./RequestHost.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Returns the access token: from the header, else from the cookie the gateway sets (Cloudflare One docs). */
const tokenOf = ({ cookies, headers }: Request) =>
  Redacted.make(headers["cf-access-jwt-assertion"] ?? cookies["CF_Authorization"] ?? "")

/** With DEV_NO_AUTH, admits only direct requests to a loopback host, which excludes DNS rebinding and tunnels. */
const requireDirect = ({ headers }: Request) =>
  isDirect(headers)
    ? Effect.void
    : new TokenRefused({ reason: "DEV_NO_AUTH admits direct requests to a loopback host only" })

const makeCheck = Effect.gen(function* () {
  if (yield* devNoAuth) return requireDirect
  const verify = yield* makeVerify
  return (request: Request) => verify(tokenOf(request))
})

/**
 * Gate 4 for plain routes. Fails closed: every problem with a token gives the same 403.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class Access extends Context.Tag("Access")<
  Access,
  {
    /** Fails unless the request comes from the owner. */
    readonly pass: Effect.Effect<void, Forbidden, Request>
    /** Whether `pass` admits the request, for a route that also answers everyone else. */
    readonly admits: Effect.Effect<boolean, never, Request>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const check = yield* makeCheck
      return {
        pass: Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          yield* Effect.catchTag(check(request), "TokenRefused", ({ reason }) =>
            Effect.all([
              Measure.gateRefusals.count("dashboard"),
              Effect.logDebug(`dashboard gate refused a request: ${reason}`),
              new Forbidden()
            ])
          )
        }),
        admits: HttpServerRequest.HttpServerRequest.pipe(Effect.flatMap(check), Effect.isSuccess)
      }
    })
  )
}

export const layer = Layer.effect(
  AccessGate,
  Effect.map(Access, ({ pass }) => ({ jwt: () => pass }))
)
