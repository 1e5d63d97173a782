import { HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Unauthorized } from "../http/api/Failures.ts"
import { ExtensionGate } from "../http/api/Middleware.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { matchesSecret } from "./Secrets.ts"

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, section 2.1); the scheme is case-insensitive. */
export const bearerToken = (authorization: string | undefined): Option.Option<Redacted.Redacted> =>
  Option.map(Option.fromNullable(authorization?.match(/^bearer +([^\s,]+)$/i)?.[1]), Redacted.make)

/** Fails unless the request carries the extension's token; the 401 names the scheme. Does not read the body. */
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

/** Bypasses the framework's parser of the header, which accepts any six-letter scheme as `Bearer`. */
export const layer = Layer.succeed(ExtensionGate, { token: () => pass })
