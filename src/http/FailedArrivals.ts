import { Effect, Option, Schema } from "effect"
import { Capture } from "../domain/Capture.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type FailedArrival, FailedArrivals } from "../library/FailedArrivals.ts"
import { cutText } from "../shared/Text.ts"
import { messageTextOf } from "../telegram/Update.ts"
import type { FailuresAnswer } from "./api/Answers.ts"
import { NotFound, Unavailable } from "./api/Failures.ts"

/** Maximum length of an arrival's text in a response, in UTF-16 units. */
const MAX_TEXT = 300

const captureOf = Schema.decodeOption(Schema.parseJson(Capture))
const jsonOf = Schema.decodeOption(Schema.parseJson(Schema.Unknown))

const textOf = ({ payload, source }: FailedArrival) => {
  const text =
    source === "capture"
      ? Option.map(captureOf(payload), ({ url }) => url)
      : Option.map(jsonOf(payload), messageTextOf)
  return cutText(
    Option.getOrElse(text, () => ""),
    MAX_TEXT
  ).toWellFormed()
}

/** Lists messages and captures that are no longer retried, and lets the owner retry or delete them. */
export const makeFailedArrivals = Effect.gen(function* () {
  const failed = yield* FailedArrivals

  const list = Effect.gen(function* () {
    const answer: FailuresAnswer = {
      partial: yield* failed.countIncomplete,
      arrivals: (yield* failed.list).map((arrival) => ({
        id: arrival.id,
        source: arrival.source,
        text: textOf(arrival),
        receivedAt: arrival.receivedAt
      }))
    }
    return answer
  }).pipe(Effect.withSpan("Dashboard.failures.list"))

  /** Applies `act` to one of them and returns the remaining ones. */
  const applyTo = Effect.fnUntraced(function* (
    id: string,
    act: (id: number) => Effect.Effect<boolean, StoreUnavailable>
  ) {
    const found = /^\d{1,15}$/.test(id) && (yield* Effect.mapError(act(Number(id)), () => new Unavailable()))
    if (!found) return yield* new NotFound("There is no failed message or capture of this number.")
    return yield* list
  })

  return {
    list,
    retry: Effect.fn("Dashboard.failures.retry")((id: string) => applyTo(id, failed.retry)),
    forget: Effect.fn("Dashboard.failures.forget")((id: string) => applyTo(id, failed.forget))
  }
})
