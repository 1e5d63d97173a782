import { HttpApiSchema, type HttpMethod, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { Data, ParseResult, Schema } from "effect"
import { Field } from "../../domain/Change.ts"

/** The body of every error answer: a snake_case code for programs and one sentence for a person. */
interface FailureBody {
  readonly error: string
  readonly message: string
}

interface Kind {
  readonly status: number
  /** The code in the body. */
  readonly error: string
  /** What the documentation calls it, and says of it. */
  readonly identifier?: string
  readonly sentence?: string
}

/**
 * How an error goes over HTTP: its `message`, which must be one sentence for a person, and nothing else of it.
 *
 * For sending alone: a body cannot be read back into the error.
 */
export const overHttp = <A extends { readonly message: string }>(
  errorClass: abstract new (...args: never) => A,
  { error, identifier, sentence, status }: Kind
): Schema.Schema<A, FailureBody> =>
  Schema.transformOrFail(
    Schema.Struct({ error: Schema.Literal(error), message: Schema.String }).annotations({
      ...(identifier === undefined ? {} : { identifier }),
      ...(sentence === undefined ? {} : { description: sentence })
    }),
    Schema.declare((value): value is A => value instanceof errorClass),
    {
      strict: true,
      decode: (body, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, body, "only ever sent")),
      encode: ({ message }) => ParseResult.succeed({ error, message })
    }
  ).annotations(HttpApiSchema.annotations({ status }))

type Headers = Readonly<Record<string, string>>

/** A class of failures: its `schema` is what an endpoint declares; a plain route may fail with an instance as it is. */
const failure = <const Tag extends string>(
  tag: Tag,
  { error, sentence, status }: Kind & { readonly sentence: string }
) =>
  class extends Data.TaggedError(tag)<{ readonly message: string; readonly headers: Headers }> {
    static readonly schema = overHttp(this, { error, identifier: tag, sentence, status })
    constructor(message: string = sentence, headers: Headers = {}) {
      super({ message, headers })
    }
    [HttpServerRespondable.symbol]() {
      return HttpServerResponse.json({ error, message: this.message }, { status, headers: this.headers })
    }
  }

/** The request cannot be understood; the message names the field or the parameter. */
export class BadRequest extends failure("BadRequest", {
  status: 400,
  error: "bad_request",
  sentence: "The request cannot be understood."
}) {}

/** The request carries no credentials, or the wrong ones. */
export class Unauthorized extends failure("Unauthorized", {
  status: 401,
  error: "unauthorized",
  sentence: "A valid token is required."
}) {
  constructor() {
    super(undefined, { "www-authenticate": "Bearer" })
  }
}

/** This door is closed to the request; the answer never says why. */
export class Forbidden extends failure("Forbidden", {
  status: 403,
  error: "forbidden",
  sentence: "This request is not allowed."
}) {}

/** There is nothing at this address. */
export class NotFound extends failure("NotFound", {
  status: 404,
  error: "not_found",
  sentence: "There is nothing here."
}) {}

const listed = new Intl.ListFormat("en")

/** The address is known, but not with this method. */
export class MethodNotAllowed extends failure("MethodNotAllowed", {
  status: 405,
  error: "method_not_allowed",
  sentence: "This method is not allowed here."
}) {
  constructor(allowed: ReadonlyArray<HttpMethod.HttpMethod>) {
    super(`Only ${listed.format(allowed)} is answered here.`, { allow: allowed.join(", ") })
  }
}

/** The body arrives too slowly, so it is not waited for. */
export class RequestTimeout extends failure("RequestTimeout", {
  status: 408,
  error: "request_timeout",
  sentence: "The body arrives too slowly."
}) {}

/** The thing is not in a state in which this can be done to it. */
export class Conflict extends failure("Conflict", {
  status: 409,
  error: "conflict",
  sentence: "This cannot be done as things are."
}) {}

const fields = Schema.Array(Field)

/** The undo would overwrite what was changed since: the message says on how many links, and `fields` names what. */
export class StaleUndo extends Data.TaggedError("StaleUndo")<{
  readonly message: string
  readonly fields: ReadonlyArray<Field>
}> {
  static readonly schema = Schema.transformOrFail(
    Schema.Struct({ error: Schema.Literal("changed_since"), message: Schema.String, fields }).annotations({
      identifier: "StaleUndo",
      description: 'The links have changed since. Send the undo with `"force": true` to overwrite that.'
    }),
    Schema.instanceOf(StaleUndo),
    {
      strict: true,
      decode: (body, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, body, "only ever sent")),
      encode: (failed) => ParseResult.succeed(failed.body)
    }
  ).annotations(HttpApiSchema.annotations({ status: 409 }))
  private get body() {
    return { error: "changed_since" as const, message: this.message, fields: this.fields }
  }
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.json(this.body, { status: 409 })
  }
}

/** The `Idempotency-Key` belongs to an earlier request that said something else. */
export class IdempotencyKeyReused extends failure("IdempotencyKeyReused", {
  status: 409,
  error: "idempotency_key_reused",
  sentence: "This Idempotency-Key was used for another request. Send a new key."
}) {}

/** The body is larger than is read. */
export class TooLarge extends failure("TooLarge", {
  status: 413,
  error: "too_large",
  sentence: "The request is too large."
}) {}

/** The body is not of the type that is read here. */
export class UnsupportedMediaType extends failure("UnsupportedMediaType", {
  status: 415,
  error: "unsupported_media_type",
  sentence: "Send application/json."
}) {}

/** The client asks more often than is fair; `seconds` later it may ask again (RFC 6585, 4). */
export class TooManyRequests extends failure("TooManyRequests", {
  status: 429,
  error: "too_many_requests",
  sentence: "Too many requests. Try again in a moment."
}) {
  constructor(seconds = 1) {
    super(undefined, { "retry-after": String(seconds) })
  }
}

/** Something broke that the caller can do nothing about; what it was stands in the log alone. */
export class Internal extends failure("Internal", {
  status: 500,
  error: "internal",
  sentence: "Something went wrong here."
}) {}

/** No address here knows this method (RFC 9110, 15.6.2). */
export class NotImplemented extends failure("NotImplemented", {
  status: 501,
  error: "not_implemented",
  sentence: "This method is not known here."
}) {}

/** Not now: the same request may succeed in a few seconds. */
export class Unavailable extends failure("Unavailable", {
  status: 503,
  error: "unavailable",
  sentence: "The service cannot do this right now, please try again."
}) {
  constructor(message?: string) {
    super(message, { "retry-after": "5" })
  }
}

/** Where in the input the first thing is wrong. Effect's formatters say so too, but fail over a value nested very deep. */
const placeOf = (issue: ParseResult.ParseIssue): ReadonlyArray<PropertyKey> => {
  switch (issue._tag) {
    case "Pointer":
      return [issue.path, placeOf(issue.issue)].flat()
    case "Composite": {
      const [first] = [issue.issues].flat()
      return first === undefined ? [] : placeOf(first)
    }
    case "Refinement":
    case "Transformation":
      return placeOf(issue.issue)
    default:
      return []
  }
}

/** The failure of input that does not fit its schema: names the first field that is wrong and repeats no value. */
export const badInput = ({ issue }: ParseResult.ParseError): BadRequest => {
  const path = placeOf(issue).map(String).join(".")
  return new BadRequest(path === "" ? undefined : `The field "${path}" is missing or not as it should be.`)
}
