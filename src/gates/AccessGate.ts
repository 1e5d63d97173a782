import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Redacted } from "effect"
import { Forbidden } from "../api/Failures.ts"
import { AccessGate } from "../api/Gates.ts"
import { Measure } from "../domain/Metrics.ts"
import { makeVerify } from "./AccessToken.ts"
import { devNoAuth } from "./DevNoAuth.ts"

/** Who the request must carry a token for: header first, else the cookie the gateway sets (Cloudflare One docs). */
const tokenOf = ({ cookies, headers }: HttpServerRequest.HttpServerRequest) =>
  Redacted.make(headers["cf-access-jwt-assertion"] ?? cookies["CF_Authorization"] ?? "")

/** Gate 4 as plain routes use it. Fails closed: whatever is wrong with a token, the answer is the same 403. */
export class Access extends Context.Tag("Access")<
  Access,
  { readonly pass: Effect.Effect<void, Forbidden, HttpServerRequest.HttpServerRequest> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      if (yield* devNoAuth) return { pass: Effect.void }
      const verify = yield* makeVerify
      return {
        pass: Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          yield* Effect.catchTag(verify(tokenOf(request)), "TokenRefused", ({ reason }) =>
            Effect.all([
              Measure.gateRefusals.count("dashboard"),
              Effect.logDebug(`the dashboard's gate refused: ${reason}`),
              new Forbidden()
            ])
          )
        })
      }
    })
  )
}

export const layer = Layer.effect(
  AccessGate,
  Effect.map(Access, ({ pass }) => ({ jwt: () => pass }))
)
