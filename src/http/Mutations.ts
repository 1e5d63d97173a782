import { HttpServerResponse } from "@effect/platform"
import { Array, Effect, Stream } from "effect"
import type { ChangedSince, UndoNotFound } from "../domain/Change.ts"
import type { LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { MergeLinks } from "../library/Duplicates.ts"
import type { EditLinks } from "../library/EditLinks.ts"
import type { ViewLinks } from "../library/ViewLinks.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { normalizeCategory } from "../shared/Category.ts"
import { BadRequest, Conflict, NotFound, StaleUndo, Unavailable } from "./api/Failures.ts"
import type { Mutation } from "./api/Mutation.ts"

interface UseCases {
  readonly edits: EditLinks["Type"]
  readonly merges: MergeLinks["Type"]
  readonly links: ViewLinks["Type"]
}

/** The outcome of a change: the links to return, and the rest of the response. */
interface Done {
  readonly ids: ReadonlyArray<LinkId>
  readonly undo?: string
  readonly deleted?: ReadonlyArray<LinkId>
}

const perform = (
  { edits, merges }: UseCases,
  change: Mutation
): Effect.Effect<Done, BadRequest | LinkNotFound | UndoNotFound | ChangedSince | StoreUnavailable> => {
  switch (change.op) {
    case "favorite":
      return edits.change(change.ids, ["favorite"], { favorite: change.favorite })
    case "shareable":
      return edits.change(change.ids, ["shareable"], { shareable: change.shareable })
    case "category": {
      const category = normalizeCategory(change.category)
      if (category === null) return new BadRequest('The field "category" needs a letter or a digit.')
      return edits.change(change.ids, ["category"], { category, categoryByHand: true })
    }
    case "collection":
      return edits.change(change.ids, ["collection"], {
        collection: change.collection === null ? null : change.collection.trim().replace(/\s+/g, " "),
        collectionByHand: true
      })
    case "edit":
      return edits.change(
        change.ids,
        [
          ...(change.title === undefined ? [] : ["title" as const]),
          ...(change.summary === undefined ? [] : ["summary" as const])
        ],
        {
          title: change.title?.trim(),
          titleByHand: true,
          summary: change.summary?.trim(),
          summaryByHand: true
        }
      )
    case "merge": {
      const others = change.ids.filter((id) => id !== change.into)
      if (others.length === 0) return new BadRequest('The field "ids" needs a link other than "into".')
      return Effect.as(merges.merge(change.into, others), { ids: [change.into], deleted: others })
    }
    case "delete":
      return Effect.as(edits.remove(change.ids), { ids: [], deleted: change.ids })
    case "undo":
      return edits.undo(change.token, change)
  }
}

/** Number of links read at a time for a response, so that the event loop turns in between. */
const CHUNK = 250

/** Returns the changed links as `MutationAnswer`, with JSON written by the store; streams them if there are many. */
const answerOf = (links: ViewLinks["Type"], { ids, ...more }: Done) => {
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
const json = { contentType: "application/json" }

/** Deletes the collection with this number if it holds no links. */
export const removeCollection = Effect.fn("Mutations.removeCollection")(function* (
  edits: EditLinks["Type"],
  id: number
) {
  const undo = yield* Effect.catchTags(edits.removeCollection(id), {
    CollectionNotFound: ({ message }) => new NotFound(message),
    CollectionNotEmpty: ({ message }) => new Conflict(message),
    StoreUnavailable: () => new Unavailable()
  })
  return { undo }
})

/** Applies one change, and returns the changed links. */
export const mutate = Effect.fn("Mutations.mutate")(function* (useCases: UseCases, change: Mutation) {
  const done = yield* Effect.catchTags(perform(useCases, change), {
    LinkNotFound: ({ message }) => new NotFound(message),
    UndoNotFound: ({ message }) => new NotFound(message),
    ChangedSince: ({ fields, message }) => new StaleUndo({ fields, message }),
    StoreUnavailable: () => new Unavailable()
  })
  return yield* answerOf(useCases.links, done)
})
