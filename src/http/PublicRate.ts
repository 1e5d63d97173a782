import { HttpServerRequest, HttpServerRespondable, type HttpServerResponse } from "@effect/platform"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { clientOf } from "../gates/ClientAddress.ts"
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
      const { visitorKey } = yield* clientOf(yield* HttpServerRequest.HttpServerRequest)
      const wait = take(visitorKey, yield* Clock.currentTimeMillis)
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
