import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AddedLink, Existing } from "../../domain/Capture.ts"
import { Link } from "../../domain/Link.ts"
import { Scope, Token, TokenName } from "../../domain/Token.ts"
import { JobAnswer } from "./Bodies.ts"
import { BadRequest, Conflict, Forbidden, IdempotencyKeyReused, NotFound, Unavailable } from "./Failures.ts"
import { jsonPayload, pathNumber } from "./Input.ts"
import { AccessGate, JsonBody } from "./Middleware.ts"
import { CaptureHeaders, documented } from "./Parameters.ts"

export const NewToken = Schema.Struct({
  name: TokenName,
  scopes: Schema.NonEmptyArray(Scope),
  expiresAt: Schema.optional(
    Schema.NullOr(Schema.String).annotations({
      description: "When it expires, an ISO 8601 time that lies ahead; absent or null if it does not."
    })
  )
})

const tokenPath = Schema.Struct({ id: pathNumber("A token's number must be a positive integer.") })

const UndoneChanges = Schema.Struct({
  since: Schema.optional(
    Schema.DateTimeUtc.annotations({
      description: "The earliest change to undo, an ISO 8601 time; all by default."
    })
  ),
  dryRun: Schema.optionalWith(
    Schema.Boolean.annotations({
      description: "Whether to report what would be undone, without undoing it."
    }),
    { default: () => false }
  )
})

const Consent = Schema.Struct({
  request: Schema.String.pipe(Schema.maxLength(4_000)).annotations({
    description: "The query of the consent page's address, as the program made it."
  }),
  scopes: Schema.Array(Scope).annotations({ description: "What it may do; empty to decline." })
})

export const TokensAnswer = Schema.Struct({ tokens: Schema.Array(Token) })
export const NewTokenAnswer = Schema.Struct({
  token: Token,
  secret: Schema.String.annotations({ description: "The token itself, which is shown only here." })
})

export const tokens = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("list", "/tokens")
      .addSuccess(TokensAnswer)
      .annotateContext(documented("Lists the tokens of programs"))
  )
  .add(
    HttpApiEndpoint.post("add", "/tokens")
      .setPayload(jsonPayload(NewToken))
      .addSuccess(NewTokenAnswer, { status: 201 })
      .addError(Conflict.schema)
      .addError(Forbidden.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Makes a token for a program",
          "With `DEV_NO_AUTH`, no token is made here, and this gets 403."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("revoke", "/tokens/:id")
      .setPath(tokenPath)
      .addSuccess(Schema.Void, { status: 204 })
      .addError(NotFound.schema)
      .annotateContext(documented("Revokes a token", "It is refused from the next request on."))
  )
  .add(
    HttpApiEndpoint.post("undo", "/tokens/:id/undo")
      .setPath(tokenPath)
      .setPayload(jsonPayload(UndoneChanges))
      .addSuccess(JobAnswer, { status: 202 })
      .addError(NotFound.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Undoes what a program has changed",
          "Starts a job that undoes all changes with this token in the last 30 days, as one change. Fields that others have changed since keep their values, and the result lists their links. A revoked token can be undone too."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("authorize", "/authorize")
      .setPayload(jsonPayload(Consent))
      .addSuccess(Schema.Struct({ location: Schema.String }))
      .addError(Forbidden.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Answers a program that asks for access",
          "The page `/dashboard/authorize` sends this. `location` takes the browser back to the program, with a code if at least one of the scopes that it asked for was allowed."
        )
      )
  )
  .prefix("/dashboard/api")
  .addError(BadRequest.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(OpenApi.Description, "Gate 4, as above: the tokens with which programs use `/api/v1`.")

/** A saved link, for a token that can read. */
export const ProgramSaved = Schema.Struct({ link: Link, ...Existing })

export const programs = HttpApiGroup.make("programs")
  .add(
    HttpApiEndpoint.post("save", "/links")
      .setHeaders(CaptureHeaders)
      .setPayload(jsonPayload(AddedLink))
      .addSuccess(ProgramSaved, { status: 201 })
      .addSuccess(Schema.Struct({ status: Schema.Literal("accepted"), url: Schema.String }), { status: 202 })
      .addError(IdempotencyKeyReused.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Saves a link",
          "Answers with the link if the token can `read`, else with 202. `note` and `tags` are added to a link whose address was saved before. A link that is public changes only with `change`, and is filed in a shared collection only with `share`."
        )
      )
  )
  .prefix("/api/v1")
  .addError(BadRequest.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(
    OpenApi.Description,
    "For programs, with `Authorization: Bearer` and a token. All of the owner's API that the token's scopes allow is below `/api/v1` too; `/api/v1/openapi.json` describes it."
  )
