import type { HttpApiError } from "@effect/platform"
import { Either, Option, ParseResult, Record, Schema, SchemaAST } from "effect"
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

export type JsonSchema = Readonly<Record<string, unknown>>

/** Describes a value in the documentation. */
export const described = <S extends Schema.Annotable.All>(schema: S, description: string) =>
  Schema.annotations<S>({ description })(schema)

/** Describes a query parameter in the documentation. */
export const documentedText = (description: string, jsonSchema: JsonSchema = { type: "string" }) =>
  Schema.String.annotations({ jsonSchema: { ...jsonSchema, description } })

/** A query parameter: its description for the documentation, and how it is read. */
interface QueryParameter<A> extends Pick<Parameter<unknown>, "mustBe"> {
  readonly documented: ReturnType<typeof documentedText>
  readonly isRequired: boolean
  readonly read: (sent: Params, name: string) => Either.Either<A, RefusedParameter>
}

export const parameter = <A>(
  description: string,
  { mustBe, parse }: Parameter<A>,
  jsonSchema?: JsonSchema
): QueryParameter<A | undefined> => ({
  documented: documentedText(description, jsonSchema),
  mustBe,
  isRequired: false,
  read: (sent, name) => {
    const text = paramValue(sent, name)
    if (text === undefined) return Either.right(undefined)
    const value = parse(text)
    return value === undefined ? Either.left({ name, mustBe }) : Either.right(value)
  }
})

export const withDefault = <A>(
  { read, ...row }: QueryParameter<A | undefined>,
  otherwise: NoInfer<A>
): QueryParameter<A> => ({
  ...row,
  read: (sent, name) => Either.map(read(sent, name), (value = otherwise) => value)
})

export const required = <A>({ read, ...row }: QueryParameter<A | undefined>): QueryParameter<A> => ({
  ...row,
  isRequired: true,
  read: (sent, name) =>
    Either.flatMap(read(sent, name), (value) =>
      value === undefined ? Either.left({ name, mustBe: row.mustBe }) : Either.right(value)
    )
})

type Rows = Readonly<Record<string, QueryParameter<unknown>>>
type Values<R extends Rows> = {
  readonly [Name in keyof R]: R[Name] extends QueryParameter<infer A> ? A : never
}

export function queryParameters<const R extends Rows>(rows: R): Schema.Schema<Values<R>, typeof Sent.Encoded>
export function queryParameters(rows: Rows) {
  const documented = Schema.Struct(
    Record.map(rows, ({ documented, isRequired }) => (isRequired ? documented : Schema.optional(documented)))
  )
  return Schema.transformOrFail(
    Sent,
    Schema.declare((_): _ is Readonly<Record<string, unknown>> => true),
    {
      strict: true,
      decode: (sent, _, ast) =>
        Either.mapLeft(Either.all(Record.map(rows, ({ read }, name) => read(sent, name))), (refused) =>
          refusal(ast, refusedParameter(refused))
        ),
      encode: (values) => ParseResult.succeed(Record.map(values, String))
    }
  ).annotations({ [SchemaAST.SurrogateAnnotationId]: documented.ast })
}

/** Makes a schema that documents query parameters and decodes none of them, for a handler that reads them itself. */
export const documentedParameters = (documented: Schema.Schema.Any) =>
  Schema.declare((_): _ is Params => true).annotations({
    [SchemaAST.SurrogateAnnotationId]: documented.ast
  })
