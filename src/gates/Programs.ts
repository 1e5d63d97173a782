import { HttpServerRequest } from "@effect/platform"
import { Clock, DateTime, Effect, Option, Predicate } from "effect"
import { type Scope, type Token, TokenNameTaken } from "../domain/Token.ts"
import { Forbidden, InsufficientScope, TooManyRequests, Unauthorized } from "../http/api/Failures.ts"
import { makeTokenBuckets, type Rate } from "../runtime/RateLimit.ts"
import { isDigestOf, makeSecret, secretDigest } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { TokenStore } from "../store/signin/TokenStore.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { clientOf } from "./ClientAddress.ts"
import { TERMINAL, TerminalKey } from "./TerminalKey.ts"
import type { Request } from "./Verifier.ts"

const RATE: Rate = { burst: 1_000, perSecond: 50 }
const WRONG: Rate = { burst: 30, perSecond: 1 }
/** Maximum number of tokens and of clients tracked; the one seen the longest ago is evicted first. */
const MAX_KEYS = 10_000
/** Minimum time between two recorded uses of a token, in milliseconds. */
const USE_INTERVAL = 60_000

const HANDLE_LENGTH = 8
/** A token: a handle that finds it, and 256 random bits. */
const TOKEN = new RegExp(`^lb_([\\w-]{${HANDLE_LENGTH}})[\\w-]{43}$`)

const makeHandle = () => makeSecret().slice(0, HANDLE_LENGTH)

export const makeToken = (handle = makeHandle()) => {
  const secret = `lb_${handle}${makeSecret()}`
  return { secret, handle, digest: secretDigest(secret) }
}

export const handleOf = (token: string): string | undefined => TOKEN.exec(token)?.[1]

/** Returns what follows one of the schemes in an `Authorization` header; the scheme is case-insensitive. */
const credentials = (authorization: string | undefined): string | undefined =>
  authorization?.match(/^(?:bearer|token) +(\S+) *$/i)?.[1]

const TOKEN_OF = Symbol("the token that admitted a request")

/** Marks a request as one of a program, which no header can do. */
export const withToken = (request: Request, token: Token): Request =>
  Object.create(request, { [TOKEN_OF]: { value: token } })

const isToken = (value: unknown): value is Token => Predicate.hasProperty(value, "scopes")

export const tokenOf = (request: Request): Token | undefined =>
  Predicate.hasProperty(request, TOKEN_OF) && isToken(request[TOKEN_OF]) ? request[TOKEN_OF] : undefined

export const currentToken = Effect.map(HttpServerRequest.HttpServerRequest, tokenOf)

/** Fails if a program sent the current request with none of these scopes; without any, only the owner passes. */
export const requireOneOf = Effect.fnUntraced(function* (scopes: ReadonlyArray<Scope>) {
  const token = yield* currentToken
  if (token === undefined || scopes.some((scope) => token.scopes.includes(scope))) return
  const [needs] = scopes
  return yield* needs === undefined ? new Forbidden() : new InsufficientScope({ needs })
})

const make = Effect.gen(function* () {
  const store = yield* TokenStore
  const rate = makeTokenBuckets(RATE, MAX_KEYS)
  const wrong = makeTokenBuckets(WRONG, MAX_KEYS)
  const now = Effect.map(DateTime.now, DateTime.formatIso)
  const terminal = Option.map(yield* TerminalKey, secretDigest)

  const find = Effect.fnUntraced(function* (request: Request) {
    const given = credentials(request.headers["authorization"])
    if (given !== undefined && Option.exists(terminal, (digest) => isDigestOf(digest, given)))
      return Option.some({ ...TERMINAL, secret: "" })
    const handle = handleOf(given ?? "")
    if (given === undefined || handle === undefined) return Option.none()
    const found = yield* store.find(handle)
    const at = yield* now
    return Option.filter(
      found,
      ({ expiresAt, secret }) => isDigestOf(secret, given) && (expiresAt === null || expiresAt > at)
    )
  })

  const recordUse = Effect.fnUntraced(function* ({ id, lastUsedAt }: Token) {
    if (id === TERMINAL.id) return
    const millis = yield* Clock.currentTimeMillis
    if (lastUsedAt !== null && Math.abs(millis - Date.parse(lastUsedAt)) < USE_INTERVAL) return
    yield* Effect.ignore(store.use(id, new Date(millis).toISOString()))
  })

  return {
    /** Returns the token with which a program sends the request. Does not read the body. */
    admit: Effect.fn("Programs.admit")(function* (request: Request) {
      const found = yield* find(request)
      const millis = yield* Clock.currentTimeMillis
      if (Option.isNone(found)) {
        yield* Measure.gateRefusals.count("program")
        const wait = wrong((yield* clientOf(request)).key, millis)
        return yield* wait > 0 ? new TooManyRequests(wait) : new Unauthorized()
      }
      const { secret: _, ...token } = found.value
      const wait = rate(String(token.id), millis)
      if (wait > 0) return yield* new TooManyRequests(wait)
      yield* recordUse(token)
      return token
    }),
    /** Whether a token that admitted a request still would: it may have been revoked since. */
    admits: ({ id }: Token) =>
      id === TERMINAL.id ? Effect.succeed(true) : Effect.flatMap(now, (at) => store.isValid(id, at)),
    /** Makes a token; only this answer has its secret. */
    issue: Effect.fn("Programs.issue")(function* (
      name: string,
      scopes: ReadonlyArray<Scope>,
      expiresAt: string | null
    ) {
      // A program of this name could undo what is done in the terminal.
      if (name === TERMINAL.name) return yield* new TokenNameTaken({ name })
      const { digest, handle, secret } = makeToken()
      const token = yield* store.add({
        name,
        scopes: [...new Set(scopes)],
        createdAt: yield* now,
        expiresAt,
        handle,
        secret: digest
      })
      return { token, secret }
    })
  }
})

/**
 * The tokens of the owner's programs. Nothing is cached, so a token that any process revokes is refused at once.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class Programs extends Service<Programs>()("Programs", make) {}
