import { HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Redacted, Ref } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Forbidden, Unauthorized } from "../http/api/Failures.ts"
import { isSameSecret } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { Measure } from "../telemetry/Metrics.ts"

/** In constant time, and read on every call, so that a change takes effect at once; an unset one matches nothing. */
export const matchesSecret = (
  setting: Setting<Option.Option<Redacted.Redacted>>,
  given: Redacted.Redacted
): Effect.Effect<boolean> =>
  setting.config.pipe(
    Effect.map(Option.exists((secret) => Redacted.value(secret) !== "" && isSameSecret(secret, given))),
    Effect.orElseSucceed(() => false)
  )

/** Fails unless the request carries the secret registered with Telegram. Does not read the body. */
export const passWebhook = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = Redacted.make(headers["x-telegram-bot-api-secret-token"] ?? "")
  if (yield* matchesSecret(Setting.webhookSecret, given)) return
  yield* Measure.gateRefusals.count("webhook")
  return yield* new Forbidden()
})

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, section 2.1); the scheme is case-insensitive. */
const bearerToken = (authorization: string | undefined): Option.Option<Redacted.Redacted> =>
  Option.map(Option.fromNullable(authorization?.match(/^bearer +([^\s,]+)$/i)?.[1]), Redacted.make)

/** The token with which the extension came in last, since the program started. */
export class ExtensionUse extends Service<ExtensionUse>()(
  "ExtensionUse",
  Ref.make(Option.none<Redacted.Redacted>())
) {}

export const isExtensionConnected = Effect.flatMap(
  Effect.flatMap(ExtensionUse, Ref.get),
  Option.match({
    onNone: () => Effect.succeed(false),
    onSome: (used) => matchesSecret(Setting.extensionToken, used)
  })
)

/** Fails unless the request carries the extension's token; the 401 names the scheme. Does not read the body. */
const passExtension = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = bearerToken(headers["authorization"])
  if (Option.isSome(given) && (yield* matchesSecret(Setting.extensionToken, given.value)))
    return yield* Ref.set(yield* ExtensionUse, given)
  yield* Measure.gateRefusals.count("extension")
  const refusal = new Unauthorized()
  yield* HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, refusal.headers))
  )
  return yield* refusal
})

/** The extension's gate. Bypasses the framework's parser of the header, which accepts any six-letter scheme as `Bearer`. */
export const extensionGate = Effect.map(ExtensionUse, (use) => ({
  token: () => Effect.provideService(passExtension, ExtensionUse, use)
}))
