import { afterAll, describe, expect, test } from "bun:test"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpLayerRouter,
  HttpServer,
  OpenApi
} from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { LinkId, LinkNotFound } from "../../../src/domain/Link.ts"
import { StoreUnavailable } from "../../../src/domain/StoreUnavailable.ts"
import {
  BadRequest,
  Forbidden,
  Internal,
  MethodNotAllowed,
  NotFound,
  NotImplemented,
  TooLarge,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType
} from "../../../src/http/api/Failures.ts"

const expected = [
  [new BadRequest('The field "url" is missing.'), 400, "bad_request"],
  [new Unauthorized(), 401, "unauthorized"],
  [new Forbidden(), 403, "forbidden"],
  [new NotFound(), 404, "not_found"],
  [new MethodNotAllowed(["POST"]), 405, "method_not_allowed"],
  [new TooLarge(), 413, "too_large"],
  [new UnsupportedMediaType(), 415, "unsupported_media_type"],
  [new Internal(), 500, "internal"],
  [new NotImplemented(), 501, "not_implemented"],
  [new Unavailable(), 503, "unavailable"],
  [new LinkNotFound({ id: LinkId.make(12) }), 404, "not_found"]
] as const

/** The index of the error that the endpoint fails with. */
const Numbered = Schema.Struct({ number: Schema.NumberFromString })
const failWith = (number: number) =>
  Effect.fail(expected[number]?.[0] ?? new StoreUnavailable({ reason: "full" }))

class Api extends HttpApi.make("failing").add(
  HttpApiGroup.make("failing").add(
    HttpApiEndpoint.get("declared", "/declared")
      .setUrlParams(Numbered)
      .addError(BadRequest.schema)
      .addError(Unauthorized.schema)
      .addError(Forbidden.schema)
      .addError(NotFound.schema)
      .addError(MethodNotAllowed.schema)
      .addError(TooLarge.schema)
      .addError(UnsupportedMediaType.schema)
      .addError(Internal.schema)
      .addError(NotImplemented.schema)
      .addError(Unavailable.schema)
  )
) {}

const declared = HttpLayerRouter.addHttpApi(Api).pipe(
  Layer.provide(
    HttpApiBuilder.group(Api, "failing", (handlers) =>
      handlers.handle("declared", ({ urlParams }) => failWith(urlParams.number))
    )
  )
)
const plain = HttpLayerRouter.use((router) =>
  Effect.forEach(
    [new Unauthorized('Bearer scope="read"'), new MethodNotAllowed(["GET", "POST"]), new Unavailable()],
    (failure) => router.add("GET", `/plain/${failure._tag}`, Effect.fail(failure))
  )
)

const { dispose, handler } = HttpLayerRouter.toWebHandler(
  Layer.mergeAll(declared, plain).pipe(Layer.provideMerge(HttpServer.layerContext)),
  { disableLogger: true }
)
afterAll(dispose)
const get = (path: string) => handler(new Request(`http://localhost${path}`))

describe("a declared error", () => {
  for (const [number, [failure, status, error]] of expected.entries())
    test(`is ${status} with ${error} and its message`, async () => {
      const response = await get(`/declared?number=${number}`)
      expect(response.status).toBe(status)
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(await response.json()).toEqual({ error, message: failure.message })
    })

  test("of the library says to try again, and not why", async () => {
    const response = await get(`/declared?number=${expected.length}`)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ error: "unavailable", message: new Unavailable().message })
  })

  test("is documented with the schema of its response", () => {
    const { components, paths } = OpenApi.fromApi(Api)
    const answers = paths["/declared"]?.get?.responses ?? {}
    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining(["400", "401", "403", "404", "405", "413", "415", "500", "503"])
    )
    expect(answers[403]?.content?.["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/Forbidden"
    })
    expect(components.schemas["Forbidden"]).toMatchObject({
      type: "object",
      description: "This request is not allowed.",
      required: ["error", "message"],
      properties: { error: { enum: ["forbidden"] }, message: { type: "string" } }
    })
  })
})

describe("an error of a plain route", () => {
  for (const [tag, status, header, value] of [
    ["Unauthorized", 401, "www-authenticate", 'Bearer scope="read"'],
    ["MethodNotAllowed", 405, "allow", "GET, POST"],
    ["Unavailable", 503, "retry-after", "5"]
  ] as const)
    test(`is ${status} with ${header}`, async () => {
      const response = await get(`/plain/${tag}`)
      expect([response.status, response.headers.get(header)]).toEqual([status, value])
      expect(Object.keys(await response.json())).toEqual(["error", "message"])
    })
})

test("the error of a gate takes 64 bytes at most", async () => {
  expect((await (await get("/declared?number=2")).bytes()).length).toBeLessThanOrEqual(64)
})
