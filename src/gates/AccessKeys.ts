import { createPublicKey, type KeyObject } from "node:crypto"
import { FetchHttpClient, HttpClient, type HttpClientResponse } from "@effect/platform"
import { Context, Data, Effect, Layer, Option, Schema, Stream, SynchronizedRef } from "effect"
import * as KeyCache from "./KeyCache.ts"
import type { Team } from "./TeamDomain.ts"

/** The key server gave no key that can be used; `reason` is safe to log. */
export class NoKeys extends Data.TaggedError("NoKeys")<{
  readonly reason: "unreachable" | "timeout" | "status" | "too-large" | "not-a-key-set" | "no-usable-key"
}> {}

/** The most of the key server's answer that is read, in UTF-16 units; a real one has about 8,000. */
const MAX_ANSWER = 262_144

/** Shorter RSA keys are not used (RFC 7518, 3.3), in bits. */
const MIN_MODULUS = 2_048

/** A key of the set that is no RSA key for RS256. */
class UnusableKey extends Data.TaggedError("UnusableKey") {}

/** What `/cdn-cgi/access/certs` answers (Cloudflare One documentation, "Validate JWTs"): a JSON Web Key Set. */
const KeySet = Schema.parseJson(Schema.Struct({ keys: Schema.Array(Schema.Unknown) }))

/** An RSA key for RS256 signatures (RFC 7517 and 7518); keys of other kinds are passed over. */
const SigningKey = Schema.Struct({
  kty: Schema.Literal("RSA"),
  kid: Schema.NonEmptyString,
  alg: Schema.optionalWith(Schema.Literal("RS256"), { exact: true }),
  use: Schema.optionalWith(Schema.Literal("sig"), { exact: true }),
  n: Schema.NonEmptyString,
  e: Schema.NonEmptyString
})

/**
 * The public keys the access gateway signs with.
 *
 * `find` gives none where the key is unknown or the team's keys cannot be had; it never fails.
 */
export class AccessKeys extends Context.Tag("AccessKeys")<
  AccessKeys,
  { readonly find: (team: Team, kid: string) => Effect.Effect<Option.Option<KeyObject>> }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const scope = yield* Effect.scope
      const open = (team: Team) =>
        Effect.map(KeyCache.make(fetchKeys(client, team), scope), ({ find }) => ({
          issuer: team.issuer,
          find
        }))
      // One team at a time: with another team the keys of the one before are gone.
      const current = yield* SynchronizedRef.make(
        Option.none<Effect.Effect.Success<ReturnType<typeof open>>>()
      )
      const cacheOf = Effect.fnUntraced(function* (team: Team) {
        const known = yield* SynchronizedRef.get(current)
        if (Option.isSome(known) && known.value.issuer === team.issuer) return known.value
        return yield* SynchronizedRef.modifyEffect(current, (now) =>
          Option.isSome(now) && now.value.issuer === team.issuer
            ? Effect.succeed([now.value, now] as const)
            : Effect.map(open(team), (opened) => [opened, Option.some(opened)] as const)
        )
      })

      return {
        find: Effect.fnUntraced(function* (team, kid) {
          return yield* (yield* cacheOf(team)).find(kid)
        })
      }
    })
  )
}

const fetchKeys = Effect.fn("AccessKeys.fetch")(
  function* (client: HttpClient.HttpClient, team: Team) {
    const response = yield* client.get(team.certs)
    if (response.status !== 200) return yield* new NoKeys({ reason: "status" })
    const { keys } = yield* Effect.flatMap(boundedText(response), Schema.decode(KeySet))
    const usable = yield* Effect.forEach(keys, (key) => Effect.option(importKey(key)))
    const found: KeyCache.Keys = new Map(usable.flatMap(Option.toArray))
    return found.size > 0 ? found : yield* new NoKeys({ reason: "no-usable-key" })
  },
  Effect.timeout("5 seconds"),
  // The keys decide who gets in: only the address in the settings may name them.
  Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
  Effect.catchTags({
    ParseError: () => new NoKeys({ reason: "not-a-key-set" }),
    RequestError: () => new NoKeys({ reason: "unreachable" }),
    ResponseError: () => new NoKeys({ reason: "unreachable" }),
    TimeoutException: () => new NoKeys({ reason: "timeout" })
  })
)

/** Asks the team's key server, once, how many keys it publishes that can be used. */
export const usableKeys = (team: Team): Effect.Effect<number, NoKeys, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => fetchKeys(client, team)).pipe(
    Effect.map(({ size }) => size)
  )

const boundedText = ({ stream }: HttpClientResponse.HttpClientResponse) =>
  stream.pipe(
    Stream.decodeText(),
    Stream.runFoldEffect("", (text, more) =>
      text.length + more.length > MAX_ANSWER
        ? new NoKeys({ reason: "too-large" })
        : Effect.succeed(text + more)
    )
  )

/** Checked here, for node:crypto ignores characters that are not base64. */
const base64url = /^[\w-]+$/

const importKey = Effect.fnUntraced(function* (key: unknown) {
  const { e, kid, kty, n } = yield* Schema.decodeUnknown(SigningKey)(key)
  if (!base64url.test(n) || !base64url.test(e)) return yield* new UnusableKey()
  const imported = yield* Effect.try({
    try: () => createPublicKey({ key: { e, kty, n }, format: "jwk" }),
    catch: () => new UnusableKey()
  })
  const { modulusLength = 0, publicExponent = 0n } = imported.asymmetricKeyDetails ?? {}
  if (modulusLength < MIN_MODULUS || publicExponent < 3n) return yield* new UnusableKey()
  return [kid, imported] as const
})
