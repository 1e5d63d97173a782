import { HttpServerRequest } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Forbidden } from "../api/Failures.ts"
import { Setting } from "../domain/Configuration.ts"
import { Measure } from "../domain/Metrics.ts"
import { matchesSecret } from "./Secrets.ts"

/** Fails unless the request carries the secret that was registered with the platform. The body is not touched. */
export const pass = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = Redacted.make(headers["x-telegram-bot-api-secret-token"] ?? "")
  if (yield* matchesSecret(Setting.webhookSecret, given)) return
  yield* Measure.gateRefusals.count("webhook")
  return yield* new Forbidden()
})
