import {
  HttpApiError,
  HttpApiSchema,
  HttpApp,
  type HttpMethod,
  HttpServerRespondable,
  HttpServerResponse
} from "@effect/platform"
import { Data, Effect, ParseResult, Schema } from "effect"
import { Field } from "../../domain/Change.ts"
import { LinkId } from "../../domain/Link.ts"
import { NOT_UNDERSTOOD, sentenceOf } from "./Input.ts"

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
  readonly identifier?: string | undefined
  readonly sentence?: string | undefined
}

/** Describes a response or its body in the documentation. */
const described = (sentence: string | undefined): { readonly description?: string } =>
  sentence === undefined ? {} : { description: sentence }

const bodySchema = ({ error, identifier, sentence }: Omit<Kind, "status">) =>
  Schema.Struct({ error: Schema.Literal(error), message: Schema.String }).annotations({
    ...(identifier === undefined ? {} : { identifier }),
    ...described(sentence)
  })

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
    bodySchema({ error, identifier, sentence }),
    Schema.declare((value): value is A => value instanceof errorClass).annotations(described(sentence)),
    {
      strict: true,
      decode: (body, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, body, "only ever sent")),
      encode: ({ message }) => ParseResult.succeed({ error, message })
    }
  ).annotations(HttpApiSchema.annotations({ status }))

type Headers = Readonly<Record<string, string>>

/** A failure with a default sentence. */
interface Failure extends Kind {
  readonly sentence: string
}

/** Makes the class of a failure, with which a plain route may fail directly. */
const respondable = <const Tag extends string>(tag: Tag, { error, sentence, status }: Failure) =>
  class extends Data.TaggedError(tag)<{ readonly message: string; readonly headers: Headers }> {
    constructor(message: string = sentence, headers: Headers = {}) {
      super({ message, headers })
    }
    [HttpServerRespondable.symbol]() {
      return HttpServerResponse.json({ error, message: this.message }, { status, headers: this.headers })
    }
  }

/** Makes the class of a failure that an endpoint declares by its `schema`. */
const failure = <const Tag extends string>(tag: Tag, kind: Failure) =>
  class extends respondable(tag, kind) {
    static readonly schema = errorSchema(this, { ...kind, identifier: tag })
  }

const badRequest = {
  status: 400,
  error: "bad_request",
  identifier: "BadRequest",
  sentence: NOT_UNDERSTOOD
}

/** The request is invalid; the message names the field or the parameter. */
export class BadRequest extends respondable("BadRequest", badRequest) {
  /**
   * Encodes the framework's decoding error too: this is where an input that does not fit its schema becomes the
   * contract's body. An error without a sentence is not about the input, and stays a bug.
   */
  static readonly schema = Schema.transformOrFail(
    bodySchema(badRequest),
    Schema.declare(
      (value): value is BadRequest | HttpApiError.HttpApiDecodeError =>
        value instanceof BadRequest || value instanceof HttpApiError.HttpApiDecodeError
    ).annotations(described(badRequest.sentence)),
    {
      strict: true,
      decode: (body, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, body, "only ever sent")),
      encode: (failed, _, ast) => {
        const message = failed instanceof BadRequest ? failed.message : sentenceOf(failed)
        return message === undefined
          ? ParseResult.fail(new ParseResult.Type(ast, undefined, "not an invalid input"))
          : ParseResult.succeed({ error: badRequest.error, message })
      }
    }
  ).annotations(HttpApiSchema.annotations({ status: badRequest.status }))
}

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

/** The one-time code is wrong, has expired or was used; the response never says which. */
export class WrongCode extends failure("WrongCode", {
  status: 403,
  error: "wrong_code",
  sentence: "This code is wrong or has expired."
}) {}

/** The password is wrong, or none is set; the response never says which. */
export class WrongPassword extends failure("WrongPassword", {
  status: 403,
  error: "wrong_password",
  sentence: "This password is wrong."
}) {}

/** The passkey cannot be used here. */
export class WrongPasskey extends failure("WrongPasskey", {
  status: 403,
  error: "wrong_passkey",
  sentence: "This passkey does not open this library. Try again, or use another way to sign in."
}) {}

/** No other way to sign in is set up, so this one must stay. */
export class LastWay extends failure("LastWay", {
  status: 409,
  error: "last_way",
  sentence: "This is the only way to sign in. Set up another one first."
}) {}

/** The address does not exist. */
export class NotFound extends failure("NotFound", {
  status: 404,
  error: "not_found",
  sentence: "There is nothing here."
}) {}

/** No page is kept for the link, or not this version of it. */
export class NotKept extends failure("NotKept", {
  status: 404,
  error: "not_kept",
  sentence: "No such page is kept."
}) {}

const listed = new Intl.ListFormat("en")

/** The address does not support this method. */
export class MethodNotAllowed extends failure("MethodNotAllowed", {
  status: 405,
  error: "method_not_allowed",
  sentence: "This method is not allowed here."
}) {
  constructor(allowed: ReadonlyArray<HttpMethod.HttpMethod>) {
    super(`This address supports only ${listed.format(allowed)}.`, { allow: allowed.join(", ") })
  }
}

/** The body arrives too slowly, so the service stops reading it. */
export class RequestTimeout extends failure("RequestTimeout", {
  status: 408,
  error: "request_timeout",
  sentence: "The body arrived too slowly."
}) {}

/** The current state of the resource does not allow the request. */
export class Conflict extends failure("Conflict", {
  status: 409,
  error: "conflict",
  sentence: "The current state does not allow this."
}) {}

const fields = Schema.Array(Field)
const staleUndo = described(
  'The links have changed since. To overwrite the later changes, send the undo with `"force": true`.'
)

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
      ...staleUndo
    }),
    Schema.instanceOf(StaleUndo, staleUndo),
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

/** The name of a collection is empty, or longer or deeper than a path may be. */
export const invalidCollection = () =>
  new BadRequest(
    'The field "collection" must be a name of at most 100 characters, or a path of at most 8 names joined by " / ".'
  )

const urlTaken = described("Another link has this address already.")

/** Another link has the address; `id` is its number. */
export class UrlTakenFailure extends Data.TaggedError("UrlTakenFailure")<{
  readonly message: string
  readonly id: LinkId
}> {
  static readonly schema = Schema.transformOrFail(
    Schema.Struct({ error: Schema.Literal("url_taken"), message: Schema.String, id: LinkId }).annotations({
      identifier: "UrlTaken",
      ...urlTaken
    }),
    Schema.instanceOf(UrlTakenFailure, urlTaken),
    {
      strict: true,
      decode: (body, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, body, "only ever sent")),
      encode: (failed) => ParseResult.succeed(failed.body)
    }
  ).annotations(HttpApiSchema.annotations({ status: 409 }))
  private get body() {
    return { error: "url_taken" as const, message: this.message, id: this.id }
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
  constructor(seconds = 1, message?: string) {
    super(message, { "retry-after": String(seconds) })
  }
}

/** Fails with `TooManyRequests` so that the response of an endpoint has `Retry-After`: its schema encodes only the body. */
export const tooManyRequests = (seconds: number, message?: string) => {
  const failure = new TooManyRequests(seconds, message)
  const withRetry = HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, failure.headers))
  )
  return Effect.zipRight(withRetry, failure)
}

/** A kept page cannot be read, because its row in the library is damaged. */
export class DamagedPage extends failure("DamagedPage", {
  status: 500,
  error: "page_damaged",
  sentence: "The kept page is damaged."
}) {}

/** An internal error that the caller cannot fix; only the log says what failed. */
export class Internal extends failure("Internal", {
  status: 500,
  error: "internal",
  sentence: "Something went wrong."
}) {}

/** No address supports this method (RFC 9110, 15.6.2). */
export class NotImplemented extends failure("NotImplemented", {
  status: 501,
  error: "not_implemented",
  sentence: "This method is not supported."
}) {}

/** A temporary failure: the same request may succeed in a few seconds. */
export class Unavailable extends failure("Unavailable", {
  status: 503,
  error: "unavailable",
  sentence: "The service cannot do this right now. Try again in a moment."
}) {
  constructor(message?: string) {
    super(message, { "retry-after": "5" })
  }
}
