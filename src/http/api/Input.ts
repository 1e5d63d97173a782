import type { HttpApiError } from "@effect/platform"
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { grouped } from "../../shared/Format.ts"
import {
  type Parameter,
  type Params,
  paramValue,
  type RefusedParameter
} from "../../shared/ListParameters.ts"

/** The sentence for a request of which no part is worth naming. */
export const NOT_UNDERSTOOD = "The request cannot be understood."

/** Marks an issue whose message is a sentence for people, which never repeats the input. */
const SENTENCE = Symbol.for("linkbower/Sentence")

/** Says nothing of the input: the framework would format every issue and overflow on deeply nested values. */
const refusal = (ast: SchemaAST.AST, sentence: string): ParseResult.ParseIssue =>
  new ParseResult.Pointer(SENTENCE, undefined, new ParseResult.Type(ast, undefined, sentence))

/** Returns the sentence with which one of the schemas below refused an input; undefined for any other error. */
export const sentenceOf = ({ issues }: HttpApiError.HttpApiDecodeError): string | undefined => {
  const [first] = issues
  return first?.path.at(-1) === SENTENCE ? first.message : undefined
}

/** The words that a field accepts; undefined if it accepts anything else. */
const wordsOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  const types = (SchemaAST.isUnion(ast) ? ast.types : [ast]).filter(
    (type) => !SchemaAST.isUndefinedKeyword(type)
  )
  const words = types.flatMap((type) =>
    SchemaAST.isLiteral(type) && typeof type.literal === "string" ? [type.literal] : []
  )
  return words.length === types.length ? words : undefined
}

/** The maximum length that a refinement sets; undefined if it sets none. */
const maxLengthOf = (ast: SchemaAST.AST): number | undefined =>
  Option.getOrUndefined(
    Option.flatMap(SchemaAST.getJSONSchemaAnnotation(ast), (json) =>
      "maxLength" in json && typeof json.maxLength === "number" ? Option.some(json.maxLength) : Option.none()
    )
  )

const fieldOf = (path: ReadonlyArray<PropertyKey>) => path.map(String).join(".")

/** Describes the first invalid field of a body by its path; undefined if no field is to blame. */
export const refusedField = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey> = []
): string | undefined => {
  switch (issue._tag) {
    case "Pointer":
      return refusedField(issue.issue, [...path, issue.path].flat())
    case "Composite": {
      const [first] = [issue.issues].flat()
      // One of an optional field's words has failed first; the sentence has them all.
      if (SchemaAST.isUnion(issue.ast) && wordsOf(issue.ast) !== undefined)
        return refusedField(new ParseResult.Type(issue.ast, issue.actual), path)
      return first === undefined ? undefined : refusedField(first, path)
    }
    case "Refinement": {
      const most = maxLengthOf(issue.ast)
      return issue.kind === "Predicate" && most !== undefined && path.length > 0
        ? `The field "${fieldOf(path)}" has more than ${grouped(most)} characters.`
        : refusedField(issue.issue, path)
    }
    case "Transformation":
      return refusedField(issue.issue, path)
    default: {
      if (path.length === 0) return undefined
      const field = fieldOf(path)
      const words = issue._tag === "Type" && typeof issue.actual === "string" ? wordsOf(issue.ast) : undefined
      return words === undefined
        ? `The field "${field}" is missing or invalid.`
        : `The field "${field}" must be one of ${words.join(", ")}.`
    }
  }
}

/** Wraps the schema of a JSON body so that it refuses a body with a sentence that names the first invalid field. */
export const jsonPayload = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.declare([schema], {
    decode: (body) => (given, options, ast) =>
      ParseResult.mapError(ParseResult.decodeUnknown(body)(given, options), (issue) =>
        refusal(ast, refusedField(issue) ?? NOT_UNDERSTOOD)
      ),
    encode: (body) => (value, options) => ParseResult.encodeUnknown(body)(value, options)
  }).annotations({ [SchemaAST.SurrogateAnnotationId]: schema.ast })

/** Makes the schema of a positive number in a path; refuses anything else with the sentence. */
export const pathNumber = (sentence: string, pattern = /^[1-9]\d{0,14}$/) =>
  Schema.transformOrFail(Schema.String, Schema.Number, {
    strict: true,
    decode: (text, _, ast) =>
      pattern.test(text) ? ParseResult.succeed(Number(text)) : ParseResult.fail(refusal(ast, sentence)),
    encode: (number) => ParseResult.succeed(String(number))
  }).annotations({ jsonSchema: { type: "integer" } })

/** The query parameters of a request as the framework parses them. */
const Sent = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Array(Schema.String))
})

/** Returns the sentence that refuses a query parameter. */
export const refusedParameter = ({ mustBe, name }: RefusedParameter): string =>
  `The parameter "${name}" must be ${mustBe}.`

/** Reads a query parameter, which may be absent. */
export const optional = <A>(
  sent: Params,
  name: string,
  { mustBe, parse }: Parameter<A>
): Either.Either<A | undefined, RefusedParameter> => {
  const text = paramValue(sent, name)
  if (text === undefined) return Either.right(undefined)
  const value = parse(text)
  return value === undefined ? Either.left({ name, mustBe }) : Either.right(value)
}

/** Reads a query parameter; refuses the request without it. */
export const required = <A>(sent: Params, name: string, parameter: Parameter<A>) =>
  Either.flatMap(optional(sent, name, parameter), (value) =>
    value === undefined ? Either.left({ name, mustBe: parameter.mustBe }) : Either.right(value)
  )

/** Makes the schema of query parameters that `read` parses; `documented` describes each of them. */
export const queryParameters = <A extends object>(
  documented: Schema.Schema.Any,
  read: (sent: Params) => Either.Either<A, RefusedParameter>
) =>
  Schema.transformOrFail(
    Sent,
    Schema.declare((_): _ is A => true),
    {
      strict: true,
      decode: (sent, _, ast) =>
        Either.mapLeft(read(sent), (refused) => refusal(ast, refusedParameter(refused))),
      encode: (values) =>
        ParseResult.succeed(
          Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
        )
    }
  ).annotations({ [SchemaAST.SurrogateAnnotationId]: documented.ast })

/** Makes a schema that documents query parameters and decodes none of them, for a handler that reads them itself. */
export const documentedParameters = (documented: Schema.Schema.Any) =>
  Schema.declare((_): _ is Params => true).annotations({
    [SchemaAST.SurrogateAnnotationId]: documented.ast
  })
