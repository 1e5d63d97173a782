import { Schema } from "effect"
import { AddedLink, Existing } from "../../domain/Capture.ts"
import { Link } from "../../domain/Link.ts"
import { Scope, Token, TokenName } from "../../domain/Token.ts"
import { JobAnswer } from "./Bodies.ts"
import { del, get, group, post } from "./Endpoint.ts"
import { BadRequest, Conflict, Forbidden, IdempotencyKeyReused, NotFound, Unavailable } from "./Failures.ts"
import { described, pathNumber } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"
import { CaptureHeaders } from "./Parameters.ts"

export const NewToken = Schema.Struct({
  name: TokenName,
  scopes: Schema.NonEmptyArray(Scope),
  expiresAt: Schema.optional(
    described(
      Schema.NullOr(Schema.String),
      "When it expires, an ISO 8601 time that lies ahead; absent or null if it does not."
    )
  )
})

const tokenPath = Schema.Struct({ id: pathNumber("A token's number must be a positive integer.") })

const UndoneChanges = Schema.Struct({
  since: Schema.optional(
    described(Schema.DateTimeUtc, "The earliest change to undo, an ISO 8601 time; all by default.")
  ),
  dryRun: Schema.optionalWith(
    described(Schema.Boolean, "Whether to report what would be undone, without undoing it."),
    { default: () => false }
  )
})

const Consent = Schema.Struct({
  request: described(
    Schema.String.pipe(Schema.maxLength(4_000)),
    "The query of the consent page's address, as the program made it."
  ),
  scopes: described(Schema.Array(Scope), "What it may do; empty to decline.")
})

export const TokensAnswer = Schema.Struct({ tokens: Schema.Array(Token) })
export const NewTokenAnswer = Schema.Struct({
  token: Token,
  secret: described(Schema.String, "The token itself, which is shown only here.")
})

export const tokens = group(
  "tokens",
  {
    place: "/dashboard/api",
    fails: [BadRequest, Unavailable],
    says: "Gate 4, as above: the tokens with which programs use `/api/v1`."
  },
  get("list", "/tokens", "Lists the tokens of programs", { answer: TokensAnswer }),
  post("add", "/tokens", "Makes a token for a program", {
    body: NewToken,
    answer: NewTokenAnswer,
    status: 201,
    fails: [Conflict.schema, Forbidden.schema],
    more: "With `DEV_NO_AUTH`, no token is made here, and this gets 403."
  }),
  del("revoke", "/tokens/:id", "Revokes a token", {
    path: tokenPath,
    fails: [NotFound.schema],
    more: "It is refused from the next request on."
  }),
  post("undo", "/tokens/:id/undo", "Undoes what a program has changed", {
    path: tokenPath,
    body: UndoneChanges,
    answer: JobAnswer,
    status: 202,
    fails: [NotFound.schema],
    more: "Starts a job that undoes all changes with this token in the last 30 days, as one change. Fields that others have changed since keep their values, and the result lists their links. A revoked token can be undone too."
  }),
  post("authorize", "/authorize", "Answers a program that asks for access", {
    body: Consent,
    answer: Schema.Struct({ location: Schema.String }),
    fails: [Forbidden.schema],
    more: "The page `/dashboard/authorize` sends this. `location` takes the browser back to the program, with a code if at least one of the scopes that it asked for was allowed."
  })
).middlewareEndpoints(AccessGate)

export const ProgramSaved = Schema.Struct({ link: Link, ...Existing })

export const programs = group(
  "programs",
  {
    place: "/api/v1",
    fails: [BadRequest, Unavailable],
    says: "For programs, with `Authorization: Bearer` and a token. All of the owner's API that the token's scopes allow is below `/api/v1` too; `/api/v1/openapi.json` describes it."
  },
  post("save", "/links", "Saves a link", {
    headers: CaptureHeaders,
    body: AddedLink,
    fails: [IdempotencyKeyReused.schema],
    more: "Answers with the link if the token can `read`, else with 202. `note` and `tags` are added to a link whose address was saved before. A link that is public changes only with `change`, and is filed in a shared collection only with `share`."
  })
    .addSuccess(ProgramSaved, { status: 201 })
    .addSuccess(Schema.Struct({ status: Schema.Literal("accepted"), url: Schema.String }), { status: 202 })
).middlewareEndpoints(AccessGate)
