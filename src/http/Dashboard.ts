import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { Capture } from "../domain/Capture.ts"
import { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { MergeLinks } from "../library/Duplicates.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Inbox } from "../library/Inbox.ts"
import { LinkImages } from "../library/LinkImages.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { cutText } from "../shared/Truncate.ts"
import { type DeadArrival, InboxStore } from "../store/inbox/InboxStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { messageTextOf } from "../telegram/Update.ts"
import { makeActions } from "./Actions.ts"
import type { FailuresAnswer, LinksByNumberAnswer } from "./api/Answers.ts"
import { Api } from "./api/Api.ts"
import { BadRequest, NotFound, Unavailable } from "./api/Failures.ts"
import { MAX_IDS } from "./api/Parameters.ts"
import { submitCapture } from "./Capture.ts"
import { makeDashboardPage } from "./DashboardPage.ts"
import { makeEventStream } from "./EventStream.ts"
import { linkImage } from "./Images.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { paramValue, searchParams } from "./ListParams.ts"
import { makeMeta } from "./Meta.ts"
import { mutate, removeCollection } from "./Mutations.ts"
import { makeTransfer } from "./Transfer.ts"

/** Maximum length of an arrival's text in a response, in UTF-16 units. */
const MAX_TEXT = 300

const captureOf = Schema.decodeOption(Schema.parseJson(Capture))
const jsonOf = Schema.decodeOption(Schema.parseJson(Schema.Unknown))

const textOf = ({ payload, source }: DeadArrival) => {
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
    retry: Effect.fn("Dashboard.failures.retry")((id: string) => applyTo(id, inbox.revive)),
    forget: Effect.fn("Dashboard.failures.forget")((id: string) => applyTo(id, store.forget))
  }
})

const numbers = new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${MAX_IDS - 1}}$`)

/** Returns the links with the numbers in the parameter `ids`, in that order; omits links that no longer exist. */
export const linksByIdsResponse = Effect.fn("linksByIdsResponse")(function* (links: LinkStore["Type"]) {
  const ids = paramValue(yield* searchParams, "ids") ?? ""
  if (!numbers.test(ids))
    return yield* new BadRequest(
      `The parameter "ids" must be up to ${MAX_IDS} links' numbers with commas between.`
    )
  const wanted = ids.split(",").map((id) => LinkId.make(Number(id)))
  const found = new Map((yield* links.getAll(wanted)).map((link) => [link.id, link]))
  const answer: LinksByNumberAnswer = { links: [...new Set(wanted)].flatMap((id) => found.get(id) ?? []) }
  return HttpServerResponse.unsafeJson(answer)
})

/** Handles the owner's API: lists, counts for the filters, changes and jobs. */
export const layer = HttpApiBuilder.group(
  Api,
  "dashboard",
  Effect.fn(function* (handlers) {
    const list = yield* SearchLinks
    const links = yield* LinkStore
    const captures = yield* CaptureLink
    const meta = yield* makeMeta
    const page = yield* makeDashboardPage
    const useCases = { edits: yield* EditLinks, merges: yield* MergeLinks, links }
    const actions = yield* makeActions
    const events = yield* makeEventStream
    const failures = yield* makeFailures
    const images = yield* LinkImages
    const transfer = yield* makeTransfer
    return handlers
      .handleRaw("links", () => linkJsonPage(list))
      .handleRaw("some", () => linksByIdsResponse(links))
      .handleRaw("save", () => submitCapture(captures))
      .handleRaw("meta", () => Effect.map(meta.answer, (answer) => HttpServerResponse.unsafeJson(answer)))
      .handleRaw("mutate", () => mutate(useCases))
      .handleRaw("removeCollection", ({ path }) =>
        Effect.map(removeCollection(useCases, path.id), (answer) => HttpServerResponse.unsafeJson(answer))
      )
      .handleRaw("action", () => actions.start)
      .handleRaw("jobs", () => actions.list)
      .handleRaw("job", ({ path }) => actions.show(path.id))
      .handleRaw("failures", () => failures.list)
      .handleRaw("retryFailure", ({ path }) => failures.retry(path.id))
      .handleRaw("forgetFailure", ({ path }) => failures.forget(path.id))
      .handleRaw("image", ({ path }) => linkImage(images, "image", path.id))
      .handleRaw("favicon", ({ path }) => linkImage(images, "favicon", path.id))
      .handleRaw("take", () => transfer.take)
      .handleRaw("give", () => transfer.give)
      .handleRaw("events", () => events.respond)
      .handleRaw("page", () => page.respond)
  })
)
