import { OpenApi } from "@effect/platform"
import { Option, Record } from "effect"
import { Api } from "./Api.ts"

type Operation = OpenApi.OpenAPISpecOperation
type Response = Operation["responses"][number]

/** What the framework would say of input that does not fit: here that gets the contract's body, as every failure does. */
const DECODE_ERROR = "HttpApiDecodeError"
const frameworks = [DECODE_ERROR, "Issue", "PropertyKey"]

const refTo = (name: string) => `#/components/schemas/${name}`
const isDecodeError = (schema: object) => "$ref" in schema && schema.$ref === refTo(DECODE_ERROR)

const json = (name: string) => ({ "application/json": { schema: { $ref: refTo(name) } } })

/** A response as it is really given; none where only the framework knows one. */
const given = (response: Response): Option.Option<Response> => {
  const schema = response.content?.["application/json"]?.schema
  if (schema === undefined) return Option.some(response)
  if (isDecodeError(schema)) return Option.none()
  const mixed = "anyOf" in schema && schema.anyOf.some(isDecodeError)
  return Option.some(mixed ? { ...response, content: json("BadRequest") } : response)
}

/** The interface as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0), made from what declares the endpoints. */
export const openApi = (version: string): OpenApi.OpenAPISpec => {
  const spec = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  const schemas = Record.filter(spec.components.schemas, (_, name) => !frameworks.includes(name))

  const described = (response: Response): Response => {
    const schema = response.content?.["application/json"]?.schema
    const named =
      schema !== undefined && "$ref" in schema ? schemas[schema.$ref.slice(refTo("").length)] : schema
    return { ...response, description: named?.description ?? response.description }
  }
  const operation = (one: Operation): Operation => ({
    ...one,
    responses: Record.map(Record.filterMap(one.responses, given), described)
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
