import { Context, Duration, Effect, Layer, Stream } from "effect"
import { AwaitedCards } from "../library/ChatMemory.ts"
import { Events } from "../library/Events.ts"
import { ReplyQueue } from "../library/ReplyQueue.ts"
import { ViewLinks } from "../library/ViewLinks.ts"
import { makeDrain } from "../runtime/Drain.ts"
import { cardOf } from "./Card.ts"
import { Outbox } from "./Outbox.ts"

/** How often to look for summaries while cards wait for them, should an event be lost. */
const INTERVAL = Duration.minutes(1)

/** Edits the cards that went out before the model had written the summary, also after a restart. */
export class CardUpdates extends Context.Tag("CardUpdates")<
  CardUpdates,
  {
    /** Runs continuously. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const cards = yield* AwaitedCards
      const events = yield* Events
      const links = yield* ViewLinks
      const outbox = yield* Outbox
      const queue = yield* ReplyQueue
      const { run, wake } = yield* makeDrain
      let isWaiting = false

      const update = Effect.gen(function* () {
        for (const card of yield* cards.ready) {
          const [link] = yield* links.byIds([card.linkId])
          if (link === undefined) continue
          const { html, ...content } = cardOf(link)
          const { chatId, messageId } = card
          const edit = { ...content, chatId, html: html.html, replyTo: null, replaces: messageId }
          yield* cards.update(card, outbox.add(edit, [link.id]))
        }
        isWaiting = yield* cards.isAny
        return isWaiting ? INTERVAL : Duration.infinity
      })

      const listen = Effect.flatMap(events.listen, (all) =>
        Stream.runForEach(all, ({ type }) => (type === "link" && isWaiting ? wake : Effect.void))
      ).pipe(Effect.scoped, Effect.zipRight(Effect.never))

      return {
        run: Effect.raceFirst(run(update, { name: "updating cards", until: queue.cardDelivered }), listen)
      }
    })
  )
}
