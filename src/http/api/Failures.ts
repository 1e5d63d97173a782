import { HttpApiSchema, type HttpMethod, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { Data, ParseResult, Schema } from "effect"
import { Field } from "../../domain/Change.ts"

/** The body of every error response: a snake_case code for programs and one sentence for people. */
interface FailureBody {
  readonly error: string
  readonly message: string
}

interface Kind {
  readonly status: number
  /** The code in the body. */
  readonly error: string
  /** The name and the description in the documentation. */
  readonly identifier?: string
  readonly sentence?: string
}

/**
 * Encodes an error for HTTP: only its `message`, which must be one sentence for people.
 *
 * Encodes only: decoding a body into the error fails.
 */
export const errorSchema = <A extends { readonly message: string }>(
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

/** Makes a failure class: an endpoint declares its `schema`; a plain route may fail with an instance directly. */
const failure = <const Tag extends string>(
  tag: Tag,
  { error, sentence, status }: Kind & { readonly sentence: string }
) =>
  class extends Data.TaggedError(tag)<{ readonly message: string; readonly headers: Headers }> {
    static readonly schema = errorSchema(this, { error, identifier: tag, sentence, status })
    constructor(message: string = sentence, headers: Headers = {}) {
      super({ message, headers })
    }
    [HttpServerRespondable.symbol]() {
      return HttpServerResponse.json({ error, message: this.message }, { status, headers: this.headers })
    }
  }

/** The request is invalid; the message names the field or the parameter. */
export class BadRequest extends failure("BadRequest", {
  status: 400,
  error: "bad_request",
  sentence: "The request cannot be understood."
}) {}

/** The request carries no credentials or wrong ones. */
export class Unauthorized extends failure("Unauthorized", {
  status: 401,
  error: "unauthorized",
  sentence: "A valid token is required."
}) {
  constructor() {
    super(undefined, { "www-authenticate": "Bearer" })
  }
}

/** A gate refuses the request; the response never says why. */
export class Forbidden extends failure("Forbidden", {
  status: 403,
  error: "forbidden",
  sentence: "This request is not allowed."
}) {}

/** The address does not exist. */
export class NotFound extends failure("NotFound", {
  status: 404,
  error: "not_found",
  sentence: "There is nothing here."
}) {}

const listed = new Intl.ListFormat("en")

/** The address does not support this method. */
export class MethodNotAllowed extends failure("MethodNotAllowed", {
  status: 405,
  error: "method_not_allowed",
  sentence: "This method is not allowed here."
}) {
  constructor(allowed: ReadonlyArray<HttpMethod.HttpMethod>) {
    super(`Only ${listed.format(allowed)} is answered here.`, { allow: allowed.join(", ") })
  }
}

/** The body arrives too slowly, so the service stops reading it. */
export class RequestTimeout extends failure("RequestTimeout", {
  status: 408,
  error: "request_timeout",
  sentence: "The body arrives too slowly."
}) {}

/** The current state of the resource does not allow the request. */
export class Conflict extends failure("Conflict", {
  status: 409,
  error: "conflict",
  sentence: "This cannot be done as things are."
}) {}

const fields = Schema.Array(Field)

/**
 * The undo would overwrite later changes: the message says on how many links, and `fields` names the changed fields.
 */
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

/** The `Idempotency-Key` belongs to an earlier request with different content. */
export class IdempotencyKeyReused extends failure("IdempotencyKeyReused", {
  status: 409,
  error: "idempotency_key_reused",
  sentence: "This Idempotency-Key was used for another request. Send a new key."
}) {}

/** The body exceeds the size limit. */
export class TooLarge extends failure("TooLarge", {
  status: 413,
  error: "too_large",
  sentence: "The request is too large."
}) {}

/** The endpoint does not accept the body's media type. */
export class UnsupportedMediaType extends failure("UnsupportedMediaType", {
  status: 415,
  error: "unsupported_media_type",
  sentence: "Send application/json."
}) {}

/** The client exceeds its rate limit; it may retry after `seconds` (RFC 6585, 4). */
export class TooManyRequests extends failure("TooManyRequests", {
  status: 429,
  error: "too_many_requests",
  sentence: "Too many requests. Try again in a moment."
}) {
  constructor(seconds = 1) {
    super(undefined, { "retry-after": String(seconds) })
  }
}

/** An internal error that the caller cannot fix; only the log says what failed. */
export class Internal extends failure("Internal", {
  status: 500,
  error: "internal",
  sentence: "Something went wrong here."
}) {}

/** No address supports this method (RFC 9110, 15.6.2). */
export class NotImplemented extends failure("NotImplemented", {
  status: 501,
  error: "not_implemented",
  sentence: "This method is not known here."
}) {}

/** A temporary failure: the same request may succeed in a few seconds. */
export class Unavailable extends failure("Unavailable", {
  status: 503,
  error: "unavailable",
  sentence: "The service cannot do this right now, please try again."
}) {
  constructor(message?: string) {
    super(message, { "retry-after": "5" })
  }
}

/** Returns the path of the first invalid field. Effect's formatters do too, but fail on a very deeply nested value. */
const firstInvalidPath = (issue: ParseResult.ParseIssue): ReadonlyArray<PropertyKey> => {
  switch (issue._tag) {
    case "Pointer":
      return [issue.path, firstInvalidPath(issue.issue)].flat()
    case "Composite": {
      const [first] = [issue.issues].flat()
      return first === undefined ? [] : firstInvalidPath(first)
    }
    case "Refinement":
    case "Transformation":
      return firstInvalidPath(issue.issue)
    default:
      return []
  }
}

/** Makes the failure for input that does not fit its schema: names the first invalid field and repeats no value. */
export const badInput = ({ issue }: ParseResult.ParseError): BadRequest => {
  const path = firstInvalidPath(issue).map(String).join(".")
  return new BadRequest(path === "" ? undefined : `The field "${path}" is missing or not as it should be.`)
}
