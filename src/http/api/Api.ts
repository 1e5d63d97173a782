import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Option, Record, Schema } from "effect"
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
import { ExtensionGate, WebhookGate } from "./Gates.ts"
import { list } from "./ListApi.ts"
import { documented } from "./Parameters.ts"

/** A chat update: any JSON the platform sends. The bot decides which parts it reads. */
const Update = Schema.Unknown

const webhook = HttpApiGroup.make("webhook")
  .add(
    HttpApiEndpoint.post("receive", "/webhook")
      .setPayload(Update)
      .addSuccess(Schema.Void, { status: 200 })
      .annotateContext(
        documented("Takes an update of the bot", {
          description:
            "An update of Telegram's Bot API. It is on disk before it is answered, and its work goes on behind. One of any other chat than the owner's is answered alike, and forgotten."
        })
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
      .setPayload(Capture)
      .addSuccess(Saved)
      .addSuccess(Accepted, { status: 202 })
      .addError(IdempotencyKeyReused.schema)
      .annotateContext(
        documented("Saves a link", {
          description:
            "The answer is the same for a new link and for a known one. A repeated request with the same `Idempotency-Key` header is one capture and gets the answer of the first; another request under that key is refused with 409 for 14 days. What takes longer than `CAPTURE_WAIT` is answered with 202 and goes on."
        })
      )
  )
  .prefix("/capture/api")
  .addError(BadRequest.schema)
  .addError(RequestTimeout.schema)
  .addError(TooLarge.schema)
  .addError(UnsupportedMediaType.schema)
  .addError(Unavailable.schema)
  .middleware(ExtensionGate)
  .annotate(OpenApi.Description, "Gate 3: for the browser extension, whose token can save and nothing else.")

const status = HttpApiGroup.make("status", { topLevel: true })
  .add(
    HttpApiEndpoint.get("healthz", "/healthz")
      .addSuccess(HealthReport)
      .addSuccess(HealthReport, { status: 503 })
      .annotateContext(documented("Reports that the service is up, and which of its parts fail"))
  )
  .add(
    HttpApiEndpoint.get("openapi", "/openapi.json")
      .addSuccess(Schema.Unknown)
      .annotateContext(documented("Describes this interface to programs, as OpenAPI 3.1"))
  )
  .annotate(OpenApi.Description, "Open to everybody.")

/** The endpoints that the framework serves from their declaration. */
export class ServedApi extends HttpApi.make("linkbower").add(capture).add(dashboard).add(list).add(status) {}

/**
 * Every endpoint with its gate, from which the documentation is generated. Only the webhook is served by a plain route,
 * because its response must cost little more than the sync to disk.
 */
export class Api extends ServedApi.add(webhook)
  .annotate(OpenApi.Title, "Linkbower")
  .annotate(OpenApi.Description, "A link library for one person.")
  .annotate(OpenApi.License, { name: "MIT" }) {}

type Operation = OpenApi.OpenAPISpecOperation
type Response = Operation["responses"][number]

/**
 * The framework's response to invalid input; the service sends the contract's error body instead, as for every failure.
 */
const DECODE_ERROR = "HttpApiDecodeError"
const frameworkSchemas = [DECODE_ERROR, "Issue", "PropertyKey"]

const refTo = (name: string) => `#/components/schemas/${name}`
const isDecodeError = (schema: object) => "$ref" in schema && schema.$ref === refTo(DECODE_ERROR)

const json = (name: string) => ({ "application/json": { schema: { $ref: refTo(name) } } })

/** Returns a response as the service sends it; none if only the framework declares it. */
const asSent = (response: Response): Option.Option<Response> => {
  const schema = response.content?.["application/json"]?.schema
  if (schema === undefined) return Option.some(response)
  if (isDecodeError(schema)) return Option.none()
  const mixed = "anyOf" in schema && schema.anyOf.some(isDecodeError)
  return Option.some(mixed ? { ...response, content: json("BadRequest") } : response)
}

/** Generates the OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0) from the declarations of the endpoints. */
export const openApi = (version: string): OpenApi.OpenAPISpec => {
  const spec = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  const schemas = Record.filter(spec.components.schemas, (_, name) => !frameworkSchemas.includes(name))

  const described = (response: Response): Response => {
    const schema = response.content?.["application/json"]?.schema
    const named =
      schema !== undefined && "$ref" in schema ? schemas[schema.$ref.slice(refTo("").length)] : schema
    return { ...response, description: named?.description ?? response.description }
  }
  const operation = (one: Operation): Operation => ({
    ...one,
    responses: Record.map(Record.filterMap(one.responses, asSent), described)
  })
  const item = (methods: OpenApi.OpenAPISpecPathItem): OpenApi.OpenAPISpecPathItem =>
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operation(one)]))

  return {
    ...spec,
    info: { ...spec.info, version },
    paths: Record.map(spec.paths, item),
    components: { ...spec.components, schemas }
  }
}
