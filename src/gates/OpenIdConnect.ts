import { FetchHttpClient } from "@effect/platform"
import { Data, Duration, Effect, Either, Option, Redacted, Ref } from "effect"
import * as client from "openid-client"
import { Setting } from "../config/Configuration.ts"
import type { SignInProblem } from "../domain/SignIn.ts"
import { codeOf } from "../runtime/LiveFile.ts"
import { Service } from "../runtime/Services.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { isAllowedUser, isVerified, type UserClaims } from "./AllowedUser.ts"
import { isConfidential } from "./BrowserChannel.ts"

const METADATA_AGE = Duration.hours(1)
const RETRY_AFTER = Duration.seconds(10)
/** The timeout of a request to the provider, in seconds, and the one of all requests of a step. */
const REQUEST_TIMEOUT = 5
const STEP_TIMEOUT = Duration.seconds(15)
/** Maximum size of a response of the provider, in bytes; a key set may have 10,000. */
const MAX_ANSWER = 262_144

/** Signing in with the provider failed; the log has the details, and the caller only the kind of problem. */
export class OidcFailed extends Data.TaggedError("OidcFailed")<{
  readonly problem: Extract<SignInProblem, `oidc_${string}`>
}> {}

class StepFailed extends Data.TaggedError("StepFailed")<{ readonly cause: unknown }> {}

const failed = (problem: OidcFailed["problem"]) => new OidcFailed({ problem })

interface Registration {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string | undefined
  /** The only user who may sign in. */
  readonly allowed: string
}

/** What must come back from the provider; it stays with the service and is never sent to the browser. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The address to which the provider sends the browser back. */
  readonly redirectUri: string
  /** The registration it began with; a sign-in does not outlive a change of the settings. */
  readonly registration: string
}

const registration = Effect.gen(function* () {
  const issuer = yield* Effect.flatten(Setting.oidcIssuer.config)
  const clientId = yield* Effect.flatten(Setting.oidcClientId.config)
  const allowed = yield* Effect.flatten(Setting.oidcAllow.config)
  const clientSecret = Option.getOrUndefined(
    Option.map(yield* Setting.oidcClientSecret.config, Redacted.value)
  )
  const one: Registration = { issuer, clientId, clientSecret, allowed }
  return Option.liftPredicate(one, () => isConfidential(issuer))
}).pipe(Effect.orElseSucceed(() => Option.none<Registration>()))

/** The host of the provider; none until it is set up. */
export const providerHost: Effect.Effect<Option.Option<string>> = Effect.map(
  registration,
  Option.map(({ issuer }) => issuer.host)
)

const keyOf = ({ allowed, clientId, clientSecret = "", issuer }: Registration) =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([issuer.href, clientId, clientSecret, allowed]))
    .digest("base64url")

/** Reads a response to its end, but not more than the limit. */
const boundedFetch =
  (fetch: typeof globalThis.fetch): client.CustomFetch =>
  async (url, { body, headers, method, redirect, signal }) => {
    const response = await fetch(url, {
      headers,
      method,
      redirect,
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? new Uint8Array(body) : body }),
      ...(signal === undefined ? {} : { signal })
    })
    const parts: Array<Uint8Array> = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > MAX_ANSWER) throw new Error("too large")
      parts.push(part)
    }
    const { headers: received, status } = response
    return new Response(size === 0 ? null : Buffer.concat(parts), { headers: received, status })
  }

/** The standard's default is the `Authorization` header; a provider that does not support it says so. */
const authenticationOf = ({ clientSecret }: Registration, supported: ReadonlyArray<string> | undefined) => {
  if (clientSecret === undefined) return client.None()
  const isPostOnly =
    supported?.includes("client_secret_basic") === false && supported.includes("client_secret_post")
  return isPostOnly ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret)
}

/** Describes an error for the log, without the provider's own texts. */
const reasonOf = (error: unknown): string => {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return /^[\w.-]{1,60}$/.test(error.error)
      ? `the provider answered ${error.error}`
      : "the provider refused"
  if (error instanceof client.ClientError) return error.message
  const code = codeOf(error)
  return /^[\w ]{1,60}$/.test(code) ? code : "unexpected"
}

/** Errors with which the provider says that it did not sign the user in (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). */
const isRefusal = (error: unknown) => error instanceof client.AuthorizationResponseError

interface Discovered {
  readonly key: string
  /** When the last fetch ended, in ms of a monotonic clock. */
  readonly at: number
  readonly result: Either.Either<client.Configuration, OidcFailed>
}

const isFresh = ({ at, result }: Discovered, now: number) =>
  now - at < Duration.toMillis(Either.isRight(result) ? METADATA_AGE : RETRY_AFTER)

const quoted = (value: unknown) => JSON.stringify(typeof value === "string" ? value.slice(0, 200) : value)

const make = Effect.gen(function* () {
  const fetch = boundedFetch(
    Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.Fetch), () => globalThis.fetch)
  )
  const known = yield* Ref.make(Option.none<Discovered>())
  const oneByOne = (yield* Effect.makeSemaphore(1)).withPermits(1)

  /** Runs a step that asks the provider; every error becomes a line in the log and a problem. */
  const step = <A>(
    work: () => Promise<A>,
    problemOf: (error: unknown) => OidcFailed["problem"]
  ): Effect.Effect<A, OidcFailed> =>
    Effect.tryPromise({ try: work, catch: (cause) => new StepFailed({ cause }) }).pipe(
      Effect.timeoutFail({
        duration: STEP_TIMEOUT,
        onTimeout: () => new StepFailed({ cause: "timeout" })
      }),
      Effect.catchTag("StepFailed", ({ cause }) =>
        Effect.zipRight(
          Effect.logWarning(`Signing in with the provider at OIDC_ISSUER failed: ${reasonOf(cause)}`),
          failed(problemOf(cause))
        )
      )
    )

  const discover = Effect.fn("OpenIdConnect.discover")(function* (one: Registration) {
    const options = {
      [client.customFetch]: fetch,
      timeout: REQUEST_TIMEOUT,
      execute: [
        client.enableNonRepudiationChecks,
        ...(one.issuer.protocol === "http:" ? [client.allowInsecureRequests] : [])
      ]
    }
    const found = yield* step(
      () => client.discovery(one.issuer, one.clientId, undefined, client.None(), options),
      () => "oidc_unavailable"
    )
    const metadata = found.serverMetadata()
    // Some providers answer for many issuers: only the configured one counts.
    if (URL.parse(metadata.issuer)?.href !== one.issuer.href) {
      yield* Effect.logWarning("OIDC_ISSUER is not the issuer that the provider names; use exactly its text.")
      return yield* failed("oidc_unavailable")
    }
    const authentication = authenticationOf(one, metadata.token_endpoint_auth_methods_supported)
    const configuration = new client.Configuration(metadata, one.clientId, undefined, authentication)
    configuration[client.customFetch] = fetch
    configuration.timeout = REQUEST_TIMEOUT
    for (const extend of options.execute) extend(configuration)
    return configuration
  })

  const configurationOf = (one: Registration) =>
    oneByOne(
      Effect.gen(function* () {
        const key = keyOf(one)
        const now = yield* monotonicMillis
        const cached = Option.filter(yield* Ref.get(known), (it) => it.key === key && isFresh(it, now))
        if (Option.isSome(cached)) return yield* cached.value.result
        const result = yield* Effect.either(discover(one))
        yield* Ref.set(known, Option.some({ key, result, at: yield* monotonicMillis }))
        return yield* result
      })
    )

  const current = Effect.flatMap(
    registration,
    Option.match({ onNone: () => failed("oidc_unavailable"), onSome: Effect.succeed })
  )

  /** Whether the allowed user signed in; asks the provider for the address if the token does not have it. */
  const isOwner = Effect.fnUntraced(function* (
    one: Registration,
    configuration: client.Configuration,
    tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>
  ) {
    const claims: UserClaims & { readonly sub?: string } = tokens.claims() ?? {}
    const { sub } = claims
    const lacksAddress = one.allowed.includes("@") && claims.email === undefined
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
    const user: UserClaims =
      lacksAddress && hasMore && sub !== undefined
        ? yield* step(
            () => client.fetchUserInfo(configuration, tokens.access_token, sub),
            () => "oidc_failed"
          )
        : claims
    if (isAllowedUser(user, one.allowed, { trustsEmail: false })) return true
    const kind = isVerified(user) ? "verified" : "unverified"
    const address = user.email === undefined ? "" : ` and the ${kind} address ${quoted(user.email)}`
    yield* Effect.logWarning(
      `Refused a sign-in with the subject ${quoted(sub)}${address}: OIDC_ALLOW names another user.`
    )
    return false
  })

  return {
    /** Asks the provider how it is to be used; fails if it does not say so. */
    test: Effect.asVoid(Effect.flatMap(current, discover)),
    /** Returns the provider's address to which to send the browser, and what to expect when it comes back. */
    begin: Effect.fn("OpenIdConnect.begin")(function* (redirectUri: string) {
      const one = yield* current
      const configuration = yield* configurationOf(one)
      const pending: PendingSignIn = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        redirectUri,
        registration: keyOf(one)
      }
      const address = yield* step(
        async () =>
          client.buildAuthorizationUrl(configuration, {
            redirect_uri: redirectUri,
            scope: one.allowed.includes("@") ? "openid email" : "openid",
            state: pending.state,
            nonce: pending.nonce,
            code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
            code_challenge_method: "S256"
          }),
        () => "oidc_unavailable"
      )
      return isConfidential(address) ? { address, pending } : yield* failed("oidc_unavailable")
    }),
    /** Succeeds if the provider's answer, the query of the redirect, shows that the allowed user signed in. */
    finish: Effect.fn("OpenIdConnect.finish")(function* (pending: PendingSignIn, answer: URLSearchParams) {
      const one = yield* current
      if (keyOf(one) !== pending.registration) return yield* failed("oidc_expired")
      const configuration = yield* configurationOf(one)
      const url = new URL(`${pending.redirectUri}?${answer}`)
      const tokens = yield* step(
        () =>
          client.authorizationCodeGrant(configuration, url, {
            expectedState: pending.state,
            expectedNonce: pending.nonce,
            pkceCodeVerifier: pending.verifier,
            idTokenExpected: true
          }),
        (error) => (isRefusal(error) ? "oidc_refused" : "oidc_failed")
      )
      if (!(yield* isOwner(one, configuration, tokens))) return yield* failed("oidc_other_user")
    })
  }
})

/** Authorization code flow with PKCE (RFC 7636), state and nonce. Closed until issuer, client and user are set. */
export class OpenIdConnect extends Service<OpenIdConnect>()("OpenIdConnect", make) {}
