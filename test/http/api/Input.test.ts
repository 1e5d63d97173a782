import { describe, expect, test } from "bun:test"
import { HttpApi, HttpApiError } from "@effect/platform"
import { Effect, Either, Option, Schema } from "effect"
import { ServedApi } from "../../../src/http/api/Api.ts"
import { BadRequest } from "../../../src/http/api/Failures.ts"
import {
  jsonPayload,
  optional,
  pathNumber,
  queryParameters,
  required,
  sentenceOf
} from "../../../src/http/api/Input.ts"
import { choice } from "../../../src/shared/ListParameters.ts"
import { deepJson } from "../../support/strange.ts"

/** The framework's error for an input that does not fit; undefined if it fits. */
const errorOf = <A, I>(schema: Schema.Schema<A, I>, input: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema)(input), {
    onLeft: (error) => Effect.runSync(HttpApiError.HttpApiDecodeError.fromParseError(error)),
    onRight: () => undefined
  })

const refusal = <A, I>(schema: Schema.Schema<A, I>, input: unknown) => {
  const error = errorOf(schema, input)
  return error === undefined ? "fits" : sentenceOf(error)
}

describe("a JSON body that does not fit", () => {
  const Body = jsonPayload(
    Schema.Struct({ url: Schema.String, more: Schema.Struct({ note: Schema.String }) })
  )

  test("is answered with the field's name and without its value", () => {
    expect(refusal(Body, { more: { note: "" } })).toBe('The field "url" is missing or invalid.')
    expect(refusal(Body, { url: "", more: { note: { very: "private" } } })).toBe(
      'The field "more.note" is missing or invalid.'
    )
    expect(refusal(Body, { url: "", more: { note: "" } })).toBe("fits")
  })

  test("is answered without a field where it is no object at all", () => {
    for (const input of [null, 5, "private", []])
      expect(refusal(Body, input)).toBe("The request cannot be understood.")
  })

  test("is not repeated by the framework's error either, however deep it is", () => {
    for (const input of ["private", { url: JSON.parse(deepJson(100_000)) }]) {
      const error = errorOf(Body, input)
      expect(JSON.stringify(error)).not.toContain("private")
      expect(JSON.stringify(error).length).toBeLessThan(1_000)
    }
  })

  test("is told the words that a field accepts", () => {
    const Choice = jsonPayload(
      Schema.Union(
        Schema.Struct({ op: Schema.Literal("add"), to: Schema.Int }),
        Schema.Struct({ op: Schema.Literal("drop") })
      )
    )
    expect(refusal(Choice, { op: "private" })).toBe('The field "op" must be one of add, drop.')
    expect(refusal(Choice, { op: "constructor" })).toBe('The field "op" must be one of add, drop.')
    for (const input of [{}, { op: 5 }, { op: null }])
      expect(refusal(Choice, input)).toBe('The field "op" is missing or invalid.')
    expect(refusal(Choice, { op: "add", to: "x" })).toBe('The field "to" is missing or invalid.')
  })
})

test("a number in a path is refused with its own sentence", () => {
  const Path = Schema.Struct({ id: pathNumber("A thing has a number.") })
  for (const id of ["0", "-1", "1.5", "01", "a", "", "9".repeat(16)])
    expect(refusal(Path, { id })).toBe("A thing has a number.")
  expect(refusal(Path, { id: "12" })).toBe("fits")
})

describe("query parameters", () => {
  const size = choice(["small", "large"], "small or large")
  const Parameters = queryParameters(Schema.Struct({}), (sent) =>
    Either.all({ size: required(sent, "size", size), other: optional(sent, "other", size) })
  )

  test("are read with the last value, and others are ignored", () => {
    const read = Schema.decodeUnknownSync(Parameters)
    expect(read({ size: "small", more: "x" })).toEqual({ size: "small", other: undefined })
    expect(read({ size: ["x", "large"], other: "" })).toEqual({ size: "large", other: undefined })
  })

  test("are refused by name", () => {
    for (const sent of [{}, { size: "" }, { size: "private" }, { size: ["small", "private"] }])
      expect(refusal(Parameters, sent)).toBe('The parameter "size" must be small or large.')
    expect(refusal(Parameters, { size: "small", other: "x" })).toBe(
      'The parameter "other" must be small or large.'
    )
  })
})

test("every endpoint refuses what does not fit with a sentence", () => {
  const refusals: Array<string> = []
  HttpApi.reflect(ServedApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const isImport = endpoint.name === "importFile"
      const all = [
        [isImport ? Option.none() : endpoint.payloadSchema, 5],
        [endpoint.pathSchema, { id: "x" }],
        [endpoint.urlParamsSchema, { ids: "x", pages: "x", format: "x" }]
      ] as const
      for (const [schema, input] of all)
        if (Option.isSome(schema)) {
          const sentence = refusal(Schema.make(schema.value.ast), input)
          expect([endpoint.name, sentence]).toEqual([
            endpoint.name,
            expect.stringMatching(/^([A-Z].*\.|fits)$/)
          ])
          if (sentence !== "fits") refusals.push(endpoint.name)
        }
    }
  })
  expect(refusals).toEqual([
    "link",
    "linksByIds",
    "save",
    "mutate",
    "removeCollection",
    "action",
    "job",
    "image",
    "favicon",
    "importFile",
    "exportLibrary"
  ])
})

test("an error that is not about the input stays a bug", () => {
  const error = errorOf(Schema.Struct({ answer: Schema.Int }), { answer: "private" })
  expect(error === undefined ? "" : sentenceOf(error)).toBeUndefined()
  expect(Either.isLeft(Schema.encodeUnknownEither(BadRequest.schema)(error))).toBe(true)
})
