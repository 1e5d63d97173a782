import type { KeyObject } from "node:crypto"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import {
  Cause,
  Data,
  Duration,
  Effect,
  Exit,
  Fiber,
  Option,
  Ref,
  Schema,
  type Scope,
  SynchronizedRef
} from "effect"
import { isLoopback } from "../runtime/AddressRanges.ts"
import { boundedText } from "../runtime/BoundedBody.ts"
import { Service } from "../runtime/Services.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { importGatewayKey, importPublicKey } from "./SigningKeys.ts"

export type Keys = ReadonlyMap<string, KeyObject>

/** Age at which a lookup refetches the keys, which bounds how long a withdrawn key stays valid. */
const MAX_AGE = Duration.minutes(10)

/** Age at which keys expire, even while the key server is unreachable. */
const STALE_LIMIT = Duration.hours(24)

/** Minimum time from a successful fetch to the next one; within it, an unknown key id triggers no fetch. */
const COOL_DOWN = Duration.seconds(30)

const RETRY_AFTER = Duration.seconds(10)

interface State {
  readonly keys: Keys
  /** When the keys arrived and when the last fetch ended, in ms of a monotonic clock. */
  readonly fetchedAt: number
  readonly askedAt: number
  readonly failed: boolean
}

const cold: State = { keys: new Map(), fetchedAt: -Infinity, askedAt: -Infinity, failed: false }

const isDue = ({ askedAt, failed, fetchedAt, keys }: State, kid: string, now: number) =>
  now - askedAt >= Duration.toMillis(failed ? RETRY_AFTER : COOL_DOWN) &&
  (!keys.has(kid) || now - fetchedAt >= Duration.toMillis(MAX_AGE))

/** Refetches aged keys and for an unknown id, one fetch at a time with a pause; good keys outlast a failed one. */
export const makeKeyCache = Effect.fnUntraced(function* (
  fetch: Effect.Effect<Keys, { readonly reason: string }>,
  scope: Scope.Scope,
  name = "The access gateway's keys"
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
    yield* Effect.logWarning(`${name} cannot be fetched (${reason}); trying again.`)
  })

  const refetchIfDue = Effect.fnUntraced(function* (kid: string) {
    if (isDue(yield* Ref.get(state), kid, yield* monotonicMillis)) yield* refetch
  })

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

/** A JSON Web Key Set (RFC 7517, 5), such as the response of `/cdn-cgi/access/certs` (Cloudflare One, "Validate JWTs"). */
const KeySet = Schema.parseJson(Schema.Struct({ keys: Schema.Array(Schema.Unknown) }))

export interface KeySource {
  /** The `iss` of its tokens. */
  readonly issuer: string
  readonly certs: URL
}

type ImportKey = typeof importGatewayKey | typeof importPublicKey

/** Caches the keys of one source at a time. None if the key is unknown or cannot be fetched; never fails. */
const makeLookup = Effect.fnUntraced(function* (importKey: ImportKey, name?: string) {
  const client = yield* HttpClient.HttpClient
  const scope = yield* Effect.scope
  const open = (source: KeySource) =>
    Effect.map(makeKeyCache(fetchKeys(client, source, importKey), scope, name), ({ find }) => ({
      source,
      find
    }))
  const current = yield* SynchronizedRef.make(Option.none<Effect.Effect.Success<ReturnType<typeof open>>>())
  const isOf = (one: KeySource) => (cache: { readonly source: KeySource }) =>
    cache.source.issuer === one.issuer && cache.source.certs.href === one.certs.href
  const cacheOf = Effect.fnUntraced(function* (source: KeySource) {
    const known = Option.filter(yield* SynchronizedRef.get(current), isOf(source))
    if (Option.isSome(known)) return known.value
    return yield* SynchronizedRef.modifyEffect(current, (now) =>
      Option.match(Option.filter(now, isOf(source)), {
        onSome: (cache) => Effect.succeed([cache, now] as const),
        onNone: () => Effect.map(open(source), (cache) => [cache, Option.some(cache)] as const)
      })
    )
  })

  return Effect.fnUntraced(function* (source: KeySource, kid: string) {
    return yield* (yield* cacheOf(source)).find(kid)
  })
})

const makeAccessKeys = Effect.map(makeLookup(importGatewayKey), (find) => ({ find }))

/** `find` returns none for an unknown key and if the team's keys cannot be fetched; it never fails. */
export class AccessKeys extends Service<AccessKeys>()("AccessKeys", makeAccessKeys) {}

const makeJwtKeys = Effect.map(makeLookup(importPublicKey, "The keys at JWT_KEYS_URL"), (find) => ({ find }))

/** `find` as above, for every supported kind of key; a key without an id has the id "". */
export class JwtKeys extends Service<JwtKeys>()("JwtKeys", makeJwtKeys) {}

const fetchKeys = Effect.fn("AccessKeys.fetch")(
  function* (client: HttpClient.HttpClient, { certs }: KeySource, importKey: ImportKey) {
    const response = yield* client.get(certs)
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

export const countUsableKeys = (
  team: KeySource
): Effect.Effect<number, KeysUnavailable, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => fetchKeys(client, team, importGatewayKey)).pipe(
    Effect.map(({ size }) => size)
  )

/** A bare address, with or without `https://` and a final slash; plain http only for a loopback host. */
export const parseTeam = (text: string): Option.Option<KeySource> => {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`)
  const bare =
    url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "" && url.pathname === "/"
  if (!bare || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))) {
    return Option.none()
  }
  return Option.some({ issuer: url.origin, certs: new URL("/cdn-cgi/access/certs", url) })
}
