import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { get, group, post } from "./Endpoint.ts"
import { Forbidden, NotFound, TooManyRequests, Unavailable } from "./Failures.ts"
import { BodyFailure } from "./Middleware.ts"

const optional = Schema.optional(Schema.String)

/** A document of the fields that its standard names. */
const Description = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Registered = Schema.Struct({
  client_id: Schema.String,
  client_id_issued_at: Schema.Int,
  client_name: Schema.String,
  redirect_uris: Schema.Array(Schema.String),
  grant_types: Schema.Array(Schema.String),
  response_types: Schema.Array(Schema.String),
  token_endpoint_auth_method: Schema.Literal("none")
})

/** OAuth 2.1 for programs, as the Model Context Protocol asks for it. Its handlers read the bodies themselves. */
export const oauth = group(
  "oauth",
  {
    fails: [Forbidden, NotFound, TooManyRequests, Unavailable],
    says: "Open to programs: how they get tokens with the owner's consent. Errors are those of OAuth, with `error_description` beside the contract's `message`."
  },
  get("resource", "/.well-known/oauth-protected-resource/mcp", "Describes `/mcp` to programs (RFC 9728)", {
    answer: Description,
    more: "Also without `/mcp` at its end. 404 while the service does not know its address (`PUBLIC_URL`), and with `DEV_NO_AUTH`."
  }),
  get("resourceAtRoot", "/.well-known/oauth-protected-resource", "Describes `/mcp` to programs, as above", {
    answer: Description
  }),
  get("server", "/.well-known/oauth-authorization-server", "Describes how programs get tokens (RFC 8414)", {
    answer: Description,
    more: "The owner consents at `/dashboard/authorize`. Programs register, or publish a description and have its address as their `client_id`."
  }),
  post("register", "/oauth/register", "Registers a program (RFC 7591)", {
    answer: Registered,
    status: 201,
    more: "Programs have no secret. A registration that the owner does not allow anything is removed after 30 days, or when 500 newer ones have come."
  }).setPayload(Schema.Struct({ redirect_uris: Schema.Array(Schema.String), client_name: optional })),
  post("token", "/oauth/token", "Gives a program its tokens", {
    answer: Schema.Struct({
      access_token: Schema.String,
      token_type: Schema.Literal("Bearer"),
      expires_in: Schema.Int,
      refresh_token: Schema.String,
      scope: Schema.String
    }),
    more: "For a code, which is valid for a minute and once, or for a `refresh_token`, which the answer replaces. An earlier one ends the program's access."
  }).setPayload(
    Schema.Struct({
      grant_type: Schema.Literal("authorization_code", "refresh_token"),
      client_id: Schema.String,
      code: optional,
      code_verifier: optional,
      redirect_uri: optional,
      refresh_token: optional,
      resource: optional
    }).pipe(HttpApiSchema.withEncoding({ kind: "UrlParams" }))
  ),
  post("revoke", "/oauth/revoke", "Ends a program's access (RFC 7009)", {
    answer: Schema.Void,
    status: 200
  }).setPayload(
    Schema.Struct({ token: Schema.String, client_id: Schema.String }).pipe(
      HttpApiSchema.withEncoding({ kind: "UrlParams" })
    )
  )
).addError(BodyFailure)
