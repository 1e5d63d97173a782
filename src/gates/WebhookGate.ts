import { HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import { Forbidden } from "../api/Failures.ts"
import { WebhookGate } from "../api/Gates.ts"
import { Setting } from "../domain/Configuration.ts"
import { matchesSecret } from "./Secrets.ts"

const admit = (given: Redacted.Redacted) =>
  Effect.flatMap(matchesSecret(Setting.webhookSecret, given), (matches) =>
    matches ? Effect.void : new Forbidden()
  )

export const layer = Layer.succeed(WebhookGate, { secret: admit })

/** The same gate for a plain route: fails unless the request carries the secret. The body is not touched. */
export const pass = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  admit(Redacted.make(headers["x-telegram-bot-api-secret-token"] ?? ""))
)
