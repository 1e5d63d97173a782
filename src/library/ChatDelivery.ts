import { Clock, Context, Duration, Effect, Layer, Option, Ref } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { OffsetStore } from "../store/chat/OffsetStore.ts"

/**
 * How the chat platform's updates reach the running service: it fetches them (`polling`), a webhook sends them, or
 * neither (`off`), because there is no bot or the platform has not answered yet.
 */
export type DeliveryWay = "polling" | "webhook" | "off"

/**
 * An older offset is not used. The platform keeps updates for a day, so all that it confirms are gone, and after a week
 * without any the platform renumbers them from a random number
 * (https://core.telegram.org/bots/api#update).
 */
const OFFSET_AGE = Duration.days(1)

/** How chat updates reach the service, and how far it has fetched those of each bot. */
export class ChatDelivery extends Context.Tag("ChatDelivery")<
  ChatDelivery,
  {
    readonly way: Effect.Effect<DeliveryWay>
    /** Records the way; returns whether it has changed. */
    readonly changeTo: (way: DeliveryWay) => Effect.Effect<boolean>
    /** The update to fetch next; none to start with the oldest that the platform keeps. */
    readonly offset: (bot: number) => Effect.Effect<Option.Option<number>>
    /** Records that every update before this one is on disk. */
    readonly advance: (bot: number, next: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const offsets = yield* OffsetStore
      const way = yield* Ref.make<DeliveryWay>("off")
      return {
        way: Ref.get(way),
        changeTo: (next) => Effect.map(Ref.getAndSet(way, next), (last) => last !== next),
        offset: Effect.fn("ChatDelivery.offset")(function* (bot) {
          const now = yield* Clock.currentTimeMillis
          return Option.filterMap(yield* offsets.of(bot), ({ nextUpdate, storedAt }) =>
            now - Date.parse(storedAt) < Duration.toMillis(OFFSET_AGE)
              ? Option.some(nextUpdate)
              : Option.none()
          )
        }),
        advance: offsets.put
      }
    })
  )
}
