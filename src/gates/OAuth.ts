import { DateTime, Effect, Option, Schema } from "effect"
import { isDocumentAddress } from "../domain/ClientDocument.ts"
import { isRegistered, redirectPlace } from "../domain/RedirectAddress.ts"
import { Scope } from "../domain/Token.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { makeTokenBuckets, type Rate } from "../runtime/RateLimit.ts"
import { makeSecret, secretDigest } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { type Client, GrantStore } from "../store/signin/GrantStore.ts"
import { clientOf } from "./ClientAddress.ts"
import { makeClients, OAuthRefused, refuse, slowDown } from "./OAuthClients.ts"
import { handleOf, makeToken } from "./Programs.ts"
import type { Request } from "./Verifier.ts"

/** How long an authorization code can be redeemed, in milliseconds. */
const CODE_LIFETIME = 60_000
/** Maximum number of codes remembered, used ones among them: a second use of one ends what the first has got. */
const MAX_CODES = 1_000
const ACCESS_SECONDS = 3_600
/** How long a program may stay away before it loses the access, in days. */
const GRANT_DAYS = 90

/** A caller's requests with wrong codes and tokens. */
const WRONG: Rate = { burst: 30, perSecond: 1 / 10 }
const MAX_CALLERS = 10_000

const MAX_STATE = 1_000

/** The scopes for a program that asks for none, which is what most agents need. */
export const USUAL_SCOPES: ReadonlyArray<Scope> = ["read", "save", "change"]

/** The place of the resource below the service's address. */
const RESOURCE = "/mcp"

export interface Asked {
  readonly client: Client
  /** The address to which the browser goes back. */
  readonly redirect: string
  readonly state: string | undefined
  readonly scopes: ReadonlyArray<Scope>
  readonly challenge: string
}

export interface Tokens {
  readonly access_token: string
  readonly token_type: "Bearer"
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** An authorization code that was given out, by its SHA-256. */
interface Code extends Pick<Asked, "challenge" | "client" | "redirect" | "scopes"> {
  readonly issuer: string
  readonly until: number
  /** The grant that it was redeemed for; `refused` if another use has spoilt it. */
  readonly used?: number | "refused"
}

const isScope = Schema.is(Scope)

/** Reads a parameter that may occur once; an empty one counts as absent (RFC 6749, 3.1). */
const parameter = (params: URLSearchParams, name: string) => {
  const [value, other] = params.getAll(name)
  return other === undefined
    ? Effect.succeed(value === "" ? undefined : value)
    : refuse("invalid_request", `The parameter "${name}" must not be repeated.`)
}

const required = (params: URLSearchParams, name: string) =>
  Effect.filterOrElse(
    parameter(params, name),
    (value): value is string => value !== undefined,
    () => refuse("invalid_request", `The parameter "${name}" is missing.`)
  )

const challengeOf = (verifier: string) => secretDigest(verifier)

export const resourceOf = (issuer: string) => `${issuer}${RESOURCE}`

/** Fails if a program asks for a token of another resource. Programs differ in the slash at the end. */
const checkResource = Effect.fnUntraced(function* (params: URLSearchParams, issuer: string) {
  const given = params.getAll("resource")
  const own = new Set([resourceOf(issuer), issuer].map((one) => URL.parse(one)?.href.replace(/\/$/, "")))
  for (const one of given) {
    const url = URL.parse(one)
    if (url === null || url.hash !== "" || !own.has(url.href.replace(/\/$/, "")))
      return yield* refuse("invalid_target", `The resource must be ${resourceOf(issuer)}.`)
  }
})

/** Returns the scopes that are asked for; those of other services, such as `openid`, are left out. */
const scopesIn = (given: string | undefined) => {
  if (given === undefined) return Effect.succeed(USUAL_SCOPES)
  const known = new Set(given.split(" ").filter(isScope))
  return known.size > 0
    ? Effect.succeed([...known])
    : refuse(
        "invalid_scope",
        `The program asks for access of unknown kinds. Known are ${Scope.literals.join(", ")}.`
      )
}

/** Returns the address that takes an answer back to the program; `iss` tells it whose answer it is (RFC 9207). */
const answerAt = (redirect: string, issuer: string, answer: Readonly<Record<string, string | undefined>>) => {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries({ ...answer, iss: issuer }))
    if (value !== undefined) url.searchParams.append(name, value)
  return url.href
}

/** The part of a renewing token that finds its grant, as in `handleOf`. */
const renewingHandle = (token: string) =>
  token.startsWith("lbr_") ? handleOf(token.replace("lbr_", "lb_")) : undefined

const make = Effect.gen(function* () {
  const store = yield* GrantStore
  const clients = yield* makeClients
  const codes = new LruMap<string, Code>(MAX_CODES)
  const wrong = makeTokenBuckets(WRONG, MAX_CALLERS)

  const ask = Effect.fn("OAuth.ask")(function* (params: URLSearchParams, issuer: string) {
    // First the program and its address: until both are known, no error may lead there.
    const client = yield* clients.find(yield* required(params, "client_id"))
    const redirect = yield* required(params, "redirect_uri")
    if (!isRegistered(client.redirects, redirect))
      return yield* refuse("invalid_redirect_uri", "The program has not registered the address to return to.")
    const rest = Effect.gen(function* () {
      const state = yield* parameter(params, "state")
      if ((state?.length ?? 0) > MAX_STATE) return yield* refuse("invalid_request", "The state is too long.")
      if ((yield* required(params, "response_type")) !== "code")
        return yield* refuse("unsupported_response_type", 'The "response_type" must be "code".')
      for (const name of ["request", "request_uri", "registration"])
        if (params.has(name))
          return yield* refuse("invalid_request", `The parameter "${name}" is not supported.`)
      if ((yield* parameter(params, "code_challenge_method")) !== "S256")
        return yield* refuse("invalid_request", 'The "code_challenge_method" must be "S256".')
      const challenge = yield* required(params, "code_challenge")
      if (!/^[\w-]{43}$/.test(challenge))
        return yield* refuse("invalid_request", 'The "code_challenge" must be a SHA-256 in base64url.')
      yield* checkResource(params, issuer)
      const scopes = yield* scopesIn(yield* parameter(params, "scope"))
      const asked: Asked = { client, redirect, state, scopes, challenge }
      return asked
    })
    return yield* Effect.mapError(rest, ({ error, message }) => {
      const state = params.get("state") ?? undefined
      const location = answerAt(redirect, issuer, { error, error_description: message, state })
      return new OAuthRefused({
        error,
        message,
        from: { name: client.name, place: redirectPlace(redirect), location }
      })
    })
  })

  const deny = ({ redirect, state }: Asked, issuer: string) =>
    answerAt(redirect, issuer, { error: "access_denied", error_description: "The owner declined.", state })

  const allow = Effect.fn("OAuth.allow")(function* (
    asked: Asked,
    issuer: string,
    scopes: ReadonlyArray<Scope>
  ) {
    const allowed = asked.scopes.filter((scope) => scopes.includes(scope))
    if (allowed.length === 0) return deny(asked, issuer)
    const code = `lbc_${makeSecret()}`
    const { challenge, client, redirect, state } = asked
    // The program's next request is not the owner's, so that nothing may be fetched for it.
    if (isDocumentAddress(client.id)) yield* store.register(client)
    const until = (yield* monotonicMillis) + CODE_LIFETIME
    codes.set(secretDigest(code), { challenge, client, redirect, scopes: allowed, issuer, until })
    return answerAt(redirect, issuer, { code, state })
  })

  const makeSecrets = Effect.fnUntraced(function* (handle?: string) {
    const access = makeToken(handle)
    const refresh = `lbr_${access.handle}${makeSecret()}`
    const now = yield* DateTime.now
    return {
      handle: access.handle,
      access: access.secret,
      refresh,
      stored: {
        secret: access.digest,
        expiresAt: DateTime.formatIso(DateTime.add(now, { seconds: ACCESS_SECONDS })),
        refresh: secretDigest(refresh),
        refreshUntil: DateTime.formatIso(DateTime.add(now, { days: GRANT_DAYS }))
      }
    }
  })

  const tokensOf = (access: string, refresh: string, scopes: ReadonlyArray<Scope>): Tokens => ({
    access_token: access,
    token_type: "Bearer",
    expires_in: ACCESS_SECONDS,
    refresh_token: refresh,
    scope: scopes.join(" ")
  })

  const invalidGrant = refuse("invalid_grant", "This code or token is not valid, has expired or was used.")

  /** Takes a code out; a second use ends what the first one got (OAuth 2.1, 4.1.3). */
  const takeCode = Effect.fnUntraced(function* (text: string) {
    const digest = secretDigest(text)
    const code = codes.get(digest)
    if (code === undefined) return yield* invalidGrant
    codes.set(digest, { ...code, used: code.used ?? "refused" })
    if (code.used === undefined) return { code, digest }
    if (code.used !== "refused") yield* store.revoke(code.used)
    return yield* invalidGrant
  })

  const redeem = Effect.fnUntraced(function* (params: URLSearchParams, issuer: string, client: Client) {
    // Read before the code is taken, so that a malformed request does not use it up.
    const verifier = yield* required(params, "code_verifier")
    const redirect = yield* parameter(params, "redirect_uri")
    yield* checkResource(params, issuer)
    const { code, digest } = yield* takeCode(yield* required(params, "code"))
    const isRight =
      code.client.id === client.id &&
      code.issuer === issuer &&
      (yield* monotonicMillis) < code.until &&
      // Optional in OAuth 2.1, where the verifier alone proves who asks.
      (redirect === undefined || redirect === code.redirect) &&
      /^[\w.~-]{43,128}$/.test(verifier) &&
      challengeOf(verifier) === code.challenge
    if (!isRight) return yield* invalidGrant
    const { access, handle, refresh, stored } = yield* makeSecrets()
    const grant = yield* store.grant({
      ...stored,
      client,
      scopes: code.scopes,
      returnsTo: redirectPlace(code.redirect),
      handle
    })
    if (Option.isNone(grant)) return yield* refuse("access_denied", "Too many programs have this name.")
    codes.set(digest, { ...code, used: grant.value })
    return tokensOf(access, refresh, code.scopes)
  })

  const renew = Effect.fnUntraced(function* (params: URLSearchParams, issuer: string, client: Client) {
    const given = yield* required(params, "refresh_token")
    yield* checkResource(params, issuer)
    const handle = renewingHandle(given)
    if (handle === undefined) return yield* invalidGrant
    const { access, refresh, stored } = yield* makeSecrets(handle)
    const scopes = yield* store.renew(handle, client.id, secretDigest(given), stored)
    if (Option.isSome(scopes)) return tokensOf(access, refresh, scopes.value)
    // Either the program or a thief sends an earlier token of the grant. Nobody can tell which, so the grant ends.
    yield* store.revokeUnless(handle, secretDigest(given))
    return yield* invalidGrant
  })

  const exchange = Effect.fnUntraced(function* (params: URLSearchParams, issuer: string) {
    const type = yield* required(params, "grant_type")
    if (type !== "authorization_code" && type !== "refresh_token")
      return yield* refuse("unsupported_grant_type", "Use authorization_code or refresh_token.")
    const client = yield* clients.known(yield* required(params, "client_id"))
    return yield* (type === "refresh_token" ? renew : redeem)(params, issuer, client)
  })

  return {
    register: clients.register,
    ask,
    /** Makes the address with a code for those of the scopes that were asked for; without any, it tells the refusal. */
    allow,
    exchange: Effect.fn("OAuth.exchange")(function* (
      request: Request,
      params: URLSearchParams,
      issuer: string
    ) {
      const { key } = yield* clientOf(request)
      return yield* Effect.catchTag(exchange(params, issuer), "OAuthRefused", (refused) =>
        Effect.flatMap(monotonicMillis, (millis) => {
          const wait = wrong(key, millis)
          return wait > 0 ? slowDown(wait) : refused
        })
      )
    }),
    /** Ends a grant by either of its tokens (RFC 7009); a token of another program is left alone. */
    revoke: Effect.fn("OAuth.revoke")(function* (params: URLSearchParams) {
      const token = yield* required(params, "token")
      const client = yield* required(params, "client_id")
      const handle = handleOf(token) ?? renewingHandle(token)
      if (handle !== undefined) yield* store.revokeBy(handle, client, secretDigest(token))
    })
  }
})

/**
 * The service's authorization server (OAuth 2.1), for programs that the owner allows on the consent page. Programs are
 * public clients: they have no secret, and prove by PKCE that a code is theirs. Codes are kept in memory.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class OAuth extends Service<OAuth>()("OAuth", make) {}
