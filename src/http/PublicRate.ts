import { HttpServerRequest, HttpServerRespondable, type HttpServerResponse } from "@effect/platform"
import { Clock, Context, Effect, Layer, Option } from "effect"
import ipaddr from "ipaddr.js"
import { LruMap } from "../runtime/LruMap.ts"
import { PublicListBusy } from "../search/PublicSearch.ts"
import { TooManyRequests, Unavailable } from "./api/Failures.ts"

/** A token bucket: how many requests a client may send at once, and how many more per second. */
interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Lists, searches and feeds. */
const READING: Rate = { burst: 600, perSecond: 20 }
/** Pictures, of which a page shows a hundred. */
const LOOKING: Rate = { burst: 3_000, perSecond: 100 }
/** Maximum number of clients tracked; the least recently seen one is evicted first. */
const MAX_CLIENTS = 10_000

/** Address ranges of a proxy: this machine or a private network. */
const proxyRanges: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "uniqueLocal",
  "linkLocal",
  "carrierGradeNat"
])

const parse = (address: string) => {
  const text = address.trim().replace(/^\[(.*)\](?::\d+)?$/, "$1")
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/**
 * Returns the key of a client: its IPv4 address, or the /64 network of its IPv6 address, which belongs to one
 * subscriber.
 */
const clientOf = (address: ReturnType<typeof ipaddr.process>) =>
  address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".")

/**
 * Identifies the client of a request. A peer on this machine or its network is a proxy: then the client is the last
 * address in X-Forwarded-For, which the proxy itself wrote; the addresses before it are unverified claims of the
 * client.
 */
export const clientKey = (peer: string, forwarded: string | undefined): string => {
  const direct = parse(peer)
  const last = forwarded === undefined ? undefined : parse(forwarded.split(",").at(-1) ?? "")
  if (direct === undefined) return last === undefined ? "unknown" : clientOf(last)
  return last !== undefined && proxyRanges.has(direct.range()) ? clientOf(last) : clientOf(direct)
}

// Not Effect's `RateLimiter`, which makes requests wait: a visitor is rejected at once, with the time to retry.
const makeBuckets = ({ burst, perSecond }: Rate) => {
  const clients = new LruMap<string, { readonly tokens: number; readonly at: number }>(MAX_CLIENTS)
  /** Takes a token, or returns the seconds until one is available. */
  return (client: string, now: number): Option.Option<number> => {
    const known = clients.get(client)
    const tokens =
      known === undefined
        ? burst
        : Math.min(burst, known.tokens + (Math.max(0, now - known.at) / 1000) * perSecond)
    clients.set(client, { tokens: tokens < 1 ? tokens : tokens - 1, at: now })
    return tokens < 1 ? Option.some(Math.ceil((1 - tokens) / perSecond)) : Option.none()
  }
}

type Request = HttpServerRequest.HttpServerRequest

/**
 * Rate-limits a response: answers 429 if the client exceeds its rate and 503 if the list is busy, both with the time to
 * retry.
 */
type Guard = <A, E, R>(
  answer: Effect.Effect<A, E, R>
) => Effect.Effect<A | HttpServerResponse.HttpServerResponse, Exclude<E, Busy<E>>, R | Request>

type Busy<E> = Extract<E, PublicListBusy>
const isBusy = <E>(error: E): error is Busy<E> => error instanceof PublicListBusy

const guarded = (rate: Rate): Guard => {
  const take = makeBuckets(rate)
  return (answer) =>
    Effect.gen(function* () {
      const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      const client = clientKey(
        Option.getOrElse(remoteAddress, () => ""),
        headers["x-forwarded-for"]
      )
      const wait = take(client, yield* Clock.currentTimeMillis)
      // Returned as responses, because a failure of the API would be sent without its header.
      if (Option.isSome(wait)) return yield* refusal(new TooManyRequests(wait.value))
      return yield* Effect.catchIf(answer, isBusy, () => refusal(new Unavailable()))
    })
}

const refusal = (failure: TooManyRequests | Unavailable) => HttpServerRespondable.toResponse(failure)

/**
 * Rate limits for visitors: one rate for lists, searches and feeds, another for pictures.
 *
 * @effect-expect-leaking HttpServerRequest | R
 */
export class PublicRate extends Context.Tag("PublicRate")<
  PublicRate,
  { readonly reading: Guard; readonly looking: Guard }
>() {
  static readonly layer = Layer.sync(this, () => ({ reading: guarded(READING), looking: guarded(LOOKING) }))
}
