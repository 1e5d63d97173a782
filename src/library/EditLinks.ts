import { Array, Context, Effect, Layer } from "effect"
import type {
  Change,
  CollectionNotEmpty,
  CollectionNotFound,
  Field,
  FieldValues,
  UndoNotFound
} from "../domain/Change.ts"
import { type Link, type LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { ChangeStore } from "../store/ChangeStore.ts"
import { JobStore } from "../store/JobStore.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"

/** What a change left behind: the links as they are now, and the token that takes it back. */
export interface Changed {
  readonly links: ReadonlyArray<Link>
  readonly undo: string
}

/** Changes the owner makes by hand; each is made to all of the links or to none. */
export class EditLinks extends Context.Tag("EditLinks")<
  EditLinks,
  {
    readonly change: (
      ids: ReadonlyArray<LinkId>,
      fields: ReadonlyArray<Field>,
      values: Omit<FieldValues, "id">
    ) => Effect.Effect<Changed, LinkNotFound | StoreUnavailable>
    /** Takes back the change with this token; links deleted since stay deleted. The answer can be taken back in turn. */
    readonly undo: (token: string) => Effect.Effect<Changed, UndoNotFound | StoreUnavailable>
    /** Deletes a collection without links. Returns the token that undoes this. */
    readonly removeCollection: (
      id: number
    ) => Effect.Effect<string, CollectionNotFound | CollectionNotEmpty | StoreUnavailable>
    /** Deletes the links with everything derived from them. Final. */
    readonly remove: (ids: ReadonlyArray<LinkId>) => Effect.Effect<void, LinkNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const changes = yield* ChangeStore
      const jobs = yield* JobStore
      const links = yield* LinkStore
      const transaction = yield* Transaction
      const embeddings = yield* Embeddings
      const events = yield* Events

      const apply = (change: Change) =>
        transaction(
          Effect.gen(function* () {
            const undo = yield* changes.apply(change)
            return { links: yield* links.getAll(change.links.map(({ id }) => id)), undo }
          })
        ).pipe(
          Effect.tap((changed) => events.links("changed", changed.links)),
          // What the link says may have changed, and its vector with it.
          Effect.zipLeft(embeddings.wake)
        )

      return {
        change: Effect.fn("EditLinks.change")((ids, fields, values) =>
          apply({ fields, links: Array.dedupe(ids).map((id) => ({ ...values, id })) })
        ),
        undo: Effect.fn("EditLinks.undo")(function* (token) {
          const before = yield* changes.before(token)
          const changed = yield* Effect.catchTag(apply(before), "LinkNotFound", Effect.die)
          yield* jobs.takenBack(token)
          // Only collections changed: no other event updates the pages that show them.
          if (changed.links.length === 0) yield* events.many
          return changed
        }),
        removeCollection: Effect.fn("EditLinks.removeCollection")((id) =>
          Effect.zipLeft(changes.removeCollection(id), events.many)
        ),
        remove: Effect.fn("EditLinks.remove")((ids) =>
          transaction(
            Effect.gen(function* () {
              const found = new Set((yield* links.getAll(ids)).map(({ id }) => id))
              const missing = ids.find((id) => !found.has(id))
              if (missing !== undefined) return yield* new LinkNotFound({ id: missing })
              yield* links.remove(ids)
            })
          ).pipe(Effect.zipLeft(events.deleted(ids)))
        )
      }
    })
  )
}
