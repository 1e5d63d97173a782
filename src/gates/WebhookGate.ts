import { HttpServerRequest } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Forbidden } from "../http/api/Failures.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { matchesSecret } from "./Secrets.ts"

/** Fails unless the request carries the secret registered with Telegram. Does not read the body. */
export const pass = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = Redacted.make(headers["x-telegram-bot-api-secret-token"] ?? "")
  if (yield* matchesSecret(Setting.webhookSecret, given)) return
  yield* Measure.gateRefusals.count("webhook")
  return yield* new Forbidden()
})
