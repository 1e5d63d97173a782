import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { CaptureLink } from "../library/CaptureLink.ts"
import { MergeLinks } from "../library/Duplicates.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { LinkImages } from "../library/LinkImages.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { ViewLinks } from "../library/ViewLinks.ts"
import { makeActions } from "./Actions.ts"
import { Api } from "./api/Api.ts"
import { submitCapture } from "./Capture.ts"
import { makeDashboardPage } from "./DashboardPage.ts"
import { makeEventStream } from "./EventStream.ts"
import { makeFailedArrivals } from "./FailedArrivals.ts"
import { linkImage } from "./Images.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { makeMeta } from "./Meta.ts"
import { mutate, removeCollection } from "./Mutations.ts"
import { makeTransfer } from "./Transfer.ts"

/** Handles the owner's API: lists, counts for the filters, changes and jobs. */
export const layer = HttpApiBuilder.group(
  Api,
  "dashboard",
  Effect.fn(function* (handlers) {
    const links = yield* ViewLinks
    const list = yield* SearchLinks
    const captures = yield* CaptureLink
    const meta = yield* makeMeta
    const page = yield* makeDashboardPage
    const edits = yield* EditLinks
    const merges = yield* MergeLinks
    const actions = yield* makeActions
    const events = yield* makeEventStream
    const failures = yield* makeFailedArrivals
    const images = yield* LinkImages
    const transfer = yield* makeTransfer
    return (
      handlers
        .handle("linksByIds", ({ urlParams: { ids } }) =>
          Effect.map(links.byIds(ids), (found) => ({ links: found }))
        )
        .handle("save", (request) => submitCapture(captures, request))
        .handle("meta", () => meta.answer)
        .handle("mutate", ({ payload }) => mutate({ edits, merges, links }, payload))
        .handle("removeCollection", ({ path }) => removeCollection(edits, path.id))
        .handle("action", ({ payload }) => actions.start(payload))
        .handle("jobs", () => actions.list)
        .handle("job", ({ path }) => actions.show(path.id))
        .handle("failures", () => failures.list)
        .handle("retryFailure", ({ path }) => failures.retry(path.id))
        .handle("forgetFailure", ({ path }) => failures.forget(path.id))
        // Raw: the store writes the JSON of lists, the hottest responses.
        .handleRaw("links", () => linkJsonPage(list))
        // Raw: a picture with its own media type and headers.
        .handleRaw("image", ({ path }) => linkImage(images, "image", path.id))
        // Raw: a picture, as above.
        .handleRaw("favicon", ({ path }) => linkImage(images, "favicon", path.id))
        // Raw: the upload goes to disk as it arrives, and is never in memory as a payload.
        .handleRaw("importFile", ({ urlParams }) => transfer.importFile(urlParams))
        // Raw: a streamed file.
        .handleRaw("exportLibrary", ({ urlParams }) => transfer.exportLibrary(urlParams))
        // Raw: an endless stream.
        .handleRaw("events", () => events.respond)
        // Raw: an HTML page.
        .handleRaw("page", () => page.respond)
    )
  })
)
