import { Context, Effect, Layer } from "effect"
import type {
  ChangedSince,
  CollectionNotEmpty,
  CollectionNotFound,
  Field,
  FieldValues,
  UndoNotFound
} from "../domain/Change.ts"
import type { LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { JobStore } from "../store/jobs/JobStore.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { LargeChanges, MAX_IN_ONE_TRANSACTION } from "./LargeChanges.ts"

/** The links of a change, and the token that undoes it. */
interface Changed {
  readonly ids: ReadonlyArray<LinkId>
  readonly undo: string
}

/**
 * Changes the owner makes by hand; each applies to all of its links or to none.
 *
 * Large changes are stored at once and applied in pieces (`LargeChanges`): outside a transaction a call returns once
 * they are applied, inside one as soon as they are stored.
 */
export class EditLinks extends Context.Tag("EditLinks")<
  EditLinks,
  {
    readonly change: (
      ids: ReadonlyArray<LinkId>,
      fields: ReadonlyArray<Field>,
      values: Omit<FieldValues, "id">
    ) => Effect.Effect<Changed, LinkNotFound | StoreUnavailable>
    /**
     * Undoes the change with this token; links deleted since stay deleted. Fails if a link has changed since, unless
     * `force` overwrites it. The undo can itself be undone.
     */
    readonly undo: (
      token: string,
      options?: { readonly force?: boolean | undefined }
    ) => Effect.Effect<Changed, UndoNotFound | ChangedSince | StoreUnavailable>
    /** Deletes a collection that has no links; returns the token that undoes this. */
    readonly removeCollection: (
      id: number
    ) => Effect.Effect<string, CollectionNotFound | CollectionNotEmpty | StoreUnavailable>
    /** Deletes the links with everything derived from them. Cannot be undone. */
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
      const large = yield* LargeChanges

      /** Announces the changed links, and wakes the embedder because their text may have changed. */
      const announce = (ids: ReadonlyArray<LinkId>) =>
        Effect.gen(function* () {
          if (ids.length > MAX_IN_ONE_TRANSACTION) yield* events.changed(ids)
          else yield* events.links("changed", yield* links.getAll(ids))
          // No links means that only collections changed; no other event updates the pages that show them.
          if (ids.length === 0) yield* events.reloadAll
          yield* embeddings.wake
        })

      return {
        change: Effect.fn("EditLinks.change")(function* (given, fields, values) {
          const ids = [...new Set(given)]
          const undo = yield* transaction(
            Effect.gen(function* () {
              // A large change queues behind earlier ones; a small one is applied at once.
              if (ids.length <= MAX_IN_ONE_TRANSACTION) yield* large.applyPending(ids)
              const undo = yield* changes.accept({ fields, links: ids.map((id) => ({ ...values, id })) })
              yield* large.make(undo, ids.length, announce(ids))
              return undo
            })
          )
          if (ids.length > MAX_IN_ONE_TRANSACTION) yield* large.awaitPending
          return { ids, undo }
        }),
        undo: Effect.fn("EditLinks.undo")(function* (token, { force = false } = {}) {
          yield* large.awaitPending
          const changed = yield* transaction(
            Effect.gen(function* () {
              yield* large.applyAllPending
              const undo = yield* changes.undo(token, { force })
              const ids = yield* changes.linksOf(undo)
              yield* jobs.takenBack(token)
              yield* large.make(undo, ids.length, announce(ids))
              return { ids, undo }
            })
          )
          if (changed.ids.length > MAX_IN_ONE_TRANSACTION) yield* large.awaitPending
          return changed
        }),
        removeCollection: Effect.fn("EditLinks.removeCollection")((id) =>
          transaction(Effect.zipLeft(changes.removeCollection(id), afterCommit(events.reloadAll)))
        ),
        remove: Effect.fn("EditLinks.remove")(function* (given) {
          const ids = [...new Set(given)]
          yield* transaction(
            Effect.gen(function* () {
              if (ids.length <= MAX_IN_ONE_TRANSACTION) yield* large.applyPending(ids)
              const token = yield* changes.acceptRemoval(ids)
              yield* large.make(token, ids.length, events.deleted(ids))
            })
          )
          if (ids.length > MAX_IN_ONE_TRANSACTION) yield* large.awaitPending
        })
      }
    })
  )
}
