import { HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Unauthorized } from "../http/api/Failures.ts"
import { ExtensionGate } from "../http/api/Gates.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { matchesSecret } from "./Secrets.ts"

/** The one token of an `Authorization: Bearer` header (RFC 6750, section 2.1); the scheme's case does not matter. */
export const bearerToken = (authorization: string | undefined): Option.Option<Redacted.Redacted> =>
  Option.map(Option.fromNullable(authorization?.match(/^bearer +([^\s,]+)$/i)?.[1]), Redacted.make)

/** Fails unless the request carries the extension's token; the 401 names the scheme. The body is not touched. */
export const pass = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = bearerToken(headers["authorization"])
  if (Option.isSome(given) && (yield* matchesSecret(Setting.extensionToken, given.value))) return
  yield* Measure.gateRefusals.count("extension")
  const refusal = new Unauthorized()
  yield* HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, refusal.headers))
  )
  return yield* refusal
})

/** The framework's own reading of the header takes any scheme of six letters for `Bearer`, so it is not used. */
export const layer = Layer.succeed(ExtensionGate, { token: () => pass })
