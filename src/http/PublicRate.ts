import { HttpServerRequest, HttpServerRespondable, type HttpServerResponse } from "@effect/platform"
import { Clock, Effect } from "effect"
import { clientOf } from "../gates/ClientAddress.ts"
import { makeTokenBuckets, type Rate } from "../runtime/RateLimit.ts"
import { Service } from "../runtime/Services.ts"
import { PublicListBusy } from "../search/PublicSearch.ts"
import { TooManyRequests, Unavailable } from "./api/Failures.ts"

/** Lists, searches and feeds. */
const READING: Rate = { burst: 600, perSecond: 20 }
/** Pictures, of which a page shows a hundred. */
const LOOKING: Rate = { burst: 3_000, perSecond: 100 }
/** Maximum number of clients tracked; the least recently seen one is evicted first. */
const MAX_CLIENTS = 10_000

type Request = HttpServerRequest.HttpServerRequest

/** 429 beyond the client's rate and 503 while the list is busy, both with the time to retry. */
type Guard = <A, E, R>(
  answer: Effect.Effect<A, E, R>
) => Effect.Effect<A | HttpServerResponse.HttpServerResponse, Exclude<E, Busy<E>>, R | Request>

type Busy<E> = Extract<E, PublicListBusy>
const isBusy = <E>(error: E): error is Busy<E> => error instanceof PublicListBusy

const guarded = (rate: Rate): Guard => {
  const take = makeTokenBuckets(rate, MAX_CLIENTS)
  return (answer) =>
    Effect.gen(function* () {
      const { visitorKey } = yield* clientOf(yield* HttpServerRequest.HttpServerRequest)
      const wait = take(visitorKey, yield* Clock.currentTimeMillis)
      // Returned as responses, because a failure of the API would be sent without its header.
      if (wait > 0) return yield* refusal(new TooManyRequests(wait))
      return yield* Effect.catchIf(answer, isBusy, () => refusal(new Unavailable()))
    })
}

const refusal = (failure: TooManyRequests | Unavailable) => HttpServerRespondable.toResponse(failure)

const make = Effect.sync(() => ({ reading: guarded(READING), looking: guarded(LOOKING) }))

/**
 * Rate limits for visitors: one rate for lists, searches and feeds, another for pictures.
 *
 * @effect-expect-leaking HttpServerRequest | R
 */
export class PublicRate extends Service<PublicRate>()("PublicRate", make) {}
