import { createPublicKey, type KeyObject } from "node:crypto"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import {
  Cause,
  Clock,
  Context,
  Data,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Ref,
  Schema,
  type Scope,
  SynchronizedRef
} from "effect"
import { boundedText } from "../runtime/BoundedBody.ts"
import { isLoopback } from "./RequestHost.ts"

/** Public keys by key id (`kid`). */
export type Keys = ReadonlyMap<string, KeyObject>

/** Age at which a lookup refetches the keys, which bounds how long a withdrawn key stays valid. */
const MAX_AGE = Duration.minutes(10)

/** Age at which keys expire, even while the key server is unreachable. */
const STALE_LIMIT = Duration.hours(24)

/** Minimum time from a successful fetch to the next one; within it, an unknown key id triggers no fetch. */
const COOL_DOWN = Duration.seconds(30)

/** Minimum time from a failed fetch to the next one. */
const RETRY_AFTER = Duration.seconds(10)

interface State {
  readonly keys: Keys
  /** When the keys arrived and when the last fetch ended, in ms of a monotonic clock. */
  readonly fetchedAt: number
  readonly askedAt: number
  readonly failed: boolean
}

const cold: State = { keys: new Map(), fetchedAt: -Infinity, askedAt: -Infinity, failed: false }

const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000_000n))

const isDue = ({ askedAt, failed, fetchedAt, keys }: State, kid: string, now: number) =>
  now - askedAt >= Duration.toMillis(failed ? RETRY_AFTER : COOL_DOWN) &&
  (!keys.has(kid) || now - fetchedAt >= Duration.toMillis(MAX_AGE))

/**
 * Caches the keys that `fetch` returns, and refetches when they age or an unknown key id is requested: one fetch at a
 * time, with a pause after each. A failed fetch keeps the last good keys until they expire.
 */
export const makeKeyCache = Effect.fnUntraced(function* (
  fetch: Effect.Effect<Keys, { readonly reason: string }>,
  scope: Scope.Scope
) {
  const state = yield* Ref.make(cold)
  const fetchLock = yield* Effect.makeSemaphore(1)

  const refetch = Effect.gen(function* () {
    const answer = yield* Effect.exit(fetch)
    const before = yield* Ref.get(state)
    const now = yield* monotonicMillis
    if (Exit.isSuccess(answer)) {
      return yield* Ref.set(state, { keys: answer.value, fetchedAt: now, askedAt: now, failed: false })
    }
    yield* Ref.set(state, { ...before, askedAt: now, failed: true })
    if (before.failed) return
    const reason = Option.match(Cause.failureOption(answer.cause), {
      onNone: () => "unexpected",
      onSome: (error) => error.reason
    })
    yield* Effect.logWarning(`The access gateway's keys cannot be fetched (${reason}); trying again.`)
  })

  const refetchIfDue = Effect.fnUntraced(function* (kid: string) {
    if (isDue(yield* Ref.get(state), kid, yield* monotonicMillis)) yield* refetch
  })

  /** Returns the valid key with this id, if any. */
  const find = Effect.fnUntraced(function* (kid: string) {
    const before = yield* Ref.get(state)
    if (isDue(before, kid, yield* monotonicMillis)) {
      // Forked, so that interrupting the request does not abort the fetch.
      const fetching = yield* Effect.forkIn(fetchLock.withPermits(1)(refetchIfDue(kid)), scope)
      // While the key server is down, a cached key is returned without waiting for it.
      if (!before.failed || !before.keys.has(kid)) yield* Fiber.join(fetching)
    }
    const { fetchedAt, keys } = yield* Ref.get(state)
    const counts = (yield* monotonicMillis) - fetchedAt < Duration.toMillis(STALE_LIMIT)
    return counts ? Option.fromNullable(keys.get(kid)) : Option.none()
  })

  return { find }
})

/** The key server returned no usable key; `reason` is safe to log. */
export class KeysUnavailable extends Data.TaggedError("NoKeys")<{
  readonly reason: "unreachable" | "timeout" | "status" | "too-large" | "not-a-key-set" | "no-usable-key"
}> {}

/** Maximum size of the key server's response, in bytes; a real one has about 8,000. */
const MAX_ANSWER = 262_144

/** Minimum modulus length of an RSA key, in bits (RFC 7518, 3.3). */
const MIN_MODULUS = 2_048

/** A key in the set that is not an RSA key usable for RS256. */
class UnusableKey extends Data.TaggedError("UnusableKey") {}

/** The response of `/cdn-cgi/access/certs` (Cloudflare One documentation, "Validate JWTs"): a JSON Web Key Set. */
const KeySet = Schema.parseJson(Schema.Struct({ keys: Schema.Array(Schema.Unknown) }))

/** An RSA key for RS256 signatures (RFC 7517 and 7518); other kinds of key are skipped. */
const SigningKey = Schema.Struct({
  kty: Schema.Literal("RSA"),
  kid: Schema.NonEmptyString,
  alg: Schema.optionalWith(Schema.Literal("RS256"), { exact: true }),
  use: Schema.optionalWith(Schema.Literal("sig"), { exact: true }),
  n: Schema.NonEmptyString,
  e: Schema.NonEmptyString
})

/**
 * The access gateway's public signing keys.
 *
 * `find` returns none if the key is unknown or the team's keys cannot be fetched; it never fails.
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
        Effect.map(makeKeyCache(fetchKeys(client, team), scope), ({ find }) => ({
          issuer: team.issuer,
          find
        }))
      // Caches the keys of one team at a time: a new team replaces the previous one.
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
    if (response.status !== 200) return yield* new KeysUnavailable({ reason: "status" })
    const { keys } = yield* response.stream.pipe(
      boundedText(MAX_ANSWER, () => new KeysUnavailable({ reason: "too-large" })),
      Effect.flatMap(Schema.decode(KeySet))
    )
    const usable = yield* Effect.forEach(keys, (key) => Effect.option(importKey(key)))
    const found: Keys = new Map(usable.flatMap(Option.toArray))
    return found.size > 0 ? found : yield* new KeysUnavailable({ reason: "no-usable-key" })
  },
  Effect.timeout("5 seconds"),
  // The keys decide who gets in, so they come only from the configured address and no redirect is followed.
  Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
  Effect.catchTags({
    ParseError: () => new KeysUnavailable({ reason: "not-a-key-set" }),
    RequestError: () => new KeysUnavailable({ reason: "unreachable" }),
    ResponseError: () => new KeysUnavailable({ reason: "unreachable" }),
    TimeoutException: () => new KeysUnavailable({ reason: "timeout" })
  })
)

/** Fetches the team's published keys once and returns how many are usable. */
export const countUsableKeys = (team: Team): Effect.Effect<number, KeysUnavailable, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => fetchKeys(client, team)).pipe(
    Effect.map(({ size }) => size)
  )

/** Checked here because node:crypto ignores characters outside base64. */
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

/** An access gateway team: the issuer of its tokens and the address of its keys. */
interface Team {
  /** The `iss` of its tokens: the team's address without a trailing slash. */
  readonly issuer: string
  readonly certs: URL
}

/**
 * Parses ACCESS_TEAM_DOMAIN, with or without `https://` and a trailing slash.
 *
 * Returns none for anything but a bare address; accepts plain http only for a loopback host.
 */
export const parseTeam = (text: string): Option.Option<Team> => {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`)
  const bare =
    url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "" && url.pathname === "/"
  if (!bare || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))) {
    return Option.none()
  }
  return Option.some({ issuer: url.origin, certs: new URL("/cdn-cgi/access/certs", url) })
}
