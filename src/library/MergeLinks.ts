import { Context, Effect, Layer } from "effect"
import type { Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { ChangeStore } from "../store/ChangeStore.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { AT_ONCE, LargeChanges } from "./LargeChanges.ts"

/** Joins duplicates into one link. */
export class MergeLinks extends Context.Tag("MergeLinks")<
  MergeLinks,
  {
    /** Joins the others' notes, tags, favorite and collection into `into`, then deletes them. Final. */
    readonly merge: (
      into: LinkId,
      others: ReadonlyArray<LinkId>
    ) => Effect.Effect<Link, LinkNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const changes = yield* ChangeStore
      const links = yield* LinkStore
      const transaction = yield* Transaction
      const embeddings = yield* Embeddings
      const events = yield* Events
      const large = yield* LargeChanges

      const announce = (into: LinkId, others: ReadonlyArray<LinkId>) =>
        Effect.gen(function* () {
          yield* events.links("changed", yield* links.getAll([into]))
          yield* events.deleted(others)
          yield* embeddings.wake
        })

      return {
        merge: Effect.fn("MergeLinks.merge")(function* (into, given) {
          const others = [...new Set(given)].filter((id) => id !== into)
          yield* transaction(
            Effect.gen(function* () {
              yield* links.get(into)
              if (others.length <= AT_ONCE) yield* large.settle([into, ...others])
              const token = yield* changes.acceptRemoval(others, into)
              yield* large.make(token, others.length, announce(into, others))
            })
          )
          if (others.length > AT_ONCE) yield* large.made
          return yield* links.get(into)
        })
      }
    })
  )
}
