import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Scope } from "../domain/Token.ts"
import { OAuth, resourceOf, USUAL_SCOPES } from "../gates/OAuth.ts"
import { OAuthRefused } from "../gates/OAuthClients.ts"
import { Api } from "./api/Api.ts"
import { Forbidden, NotFound, UnsupportedMediaType } from "./api/Failures.ts"
import { knownAddress } from "./BaseAddress.ts"
import { OpenBody, parseJson, requireJson } from "./Body.ts"

export const CONSENT = "/dashboard/authorize"

const RESOURCE_METADATA = "/.well-known/oauth-protected-resource/mcp"

/** There is no address with DEV_NO_AUTH, where every local program could consent, and while it is unknown. */
export const issuer = Effect.gen(function* () {
  if (yield* Effect.orElseSucceed(Setting.devNoAuth.config, () => false)) return Option.none()
  const known = yield* knownAddress
  return Option.filterMap(known, (address) => {
    const url = URL.parse(address)
    return url === null ? Option.none() : Option.some(url.href.replace(/\/$/, ""))
  })
})

/** Scopes, where to ask for them (RFC 9728, 5.1), and with an `error` why the token is refused (RFC 6750, 3). */
export const mcpChallenge = (scopes: ReadonlyArray<Scope>, error?: "insufficient_scope") =>
  Effect.map(issuer, (known) => {
    const why = error === undefined ? [] : [`error="${error}"`]
    const where = Option.map(known, (base) => `resource_metadata="${base}${RESOURCE_METADATA}"`)
    return `Bearer ${[...why, ...Option.toArray(where), `scope="${scopes.join(" ")}"`].join(", ")}`
  })

/** The answer to a refusal: OAuth's own fields, and the contract's `message` (RFC 6749, 5.2). */
const refusal = ({ error, message, wait }: OAuthRefused) =>
  HttpServerResponse.unsafeJson(
    { error, error_description: message, message },
    {
      status: wait === undefined ? 400 : 429,
      headers: wait === undefined ? {} : { "retry-after": String(wait) }
    }
  )

const answering = <A, E, R>(answer: Effect.Effect<A, E | OAuthRefused, R>) =>
  Effect.catchIf(
    answer,
    (error) => error instanceof OAuthRefused,
    (refused) => Effect.succeed(refusal(refused))
  )

/** Without an address, no program can be let in. */
export const requireIssuer = Effect.flatMap(
  issuer,
  Option.match({
    onNone: () => new Forbidden("Set PUBLIC_URL, and unset DEV_NO_AUTH, to let programs ask for access."),
    onSome: Effect.succeed
  })
)

/** Reads the form of a request (RFC 6749, appendix B). */
const readForm = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return yield* new UnsupportedMediaType("Send application/x-www-form-urlencoded.")
  return new URLSearchParams(yield* (yield* OpenBody).text)
})

/** Serves what programs need to get a token: the descriptions, and the endpoints that they name. */
export const layer = HttpApiBuilder.group(
  Api,
  "oauth",
  Effect.fn(function* (handlers) {
    const oauth = yield* OAuth
    const body = yield* OpenBody
    const request = HttpServerRequest.HttpServerRequest
    const described = (make: (base: string) => object) =>
      Effect.flatMap(
        issuer,
        Option.match({
          onNone: () => new NotFound(),
          onSome: (base) => Effect.succeed(HttpServerResponse.unsafeJson(make(base)))
        })
      )
    const resource = described((base) => ({
      resource: resourceOf(base),
      resource_name: "Linkbower",
      resource_documentation: `${base}/docs/agents`,
      authorization_servers: [base],
      scopes_supported: USUAL_SCOPES,
      bearer_methods_supported: ["header"]
    }))
    const form = Effect.provideService(readForm, OpenBody, body)
    // Raw: OAuth has bodies and errors of its own.
    return handlers
      .handleRaw("resource", () => resource)
      .handleRaw("resourceAtRoot", () => resource)
      .handleRaw("server", () =>
        described((base) => ({
          issuer: base,
          authorization_endpoint: `${base}${CONSENT}`,
          token_endpoint: `${base}/oauth/token`,
          registration_endpoint: `${base}/oauth/register`,
          revocation_endpoint: `${base}/oauth/revoke`,
          service_documentation: `${base}/docs/agents`,
          scopes_supported: Scope.literals,
          response_types_supported: ["code"],
          response_modes_supported: ["query"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          token_endpoint_auth_methods_supported: ["none"],
          revocation_endpoint_auth_methods_supported: ["none"],
          code_challenge_methods_supported: ["S256"],
          authorization_response_iss_parameter_supported: true,
          client_id_metadata_document_supported: true
        }))
      )
      .handleRaw("register", () =>
        Effect.gen(function* () {
          yield* requireIssuer
          yield* requireJson
          const metadata = yield* Effect.flatMap(body.text, parseJson)
          const client = yield* oauth.register(yield* request, metadata)
          const answer = {
            client_id: client.id,
            client_id_issued_at: Math.floor(Date.parse(client.createdAt) / 1000),
            client_name: client.name,
            redirect_uris: client.redirects,
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
            token_endpoint_auth_method: "none"
          }
          return HttpServerResponse.unsafeJson(answer, { status: 201 })
        }).pipe(answering)
      )
      .handleRaw("token", () =>
        Effect.gen(function* () {
          const base = yield* requireIssuer
          const tokens = yield* oauth.exchange(yield* request, yield* form, base)
          return HttpServerResponse.unsafeJson(tokens)
        }).pipe(answering)
      )
      .handleRaw("revoke", () =>
        Effect.gen(function* () {
          yield* requireIssuer
          yield* oauth.revoke(yield* form)
          return HttpServerResponse.empty({ status: 200 })
        }).pipe(answering)
      )
  })
)
