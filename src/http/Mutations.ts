import { Effect, Schema } from "effect"
import { BadRequest, badInput, Conflict, NotFound, Unavailable } from "../api/Failures.ts"
import { Mutation, type MutationAnswer, mutations, type UndoAnswer } from "../api/Mutation.ts"
import { normalizeCategory } from "../domain/Category.ts"
import type { UndoNotFound } from "../domain/Change.ts"
import type { LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { EditLinks } from "../library/EditLinks.ts"
import type { MergeLinks } from "../library/MergeLinks.ts"
import { readJson } from "./Body.ts"

const Op = Schema.Struct({ op: Schema.String })
const decode = Schema.decodeUnknown(Mutation)

const readMutation = Effect.gen(function* () {
  const body = yield* readJson(Schema.Unknown)
  const { op } = yield* Effect.mapError(Schema.decodeUnknown(Op)(body), badInput)
  if (!(op in mutations))
    return yield* new BadRequest(`The field "op" must be one of ${Object.keys(mutations).join(", ")}.`)
  return yield* Effect.mapError(decode(body), badInput)
})

interface UseCases {
  readonly edits: EditLinks["Type"]
  readonly merges: MergeLinks["Type"]
}

const perform = (
  { edits, merges }: UseCases,
  change: Mutation
): Effect.Effect<MutationAnswer, BadRequest | LinkNotFound | UndoNotFound | StoreUnavailable> => {
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
      return Effect.map(merges.merge(change.into, others), (link) => ({ links: [link], deleted: others }))
    }
    case "delete":
      return Effect.as(edits.remove(change.ids), { links: [], deleted: change.ids })
    case "undo":
      return edits.undo(change.token)
  }
}

/** Deletes the collection with this number, where it holds no link. */
export const removeCollection = Effect.fn("Mutations.removeCollection")(function* (
  { edits }: Pick<UseCases, "edits">,
  id: string
) {
  if (!/^[1-9]\d{0,14}$/.test(id)) return yield* new BadRequest("A collection has a number.")
  const undo = yield* Effect.catchTags(edits.removeCollection(Number(id)), {
    CollectionNotFound: ({ message }) => new NotFound(message),
    CollectionNotEmpty: ({ message }) => new Conflict(message),
    StoreUnavailable: () => new Unavailable()
  })
  const answer: UndoAnswer = { undo }
  return answer
})

/** Reads one change from the request, makes it, and answers the changed links. */
export const mutate = Effect.fn("Mutations.mutate")(function* (useCases: UseCases) {
  const change = yield* readMutation
  return yield* Effect.catchTags(perform(useCases, change), {
    LinkNotFound: ({ message }) => new NotFound(message),
    UndoNotFound: ({ message }) => new NotFound(message),
    StoreUnavailable: () => new Unavailable()
  })
})
