import { Clock, Context, Duration, Effect, Layer, Option, Ref } from "effect"
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

const make = Effect.gen(function* () {
  const offsets = yield* OffsetStore
  const way = yield* Ref.make<DeliveryWay>("off")
  return {
    way: Ref.get(way),
    /** Records the way; returns whether it has changed. */
    changeTo: (next: DeliveryWay) => Effect.map(Ref.getAndSet(way, next), (last) => last !== next),
    /** The update to fetch next; none to start with the oldest that the platform keeps. */
    offset: Effect.fn("ChatDelivery.offset")(function* (bot: number) {
      const now = yield* Clock.currentTimeMillis
      return Option.filterMap(yield* offsets.of(bot), ({ nextUpdate, storedAt }) =>
        now - Date.parse(storedAt) < Duration.toMillis(OFFSET_AGE) ? Option.some(nextUpdate) : Option.none()
      )
    }),
    /** Records that every update before this one is on disk. */
    advance: offsets.put
  }
})

/** How chat updates reach the service, and how far it has fetched those of each bot. */
export class ChatDelivery extends Context.Tag("ChatDelivery")<
  ChatDelivery,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
