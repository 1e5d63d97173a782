import { HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import type { FailuresAnswer } from "../api/Answers.ts"
import { NotFound, Unavailable } from "../api/Failures.ts"
import { saidIn } from "../bot/Update.ts"
import { Capture } from "../domain/Capture.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Inbox } from "../library/Inbox.ts"
import { type DeadArrival, InboxStore } from "../store/InboxStore.ts"
import { LinkStore } from "../store/LinkStore.ts"

/** The longest text shown of an arrival, in UTF-16 units. */
const MAX_TEXT = 300

const captureOf = Schema.decodeOption(Schema.parseJson(Capture))
const jsonOf = Schema.decodeOption(Schema.parseJson(Schema.Unknown))

const textOf = ({ payload, source }: DeadArrival) => {
  const text =
    source === "capture"
      ? Option.map(captureOf(payload), ({ url }) => url)
      : Option.map(jsonOf(payload), saidIn)
  return Option.getOrElse(text, () => "")
    .slice(0, MAX_TEXT)
    .toWellFormed()
}

/** Shows what was given up, and lets the owner try it again or forget it. */
export const makeFailures = Effect.gen(function* () {
  const inbox = yield* Inbox
  const store = yield* InboxStore
  const links = yield* LinkStore

  const list = Effect.gen(function* () {
    const answer: FailuresAnswer = {
      partial: yield* links.countPartial,
      arrivals: (yield* store.dead).map((arrival) => ({
        id: arrival.id,
        source: arrival.source,
        text: textOf(arrival),
        receivedAt: arrival.receivedAt
      }))
    }
    return HttpServerResponse.unsafeJson(answer)
  }).pipe(Effect.withSpan("Failures.list"))

  /** Does this to one of them, and answers with those that are left. */
  const one = Effect.fnUntraced(function* (
    id: string,
    act: (id: number) => Effect.Effect<boolean, StoreUnavailable>
  ) {
    const found = /^\d{1,15}$/.test(id) && (yield* Effect.mapError(act(Number(id)), () => new Unavailable()))
    if (!found) return yield* new NotFound("There is no failed message or capture of this number.")
    return yield* list
  })

  return {
    list,
    retry: Effect.fn("Failures.retry")((id: string) => one(id, inbox.revive)),
    forget: Effect.fn("Failures.forget")((id: string) => one(id, store.forget))
  }
})
