import { Clock, Duration, Effect, Option, Ref } from "effect"
import { Service } from "../runtime/Services.ts"
import { OffsetStore } from "../store/chat/OffsetStore.ts"

/** `off`: there is no bot, or the platform has not answered yet. */
export type DeliveryWay = "polling" | "webhook" | "off"

/** The platform keeps updates for a day, and renumbers after a quiet week (https://core.telegram.org/bots/api#update). */
const OFFSET_AGE = Duration.days(1)

const make = Effect.gen(function* () {
  const offsets = yield* OffsetStore
  const way = yield* Ref.make<DeliveryWay>("off")
  return {
    way: Ref.get(way),
    changeTo: (next: DeliveryWay) => Effect.map(Ref.getAndSet(way, next), (last) => last !== next),
    /** The update to fetch next; none for the oldest that the platform keeps. */
    offset: Effect.fn("ChatDelivery.offset")(function* (bot: number) {
      const now = yield* Clock.currentTimeMillis
      return Option.filterMap(yield* offsets.of(bot), ({ nextUpdate, storedAt }) =>
        now - Date.parse(storedAt) < Duration.toMillis(OFFSET_AGE) ? Option.some(nextUpdate) : Option.none()
      )
    }),
    /** Every update before `next` is on disk. */
    advance: offsets.put
  }
})

/** How chat updates reach the service, and how far it has fetched those of each bot. */
export class ChatDelivery extends Service<ChatDelivery>()("ChatDelivery", make) {}
