import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { LinkImages } from "../library/LinkImages.ts"
import { MergeLinks } from "../library/MergeLinks.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { makeActions } from "./Actions.ts"
import { submitCapture } from "./Capture.ts"
import { makeDashboardPage } from "./DashboardPage.ts"
import { makeEventStream } from "./EventStream.ts"
import { makeFailures } from "./Failures.ts"
import { linkImage } from "./Images.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { makeMeta } from "./Meta.ts"
import { mutate, removeCollection } from "./Mutations.ts"
import { someLinks } from "./SomeLinks.ts"
import { makeTransfer } from "./Transfer.ts"

/** The owner's side: lists, facts for the filters, changes and jobs. */
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
      .handleRaw("some", () => someLinks(links))
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
