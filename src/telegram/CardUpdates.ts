import { Duration, Effect } from "effect"
import type { MessageRef } from "../domain/Messages.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { Events, type LibraryEvent } from "../library/Events.ts"
import { ReplyQueue } from "../library/ReplyQueue.ts"
import { Service } from "../runtime/Services.ts"
import { ChatListStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { cardOf, deletedCard, trashedCard } from "./Card.ts"
import type { Content } from "./Content.ts"
import { Outbox } from "./Outbox.ts"

/** How often to look for summaries while cards wait for them, should an event be lost. */
const INTERVAL = Duration.minutes(1)

const make = Effect.gen(function* () {
  const cards = yield* ChatListStore
  const events = yield* Events
  const links = yield* LinkStore
  const memory = yield* ChatMemory
  const outbox = yield* Outbox
  const queue = yield* ReplyQueue
  let isWaiting = false

  const editOf = ({ chatId, messageId }: MessageRef, { html, ...content }: Content) => ({
    ...content,
    chatId,
    html: html.html,
    replyTo: null,
    replaces: messageId
  })

  const update = Effect.gen(function* () {
    yield* memory.updateMovedCards(
      Effect.fnUntraced(function* (card) {
        const [link] = yield* links.getAll([card.linkId])
        const gone = card.place === "trash" ? trashedCard(card.linkId) : deletedCard(card.linkId)
        yield* outbox.add(
          { ...editOf(card, link === undefined ? gone : cardOf(link)), editsOnly: true },
          link === undefined ? [] : [link.id]
        )
      })
    )
    for (const card of yield* cards.summarized) {
      const [link] = yield* links.getAll([card.linkId])
      if (link === undefined) continue
      yield* outbox.add(editOf(card, cardOf(link)), [link.id])
    }
    isWaiting = yield* cards.hasAwaiting
    return isWaiting ? INTERVAL : Duration.infinity
  })

  /** A link was deleted, many changed, some are back, or cards wait for summaries. */
  const concernsCards = (event: LibraryEvent) =>
    event.type === "link" && (isWaiting || event.change === "deleted" || event.ids.length === 0)

  return {
    run: events.drain(concernsCards, update, { name: "updating cards", until: queue.cardDelivered })
  }
})

/** Edits cards without their summary, or whose link was deleted or has come back; also after a restart. */
export class CardUpdates extends Service<CardUpdates>()("CardUpdates", make) {}
