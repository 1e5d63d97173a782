import { HttpApiMiddleware, HttpApiSecurity } from "@effect/platform"
import { Forbidden, Unauthorized } from "./Failures.ts"

/** Gate 1: only Telegram delivers updates; it sends the secret that was registered with it. */
export class WebhookGate extends HttpApiMiddleware.Tag<WebhookGate>()("WebhookGate", {
  failure: Forbidden.schema,
  security: { secret: HttpApiSecurity.apiKey({ in: "header", key: "x-telegram-bot-api-secret-token" }) }
}) {}

/** Gate 3: only a client with the extension's save-only token captures links. */
export class ExtensionGate extends HttpApiMiddleware.Tag<ExtensionGate>()("ExtensionGate", {
  failure: Unauthorized.schema,
  security: { token: HttpApiSecurity.bearer }
}) {}

/** Gate 4: only requests through the access gateway, which signs a token for each one, reach the dashboard. */
export class AccessGate extends HttpApiMiddleware.Tag<AccessGate>()("AccessGate", {
  failure: Forbidden.schema,
  security: { jwt: HttpApiSecurity.apiKey({ in: "header", key: "cf-access-jwt-assertion" }) }
}) {}
