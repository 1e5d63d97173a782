import { Effect } from "effect"
import type { LabelNotFound, LabelRefused, PathTaken } from "../domain/Label.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { ownName } from "../shared/CollectionPath.ts"
import { type CollectionEdit, CollectionTree, type NewCollection } from "../store/links/CollectionTree.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { EditLinks } from "./EditLinks.ts"
import { SimilarNames } from "./SimilarNames.ts"

type Refusal = LabelNotFound | LabelRefused | PathTaken | StoreUnavailable

const make = Effect.gen(function* () {
  const tree = yield* CollectionTree
  const names = yield* NameStore
  const edits = yield* EditLinks
  const twins = yield* SimilarNames

  const make = Effect.fnUntraced(function* (
    record: Effect.Effect<{ readonly id: number; readonly token: string }, Refusal>
  ) {
    const made = yield* edits.make(Effect.map(record, ({ id, token }) => [token, id] as const))
    return { collection: yield* tree.get(made.value), changed: made.ids.length, undo: made.undo }
  })

  return {
    list: Effect.gen(function* () {
      const collections = yield* tree.all
      const compared = [...collections].sort((a, b) => b.count - a.count)
      return {
        collections,
        aliases: yield* names.aliases("collection"),
        // The same name in two places is no duplicate: `Work / Notes`, `Home / Notes`.
        twins: (yield* twins.among(compared.map(({ name }) => ({ name, label: ownName(name) })))).filter(
          ({ names: pair }) => new Set(pair.map((path) => ownName(path).toLowerCase())).size > 1
        )
      }
    }).pipe(Effect.withSpan("EditCollections.list")),
    get: tree.get,
    create: Effect.fn("EditCollections.create")((given: NewCollection) => make(tree.create(given))),
    /** When this returns, links that are no longer shared have left the public list. */
    edit: Effect.fn("EditCollections.edit")((id: number, edit: CollectionEdit) => make(tree.edit(id, edit))),
    merge: Effect.fn("EditCollections.merge")((id: number, into: number) =>
      make(Effect.map(tree.merge(id, into), (token) => ({ id: into, token })))
    ),
    /** Its links stay without a collection, and the collections inside move up. */
    remove: Effect.fn("EditCollections.remove")(function* (id: number) {
      const { ids, undo } = yield* edits.make(Effect.map(tree.remove(id), (token) => [token, id] as const))
      return { changed: ids.length, undo }
    })
  }
})

export class EditCollections extends Service<EditCollections>()("EditCollections", make) {}
