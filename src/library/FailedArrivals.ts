import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type DeadArrival, InboxStore } from "../store/inbox/InboxStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Inbox } from "./Inbox.ts"

/** A message or capture that failed repeatedly and is no longer retried. */
export type FailedArrival = DeadArrival

/** Shows the owner what could not be saved, to retry or to delete. */
export class FailedArrivals extends Context.Tag("FailedArrivals")<
  FailedArrivals,
  {
    /** The newest first, at most 100. */
    readonly list: Effect.Effect<ReadonlyArray<FailedArrival>>
    /** Counts the links that are saved but incomplete. */
    readonly countIncomplete: Effect.Effect<number>
    /** Processes one of them again as if it had just arrived; returns false if the number is unknown. */
    readonly retry: (id: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Deletes one of them; returns false if the number is unknown. */
    readonly forget: (id: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const inbox = yield* Inbox
      const links = yield* LinkStore
      const store = yield* InboxStore
      return {
        list: store.dead,
        countIncomplete: links.countPartial,
        retry: inbox.revive,
        forget: store.forget
      }
    })
  )
}
