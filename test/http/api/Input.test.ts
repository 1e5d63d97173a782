import { describe, expect, test } from "bun:test"
import { HttpApi, HttpApiError } from "@effect/platform"
import { Effect, Either, Option, Schema } from "effect"
import { ServedApi } from "../../../src/http/api/Api.ts"
import { BadRequest } from "../../../src/http/api/Failures.ts"
import {
  jsonPayload,
  parameter,
  pathNumber,
  queryParameters,
  required,
  sentenceOf
} from "../../../src/http/api/Input.ts"
import { choice } from "../../../src/shared/ListParameters.ts"
import { deepJson } from "../../support/strange.ts"

/** The framework's error for an invalid input; undefined for a valid one. */
const errorOf = <A, I>(schema: Schema.Schema<A, I>, input: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema)(input), {
    onLeft: (error) => Effect.runSync(HttpApiError.HttpApiDecodeError.fromParseError(error)),
    onRight: () => undefined
  })

const messageFor = <A, I>(schema: Schema.Schema<A, I>, input: unknown) => {
  const error = errorOf(schema, input)
  return error === undefined ? "valid" : sentenceOf(error)
}

describe("an invalid JSON body", () => {
  const Body = jsonPayload(
    Schema.Struct({ url: Schema.String, more: Schema.Struct({ note: Schema.String }) })
  )

  test("is reported by the field's name, without its value", () => {
    expect(messageFor(Body, { more: { note: "" } })).toBe('The field "url" is missing or invalid.')
    expect(messageFor(Body, { url: "", more: { note: { very: "private" } } })).toBe(
      'The field "more.note" is missing or invalid.'
    )
    expect(messageFor(Body, { url: "", more: { note: "" } })).toBe("valid")
  })

  test("says how long a field may be", () => {
    const Bounded = jsonPayload(Schema.Struct({ url: Schema.String.pipe(Schema.maxLength(8_192)) }))
    expect(messageFor(Bounded, { url: "x".repeat(9_000) })).toBe(
      'The field "url" has more than 8,192 characters.'
    )
    expect(messageFor(Bounded, { url: 5 })).toBe('The field "url" is missing or invalid.')
  })

  test("is reported without a field if it is not an object", () => {
    for (const input of [null, 5, "private", []])
      expect(messageFor(Body, input)).toBe("The request cannot be understood.")
  })

  test("is not repeated in the framework's error, however deep it is", () => {
    for (const input of ["private", { url: JSON.parse(deepJson(100_000)) }]) {
      const error = errorOf(Body, input)
      expect(JSON.stringify(error)).not.toContain("private")
      expect(JSON.stringify(error).length).toBeLessThan(1_000)
    }
  })

  test("is reported with the values that a field accepts", () => {
    const Choice = jsonPayload(
      Schema.Union(
        Schema.Struct({ op: Schema.Literal("add"), to: Schema.Int }),
        Schema.Struct({ op: Schema.Literal("drop") })
      )
    )
    expect(messageFor(Choice, { op: "private" })).toBe('The field "op" must be one of add, drop.')
    expect(messageFor(Choice, { op: "constructor" })).toBe('The field "op" must be one of add, drop.')
    for (const input of [{}, { op: 5 }, { op: null }])
      expect(messageFor(Choice, input)).toBe('The field "op" is missing or invalid.')
    expect(messageFor(Choice, { op: "add", to: "x" })).toBe('The field "to" is missing or invalid.')
  })
})

test("an invalid id in a path is reported with its own message", () => {
  const Path = Schema.Struct({ id: pathNumber("A thing has a number.") })
  for (const id of ["0", "-1", "1.5", "01", "a", "", "9".repeat(16)])
    expect(messageFor(Path, { id })).toBe("A thing has a number.")
  expect(messageFor(Path, { id: "12" })).toBe("valid")
})

describe("query parameters", () => {
  const size = parameter("A size.", choice(["small", "large"], "small or large"))
  const Parameters = queryParameters({ size: required(size), other: size })

  test("have the last value sent; unknown ones are ignored", () => {
    const read = Schema.decodeUnknownSync(Parameters)
    expect(read({ size: "small", more: "x" })).toEqual({ size: "small", other: undefined })
    expect(read({ size: ["x", "large"], other: "" })).toEqual({ size: "large", other: undefined })
  })

  test("are rejected by name", () => {
    for (const sent of [{}, { size: "" }, { size: "private" }, { size: ["small", "private"] }])
      expect(messageFor(Parameters, sent)).toBe('The parameter "size" must be small or large.')
    expect(messageFor(Parameters, { size: "small", other: "x" })).toBe(
      'The parameter "other" must be small or large.'
    )
  })
})

test("every endpoint rejects invalid input with a sentence", () => {
  const rejecting: Array<string> = []
  HttpApi.reflect(ServedApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      // Its handlers read the bodies themselves, and answer with the errors of OAuth.
      if (group.identifier === "oauth") return
      const isImport = endpoint.name === "importFile"
      const all = [
        [isImport ? Option.none() : endpoint.payloadSchema, 5],
        [endpoint.pathSchema, { id: "x", name: "x", token: "x" }],
        [endpoint.urlParamsSchema, { after: "x", ids: "x", pages: "x", format: "x" }]
      ] as const
      for (const [schema, input] of all)
        if (Option.isSome(schema)) {
          const sentence = messageFor(Schema.make(schema.value.ast), input)
          expect([endpoint.name, sentence]).toEqual([
            endpoint.name,
            expect.stringMatching(/^([A-Z].*\.|valid)$/)
          ])
          if (sentence !== "valid") rejecting.push(endpoint.name)
        }
    }
  })
  expect(rejecting).toEqual(
    [
      "link linksByIds keys link save mutate createSearch editSearch editSearch removeSearch action job keepAddress keepAddress image favicon importFile exportLibrary",
      "editTag editCategory createCollection collection editCollection editCollection removeCollection",
      "read versions forget picture ofLink add add change change remove changeNamed changeNamed removeNamed removeNamed",
      "linkEpub linkMarkdown position report report",
      "bot chat extension model test",
      "end set add revoke undo undo authorize save code password passkey setPassword addPasskey renamePasskey renamePasskey removePasskey share share end"
    ].flatMap((names) => names.split(" "))
  )
})

test("an error that is not about the input remains a defect", () => {
  const error = errorOf(Schema.Struct({ answer: Schema.Int }), { answer: "private" })
  expect(error === undefined ? "" : sentenceOf(error)).toBeUndefined()
  expect(Either.isLeft(Schema.encodeUnknownEither(BadRequest.schema)(error))).toBe(true)
})
