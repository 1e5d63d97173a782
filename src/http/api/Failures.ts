import {
  HttpApiError,
  HttpApiSchema,
  HttpApp,
  type HttpMethod,
  HttpServerRespondable,
  HttpServerResponse
} from "@effect/platform"
import { Data, Effect, ParseResult, Schema } from "effect"
import { ChangedSince, Field, UrlTaken } from "../../domain/Change.ts"
import { LinkId } from "../../domain/Link.ts"
import { Scope } from "../../domain/Token.ts"
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

const described = (sentence: string | undefined): { readonly description?: string } =>
  sentence === undefined ? {} : { description: sentence }

/** The schema of a body that is only ever sent: encodes the errors that `is` knows. */
const sentBody = <A, I, Sent>(
  body: Schema.Schema<I, Sent>,
  is: (value: unknown) => value is A,
  { identifier, sentence, status }: Omit<Kind, "error">,
  bodyOf: (error: A) => NoInfer<I> | undefined
) =>
  Schema.transformOrFail(
    body.annotations({ ...(identifier === undefined ? {} : { identifier }), ...described(sentence) }),
    Schema.declare(is).annotations(described(sentence)),
    {
      strict: true,
      decode: (given, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, given, "only ever sent")),
      encode: (error, _, ast) => {
        const encoded = bodyOf(error)
        return encoded === undefined
          ? ParseResult.fail(new ParseResult.Type(ast, undefined, "not an error to send"))
          : ParseResult.succeed(encoded)
      }
    }
  ).annotations(HttpApiSchema.annotations({ status }))

/** An error that handlers may fail with. */
interface Tagged<Tag extends string> {
  readonly _tag: Tag
  /** One sentence for people. */
  readonly message: string
}

const isTagged =
  <Tag extends string>(tags: ReadonlyArray<Tag>) =>
  (value: unknown): value is Tagged<Tag> =>
    value instanceof Error && "_tag" in value && tags.some((tag) => tag === value._tag)

const plainBody = ({ error }: Pick<Kind, "error">) =>
  Schema.Struct({ error: Schema.Literal(error), message: Schema.String })

/** The status of each error that handlers may fail with, by its tag. */
export const statuses = new Map<string, number>([
  ["ChangedSince", 409],
  ["InsufficientScope", 403],
  ["UrlTaken", 409]
])

/** Encodes the errors with these tags for HTTP by their messages; those in `unsaid` by the failure's own sentence. */
const errorSchema = <const Tag extends string>(
  tags: ReadonlyArray<Tag>,
  kind: Kind,
  unsaid: ReadonlyArray<string> = []
): Schema.Schema<Tagged<Tag>, FailureBody> => {
  for (const tag of tags) statuses.set(tag, kind.status)
  return sentBody(plainBody(kind), isTagged(tags), kind, ({ _tag, message }) => ({
    error: kind.error,
    message: unsaid.includes(_tag) ? (kind.sentence ?? message) : message
  }))
}

type Headers = Readonly<Record<string, string>>

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

interface Errors<Said extends string, Unsaid extends string> {
  /** The code in the body, if it is not the tag in snake_case. */
  readonly error?: string
  /** Answered with their own messages. */
  readonly said?: ReadonlyArray<Said>
  /** Answered with the failure's sentence. */
  readonly unsaid?: ReadonlyArray<Unsaid>
}

const codeOf = (tag: string) => tag.replaceAll(/\B[A-Z]/g, "_$&").toLowerCase()

/** Makes the class of a failure; an endpoint that declares its `schema` may also fail with the errors named here. */
const failure = <
  const Tag extends string,
  const Said extends string = never,
  const Unsaid extends string = never
>(
  tag: Tag,
  status: number,
  sentence: string,
  { error = codeOf(tag), said = [], unsaid = [] }: Errors<Said, Unsaid> = {}
) =>
  class extends respondable(tag, { status, error, sentence }) {
    static readonly schema = errorSchema(
      [tag, ...said, ...unsaid],
      { status, error, sentence, identifier: tag },
      unsaid
    )
  }

const badRequest = {
  status: 400,
  error: "bad_request",
  identifier: "BadRequest",
  sentence: NOT_UNDERSTOOD
} as const

const refusals = [
  "BadRequest",
  "PasskeysUnavailable",
  "PasswordUnusable",
  "SettingNotUsable",
  "SetUpRefused",
  "LabelRefused"
] as const
for (const tag of refusals) statuses.set(tag, badRequest.status)
const isRefusal = isTagged(refusals)
type Refusal = Tagged<(typeof refusals)[number]> | HttpApiError.HttpApiDecodeError

/** The request is invalid; the message names the field or the parameter. */
export class BadRequest extends respondable("BadRequest", badRequest) {
  /** An input that does not fit its schema becomes the contract's body; an error without a sentence stays a bug. */
  static readonly schema = sentBody(
    plainBody(badRequest),
    (value: unknown): value is Refusal =>
      isRefusal(value) || value instanceof HttpApiError.HttpApiDecodeError,
    badRequest,
    (failed) => {
      const message = failed instanceof HttpApiError.HttpApiDecodeError ? sentenceOf(failed) : failed.message
      return message === undefined ? undefined : { error: badRequest.error, message }
    }
  )
}

/** The request carries no credentials or wrong ones. */
export class Unauthorized extends failure("Unauthorized", 401, "A valid token is required.") {
  /** With another `challenge` than that of the group of routes. */
  constructor(challenge?: string) {
    super(undefined, challenge === undefined ? {} : { "www-authenticate": challenge })
  }
}

/** A gate refuses the request; the response never says why. */
export class Forbidden extends failure("Forbidden", 403, "This request is not allowed.", {
  said: ["ConnectionExposed"]
}) {}

/** The token of a program lacks the scope that the request needs. */
export class InsufficientScope extends Data.TaggedError("InsufficientScope")<{ readonly needs: Scope }> {
  static readonly schema = sentBody(
    Schema.Struct({ error: Schema.Literal("insufficient_scope"), message: Schema.String, needs: Scope }),
    (error): error is InsufficientScope => error instanceof InsufficientScope,
    {
      status: 403,
      identifier: "InsufficientScope",
      sentence: "A program's token lacks the scope that `needs` names."
    },
    (error) => error.body
  )
  override get message() {
    return `This token lacks the scope "${this.needs}".`
  }
  get body() {
    return { error: "insufficient_scope" as const, message: this.message, needs: this.needs }
  }
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.json(this.body, { status: 403 })
  }
}

/** The one-time code is wrong, has expired or was used; the response never says which. */
export class WrongCode extends failure("WrongCode", 403, "This code is wrong or has expired.", {
  unsaid: ["CodeRefused"]
}) {}

/** The password is wrong, or none is set; the response never says which. */
export class WrongPassword extends failure("WrongPassword", 403, "This password is wrong.", {
  unsaid: ["PasswordWrong"]
}) {}

/** The passkey cannot be used here. */
export class WrongPasskey extends failure(
  "WrongPasskey",
  403,
  "This passkey does not open this library. Try again, or use another way to sign in.",
  { unsaid: ["PasskeyRefused"] }
) {}

/** No other way to sign in is set up, so this one must stay. */
export class LastWay extends failure(
  "LastWay",
  409,
  "This is the only way to sign in. Set up another one first."
) {}

export class NotFound extends failure("NotFound", 404, "There is nothing here.", {
  said: [
    "HighlightNotFound",
    "JobNotFound",
    "LinkNotFound",
    "SearchNotFound",
    "ShareNotFound",
    "LabelNotFound",
    "TokenNotFound",
    "UndoNotFound"
  ]
}) {}

/** No page is kept for the link, or not this version of it. */
export class NotKept extends failure("NotKept", 404, "No such page is kept.", {
  said: ["NothingKept", "PageNotKept"]
}) {}

const listed = new Intl.ListFormat("en")

export class MethodNotAllowed extends failure("MethodNotAllowed", 405, "This method is not allowed here.") {
  constructor(allowed: ReadonlyArray<HttpMethod.HttpMethod>) {
    super(`This address supports only ${listed.format(allowed)}.`, { allow: allowed.join(", ") })
  }
}

/** The body arrives too slowly, so the service stops reading it. */
export class RequestTimeout extends failure("RequestTimeout", 408, "The body arrived too slowly.") {}

/** The current state of the resource does not allow the request. */
export class Conflict extends failure("Conflict", 409, "The current state does not allow this.", {
  said: [
    "PathTaken",
    "SearchNameTaken",
    "TokenNameTaken",
    "TooManyHighlights",
    "TooManySearches",
    "TooManyShares"
  ]
}) {}

/** The undo would overwrite later changes: the message says on how many links, and `fields` names the changed fields. */
export const staleUndo = sentBody(
  Schema.Struct({
    error: Schema.Literal("changed_since"),
    message: Schema.String,
    fields: Schema.Array(Field)
  }),
  (error): error is ChangedSince => error instanceof ChangedSince,
  {
    status: 409,
    identifier: "StaleUndo",
    sentence:
      'The links have changed since. To overwrite the later changes, send the undo with `"force": true`.'
  },
  ({ fields, message }) => ({ error: "changed_since" as const, message, fields })
)

export const invalidCollection = () =>
  new BadRequest(
    'The field "collection" must be a name of at most 100 characters, or a path of at most 8 names joined by " / ".'
  )

/** Another link has the address; `id` is its number. */
export const urlTaken = sentBody(
  Schema.Struct({ error: Schema.Literal("url_taken"), message: Schema.String, id: LinkId }),
  (error): error is UrlTaken => error instanceof UrlTaken,
  { status: 409, identifier: "UrlTaken", sentence: "Another link has this address already." },
  ({ id, message }) => ({ error: "url_taken" as const, message, id })
)

/** The `Idempotency-Key` belongs to an earlier request with different content. */
export class IdempotencyKeyReused extends failure(
  "IdempotencyKeyReused",
  409,
  "This Idempotency-Key was used for another request. Send a new key.",
  { unsaid: ["KeyReused"] }
) {}

export class TooLarge extends failure("TooLarge", 413, "The request is too large.") {}

export class UnsupportedMediaType extends failure("UnsupportedMediaType", 415, "Send application/json.") {}

/** The client exceeds its rate limit; it may retry after `seconds` (RFC 6585, 4). */
export class TooManyRequests extends failure(
  "TooManyRequests",
  429,
  "Too many requests. Try again in a moment."
) {
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
export class DamagedPage extends failure("DamagedPage", 500, "The kept page is damaged.", {
  error: "page_damaged",
  said: ["PageDamaged"]
}) {}

/** An internal error that the caller cannot fix; only the log says what failed. */
export class Internal extends failure("Internal", 500, "Something went wrong.") {}

/** No address supports this method (RFC 9110, 15.6.2). */
export class NotImplemented extends failure("NotImplemented", 501, "This method is not supported.") {}

/** A temporary failure: the same request may succeed in a few seconds. */
export class Unavailable extends failure(
  "Unavailable",
  503,
  "The service cannot do this right now. Try again in a moment.",
  { said: ["QuestionNotSent", "ReaderUnavailable"], unsaid: ["StoreUnavailable"] }
) {
  constructor(message?: string) {
    super(message, { "retry-after": "5" })
  }
}
