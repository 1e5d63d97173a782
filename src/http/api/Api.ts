import { HttpApi, HttpApiEndpoint, type HttpApiError, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Accepted, Capture, Saved } from "../../domain/Capture.ts"
import { HealthReport } from "../../domain/Health.ts"
import { dashboard } from "./DashboardApi.ts"
import {
  BadRequest,
  IdempotencyKeyReused,
  RequestTimeout,
  TooLarge,
  Unavailable,
  UnsupportedMediaType
} from "./Failures.ts"
import { jsonPayload } from "./Input.ts"
import { list } from "./ListApi.ts"
import { ExtensionGate, JsonBody, WebhookGate } from "./Middleware.ts"
import { CaptureHeaders, documented } from "./Parameters.ts"

/** A chat update: any JSON the platform sends. The bot decides which parts it reads. */
const Update = Schema.Unknown

const webhook = HttpApiGroup.make("webhook")
  .add(
    HttpApiEndpoint.post("receive", "/webhook")
      .setPayload(Update)
      .addSuccess(Schema.Void, { status: 200 })
      .annotateContext(
        documented(
          "Takes an update of the bot",
          "An update of Telegram's Bot API. It is on disk before it is answered, and its work goes on behind. One of any other chat than the owner's is answered alike, and forgotten."
        )
      )
  )
  .addError(BadRequest.schema)
  .addError(RequestTimeout.schema)
  .addError(TooLarge.schema)
  .addError(UnsupportedMediaType.schema)
  .addError(Unavailable.schema)
  .middleware(WebhookGate)
  .annotate(OpenApi.Description, "Gates 1 and 2: for Telegram, which sends the secret it was given.")

const capture = HttpApiGroup.make("capture")
  .add(
    HttpApiEndpoint.post("link", "/link")
      .setHeaders(CaptureHeaders)
      .setPayload(jsonPayload(Capture))
      .addSuccess(Saved)
      .addSuccess(Accepted, { status: 202 })
      .addError(IdempotencyKeyReused.schema)
      .addError(Unavailable.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Saves a link",
          "The answer is the same for a new link and for a known one. A repeated request with the same `Idempotency-Key` header is one capture and gets the answer of the first; another request under that key is refused with 409 for 14 days. What takes longer than `CAPTURE_WAIT` is answered with 202 and goes on."
        )
      )
  )
  .prefix("/capture/api")
  .middlewareEndpoints(ExtensionGate)
  .annotate(OpenApi.Description, "Gate 3: for the browser extension, whose token can save and nothing else.")

/** The health report with the statuses that are answered alike. */
const healthOf = <const Status extends HealthReport["status"]>(...statuses: ReadonlyArray<Status>) =>
  Schema.Struct({ ...HealthReport.fields, status: Schema.Literal(...statuses) })

const status = HttpApiGroup.make("status", { topLevel: true })
  .add(
    HttpApiEndpoint.get("healthz", "/healthz")
      .addSuccess(healthOf("ok", "degraded"))
      .addSuccess(healthOf("failing"), { status: 503 })
      .annotateContext(documented("Reports that the service is up, and which of its parts fail"))
  )
  .add(
    HttpApiEndpoint.get("openapi", "/openapi.json")
      .addSuccess(Schema.Unknown)
      .annotateContext(documented("Describes this interface to programs, as OpenAPI 3.1"))
  )
  .annotate(OpenApi.Description, "Open to everybody.")

/** The endpoints that the framework serves from their declaration. */
export class ServedApi extends HttpApi.make("linkbower").add(capture).add(dashboard).add(list).add(status) {
  /** Removes the body that the framework gives its decoding error, which `BadRequest.schema` encodes instead. */
  static override readonly errorSchema = Schema.make<HttpApiError.HttpApiDecodeError, unknown>(
    Schema.Never.ast
  )
}

/**
 * Every endpoint with its gate, from which the documentation is generated. Only the webhook is served by a plain route,
 * because its response must cost little more than the sync to disk.
 */
export class Api extends ServedApi.add(webhook)
  .annotate(OpenApi.Title, "Linkbower")
  .annotate(OpenApi.Description, "A link library for one person.")
  .annotate(OpenApi.License, { name: "MIT" }) {}

/** Generates the OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0) from the declarations of the endpoints. */
export const openApi = (version: string): OpenApi.OpenAPISpec =>
  OpenApi.fromApi(Api.annotate(OpenApi.Version, version), { additionalPropertiesStrategy: "allow" })
