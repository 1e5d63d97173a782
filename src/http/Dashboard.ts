import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Array, Effect, Option, Schema, Stream } from "effect"
import { Capture } from "../domain/Capture.ts"
import type { ChangedSince, LinkEdit, UndoNotFound, UrlTaken } from "../domain/Change.ts"
import { LinkId, type LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { currentToken } from "../gates/Programs.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { CheckLinks } from "../library/CheckLinks.ts"
import { Duplicates } from "../library/Duplicates.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Inbox } from "../library/Inbox.ts"
import { LinkImages } from "../library/LinkImages.ts"
import { LinkQueries } from "../library/LinkQueries.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { normalizeCategory } from "../shared/Category.ts"
import { normalizeCollectionPath } from "../shared/CollectionPath.ts"
import { trimmedAddress } from "../shared/GivenAddress.ts"
import { MAX_NOTE } from "../shared/Limits.ts"
import { normalizeOwnerTags } from "../shared/Tags.ts"
import { cutText } from "../shared/Text.ts"
import { type DeadArrival, InboxStore } from "../store/inbox/InboxStore.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { FacetStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { PageKeyStore } from "../store/links/PageKeyStore.ts"
import { messageTextOf } from "../telegram/Update.ts"
import { makeActions, makeTransfer } from "./Actions.ts"
import { Api } from "./api/Api.ts"
import type { FailuresAnswer, Mutation, StatisticsAnswer } from "./api/Bodies.ts"
import { BadRequest, invalidCollection, NotFound } from "./api/Failures.ts"
import { addLink } from "./Capture.ts"
import { makeDashboardPage, makeMeta } from "./DashboardPage.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { makeEventStream } from "./EventStream.ts"
import { linkImage } from "./Images.ts"
import { linkJsonPage } from "./LinkJsonPage.ts"
import { makeProgramScopes } from "./ProgramScopes.ts"
import { makeSearchesApi } from "./SavedSearches.ts"

interface UseCases {
  readonly edits: EditLinks["Type"]
  readonly merges: Duplicates["Type"]
  readonly links: LinkStore["Type"]
}

interface Done {
  readonly ids: ReadonlyArray<LinkId>
  readonly undo?: string
  readonly deleted?: ReadonlyArray<LinkId>
}

const invalidCategory = () => new BadRequest('The field "category" must contain a letter or a digit.')

/** Maximum length of all copies of a note in one change: a thousand links can get the longest note. */
const MAX_NOTES = 1_000 * MAX_NOTE

const changeAddress = (edits: EditLinks["Type"], id: LinkId, given: string, edit?: LinkEdit) =>
  Option.match(parseWebUrl(given), {
    onNone: () => new BadRequest('The field "url" must be an http or https address.'),
    onSome: (url) => edits.changeAddress(id, { given: trimmedAddress(given), url }, edit)
  })

const perform = (
  { edits, merges }: UseCases,
  change: Mutation
): Effect.Effect<
  Done,
  BadRequest | LinkNotFound | UndoNotFound | ChangedSince | UrlTaken | StoreUnavailable
> => {
  switch (change.op) {
    case "favorite":
      return edits.change(change.ids, { favorite: change.favorite })
    case "shareable":
      return edits.change(change.ids, { shareable: change.shareable })
    case "category": {
      const category = normalizeCategory(change.category)
      if (category === null) return invalidCategory()
      return edits.change(change.ids, { category })
    }
    case "collection": {
      const collection = change.collection === null ? null : normalizeCollectionPath(change.collection)
      if (change.collection !== null && collection === null) return invalidCollection()
      return edits.change(change.ids, { collection })
    }
    case "edit": {
      const { ids, note, summary, tags, title, url } = change
      const category = change.category === undefined ? undefined : normalizeCategory(change.category)
      if (category === null) return invalidCategory()
      const path = change.collection
      const collection = path == null ? path : normalizeCollectionPath(path)
      if (path != null && collection === null) return invalidCollection()
      const edit = {
        category,
        collection,
        title: title?.trim(),
        summary: summary?.trim(),
        note: note?.trim(),
        tagging: tags && { set: normalizeOwnerTags(tags) }
      }
      return url === undefined ? edits.change(ids, edit) : changeAddress(edits, ids[0], url, edit)
    }
    case "tags": {
      const { add, ids, remove, set } = change
      return edits.change(ids, {
        tagging: {
          set: set && normalizeOwnerTags(set),
          remove: remove && normalizeOwnerTags(remove),
          add: add && normalizeOwnerTags(add)
        }
      })
    }
    case "note":
      if (change.ids.length * change.note.length > MAX_NOTES)
        return new BadRequest(
          'The field "note" is too long for so many links. Shorten it, or change fewer links.'
        )
      return edits.change(change.ids, { note: change.note.trim() })
    case "url":
      return changeAddress(edits, change.ids[0], change.url)
    case "state":
      return edits.change(change.ids, { state: change.state })
    case "refuse":
      return edits.refuse(change.ids)
    case "merge": {
      const others = change.ids.filter((id) => id !== change.into)
      if (others.length === 0) return new BadRequest('The field "ids" must contain a link other than "into".')
      return Effect.map(merges.merge(change.into, others), ({ undo }) => ({
        ids: [change.into],
        deleted: others,
        undo
      }))
    }
    case "delete":
      return change.forever
        ? Effect.as(edits.remove(change.ids), { ids: [], deleted: change.ids })
        : Effect.map(edits.trash(change.ids), ({ ids, undo }) => ({ ids: [], deleted: ids, undo }))
    case "restore":
      return edits.restore(change.ids)
    case "undo":
      return Effect.map(edits.undo(change.token, change), ({ deleted, ids, isFinal, undo }) => ({
        ids,
        ...(deleted.length === 0 && !isFinal ? {} : { deleted }),
        ...(isFinal ? {} : { undo })
      }))
  }
}

/** Number of links read at a time for a response, so that the event loop turns in between. */
const CHUNK = 250

const CHANGES_ON_A_PAGE = 100

const json = { contentType: "application/json" }

/** Makes the response of a change, with the JSON that the store writes; streams it if there are many links. */
const mutationAnswer = (links: LinkStore["Type"], { ids, ...more }: Done) => {
  // The other fields follow the list; every change has at least one.
  const end = `],${JSON.stringify(more).slice(1)}`
  const chunks = Array.chunksOf(ids, CHUNK)
  const [only = [], ...others] = chunks
  if (others.length === 0)
    return Effect.map(links.jsonOf(only), (all) =>
      HttpServerResponse.text(`{"links":[${all.join()}${end}`, json)
    )
  const joined = Stream.fromIterable(chunks).pipe(
    Stream.mapEffect((chunk) => Effect.zipLeft(links.jsonOf(chunk), yieldToEventLoop)),
    Stream.map((all) => all.join()),
    // Skips a chunk whose links have all been deleted meanwhile.
    Stream.filter((text) => text !== ""),
    Stream.intersperse(",")
  )
  const text = Stream.make('{"links":[').pipe(Stream.concat(joined), Stream.concat(Stream.make(end)))
  return Effect.succeed(HttpServerResponse.stream(Stream.encodeText(text), json))
}

const mutate = Effect.fn("Dashboard.mutate")(function* (
  useCases: UseCases,
  change: Mutation,
  asked: "all" | "none"
) {
  const done = yield* perform(useCases, change)
  return yield* mutationAnswer(useCases.links, asked === "all" ? done : { ...done, ids: [] })
})

const statistics = Effect.fn("Dashboard.statistics")(function* (
  links: LinkQueries["Type"],
  images: LinkImages["Type"],
  pagePictures: PagePictures["Type"]
) {
  const { size, ...counts } = yield* links.statistics
  const { bytes, limit } = yield* pagePictures.usage
  const pictures = { pictures: yield* images.bytes, pagePictures: bytes, pagePicturesLimit: limit }
  const answer: StatisticsAnswer = { ...counts, size: { ...size, ...pictures } }
  return answer
})

/** Maximum length of an arrival's text in a response, in UTF-16 units. */
const MAX_TEXT = 300

const captureOf = Schema.decodeOption(Schema.parseJson(Capture))
const jsonOf = Schema.decodeOption(Schema.parseJson(Schema.Unknown))

const arrivalText = ({ payload, source }: DeadArrival) => {
  const text =
    source === "capture"
      ? Option.map(captureOf(payload), ({ url }) => url)
      : Option.map(jsonOf(payload), messageTextOf)
  return cutText(
    Option.getOrElse(text, () => ""),
    MAX_TEXT
  ).toWellFormed()
}

const makeFailedArrivals = Effect.gen(function* () {
  const arrivals = yield* InboxStore
  const inbox = yield* Inbox
  const links = yield* LinkStore

  const list = Effect.gen(function* () {
    const answer: FailuresAnswer = {
      partial: yield* links.countPartial,
      arrivals: (yield* arrivals.dead).map((arrival) => ({
        id: arrival.id,
        source: arrival.source,
        text: arrivalText(arrival),
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
    const found = /^\d{1,15}$/.test(id) && (yield* act(Number(id)))
    if (!found) return yield* new NotFound("No failed message or capture has this number.")
    return yield* list
  })

  return {
    list,
    retry: Effect.fn("Dashboard.failures.retry")((id: string) => applyTo(id, inbox.revive)),
    forget: Effect.fn("Dashboard.failures.forget")((id: string) => applyTo(id, inbox.forget))
  }
})

export const layer = HttpApiBuilder.group(
  Api,
  "dashboard",
  Effect.fn(function* (handlers) {
    const { sites } = yield* FacetStore
    const links = yield* LinkStore
    const queries = yield* LinkQueries
    const list = yield* SearchLinks
    const captures = yield* CaptureLink
    const meta = yield* makeMeta
    const page = yield* makeDashboardPage
    const edits = yield* EditLinks
    const merges = yield* Duplicates
    const actions = yield* makeActions
    const checks = yield* CheckLinks
    const events = yield* makeEventStream
    const failures = yield* makeFailedArrivals
    const images = yield* LinkImages
    const pagePictures = yield* PagePictures
    const transfer = yield* makeTransfer
    const searches = yield* makeSearchesApi
    const scopes = yield* makeProgramScopes
    const changes = yield* ChangeStore
    const pageKeys = yield* PageKeyStore
    return (
      handlers
        .handle("linksByIds", ({ urlParams: { ids } }) =>
          Effect.map(links.getAll([...new Set(ids)]), (found) => ({ links: found }))
        )
        .handle("link", ({ path }) => queries.details(LinkId.make(path.id)))
        .handle("save", (request) => addLink(captures, request))
        .handle("meta", () =>
          Effect.zipWith(meta.answer, currentToken, ({ problems, setup, ...rest }, token) =>
            token === undefined ? { ...rest, problems, setup } : rest
          )
        )
        .handle("sites", () => Effect.map(sites, (sites) => ({ sites })))
        .handle("statistics", () => statistics(queries, images, pagePictures))
        .handle("mutate", ({ payload, urlParams }) =>
          Effect.gen(function* () {
            yield* scopes.mutation(payload)
            const asked = (yield* scopes.reads) ? urlParams.links : "none"
            return yield* mutate({ edits, merges, links }, payload, asked)
          })
        )
        .handle("searches", () => searches.list)
        .handle("createSearch", ({ payload }) => searches.create(payload))
        .handle("editSearch", ({ path, payload }) => searches.edit(path.id, payload))
        .handle("removeSearch", ({ path }) => searches.remove(path.id))
        .handle("keepAddress", ({ path: { id } }) =>
          checks.keepAddress(LinkId.make(id)).pipe(
            Effect.zipRight(links.get(LinkId.make(id))),
            Effect.map((link) => ({ link }))
          )
        )
        .handle("action", ({ payload }) => actions.start(payload))
        .handle("estimateRecategorize", ({ urlParams }) => actions.estimateRecategorize(urlParams))
        .handle("jobs", () => actions.list)
        .handle("job", ({ path }) => actions.show(path.id))
        .handle("changes", ({ urlParams: { author, before } }) =>
          Effect.map(changes.list({ author, before, limit: CHANGES_ON_A_PAGE }), (found) => ({
            changes: found,
            next: found.length === CHANGES_ON_A_PAGE ? (found.at(-1)?.id ?? null) : null
          }))
        )
        .handle("failures", () => failures.list)
        .handle("retryFailure", ({ path }) => failures.retry(path.id))
        .handle("forgetFailure", ({ path }) => failures.forget(path.id))
        // Raw: the store writes the JSON of lists, the hottest responses.
        .handleRaw("links", () => linkJsonPage(list))
        // Raw: a file that may be a 304.
        .handleRaw("keys", ({ urlParams }) =>
          Effect.flatMap(pageKeys.block(urlParams.after), (block) =>
            conditionalResponse(JSON.stringify(block), "application/json")
          )
        )
        // Raw: a picture with its own media type and headers.
        .handleRaw("image", ({ path }) => linkImage(images, "image", path.id))
        // Raw: a picture, as above.
        .handleRaw("favicon", ({ path }) => linkImage(images, "favicon", path.id))
        // Raw: the upload goes to disk as it arrives, and is never in memory as a payload.
        .handleRaw("importFile", ({ urlParams }) =>
          Effect.zipRight(scopes.import(urlParams.shared === "keep"), transfer.importFile(urlParams))
        )
        // Raw: a streamed file.
        .handleRaw("exportLibrary", ({ urlParams }) => transfer.exportLibrary(urlParams))
        // Raw: an endless stream.
        .handleRaw("events", () => events.respond)
        // Raw: an HTML page.
        .handleRaw("page", () => page.respond)
    )
  })
)
