import { HttpApiMiddleware, HttpApiSecurity, HttpServerRequest, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import {
  BadRequest,
  Forbidden,
  InsufficientScope,
  RequestTimeout,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  UnsupportedMediaType
} from "./Failures.ts"

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

/**
 * Gate 4: only the owner reaches the dashboard, in any of the ways to sign in, and below `/api/v1` a program with the
 * scope that the endpoint needs. The description names one scheme, because
 * the framework would run the gate once for each.
 */
export class AccessGate extends HttpApiMiddleware.Tag<AccessGate>()("AccessGate", {
  failure: Schema.Union(Forbidden.schema, InsufficientScope.schema),
  security: {
    jwt: HttpApiSecurity.apiKey({ in: "header", key: "cf-access-jwt-assertion" }).pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "The cookie `linkbower_session`, a token of Cloudflare Access in `cf-access-jwt-assertion`, another signed token, or a trusted proxy's header."
      )
    )
  }
}) {}

/** Admits the owner, and a browser that has entered the one-time code. */
export class SignInGate extends HttpApiMiddleware.Tag<SignInGate>()("SignInGate", {
  failure: Forbidden.schema,
  security: { session: HttpApiSecurity.apiKey({ in: "cookie", key: "linkbower_session" }) }
}) {}

/** Why a body is not read. */
export const BodyFailure = Schema.Union(
  BadRequest.schema,
  RequestTimeout.schema,
  TooLarge.schema,
  UnsupportedMediaType.schema
)
export type BodyFailure = typeof BodyFailure.Type

/**
 * Reads the JSON body of a request within the service's limits of type, size and time, for the framework to decode.
 *
 * An endpoint adds it before its group adds the gate (`middlewareEndpoints`): the middleware added last runs first, and
 * the gate must refuse a request before its body is read.
 */
export class JsonBody extends HttpApiMiddleware.Tag<JsonBody>()("JsonBody", {
  failure: BodyFailure,
  provides: HttpServerRequest.HttpServerRequest
}) {}

/** Reads the JSON body of a capture, which may be larger; refuses captures while too many are held in memory. */
export class CaptureBody extends HttpApiMiddleware.Tag<CaptureBody>()("CaptureBody", {
  failure: Schema.Union(BodyFailure, TooManyRequests.schema),
  provides: HttpServerRequest.HttpServerRequest
}) {}
