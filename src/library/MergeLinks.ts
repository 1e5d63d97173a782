import { Context, Effect, Layer } from "effect"
import type { Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import { merge } from "../domain/Merge.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { MergeStore } from "../store/MergeStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"

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
      const store = yield* MergeStore
      const links = yield* LinkStore
      const transaction = yield* Transaction
      const embeddings = yield* Embeddings
      const events = yield* Events
      return {
        merge: Effect.fn("MergeLinks.merge")((into, others) =>
          transaction(
            Effect.gen(function* () {
              const target = yield* store.read(into)
              const rest = yield* Effect.forEach(
                others.filter((id) => id !== into),
                store.read
              )
              yield* store.write(merge(target, rest))
              yield* links.remove(rest.map(({ link }) => link.id))
              return yield* links.get(into)
            })
          ).pipe(
            Effect.tap((link) => events.links("changed", [link])),
            Effect.zipLeft(events.deleted(others)),
            Effect.zipLeft(embeddings.wake)
          )
        )
      }
    })
  )
}
