import { Context, Effect, Layer } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { MessageRef, Question } from "../domain/Messages.ts"
import { makeSignal } from "../runtime/Drain.ts"
import { ChatListStore, MessageStore, PromptStore } from "../store/chat/MessageStore.ts"
import { OutageStore } from "../store/chat/OutageStore.ts"
import { OutboxStore } from "../store/chat/OutboxStore.ts"
import { JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { PassedTime } from "../store/PassedTime.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"

/** A reply to enqueue. */
interface NewReply {
  /** The bot's JSON. */
  readonly message: string
  /** The links the reply is about. */
  readonly about: ReadonlyArray<LinkId>
  /** The message that the reply replaces: queued replies that replace the same message are dropped. */
  readonly replaces?: MessageRef | undefined
}

/** A message that the platform has accepted for one or more queued replies. */
interface DeliveredMessage extends MessageRef {
  readonly replies: ReadonlyArray<number>
  readonly about: ReadonlyArray<LinkId>
  /** The job that the message is the first to show. */
  readonly job?: number | undefined
  /** What the message asks about a link. */
  readonly asks?: Question | undefined
  /** The link whose card the message is, if the card lacks a summary that is being written. */
  readonly awaits?: LinkId | undefined
  /** The link whose card the message is. */
  readonly card?: LinkId | undefined
  /** Whether that card says that its link is in the trash. */
  readonly isTrashed?: boolean | undefined
  /** Whether the message existed before, and was edited. */
  readonly isEdit: boolean
}

const make = Effect.gen(function* () {
  const lists = yield* ChatListStore
  const cards = yield* makeSignal
  const store = yield* OutboxStore
  const jobs = yield* JobMessageStore
  const links = yield* LinkStore
  const messages = yield* MessageStore
  const outages = yield* OutageStore
  const prompts = yield* PromptStore
  const transaction = yield* Transaction
  const passed = yield* PassedTime

  return {
    /** Enqueues a reply, as part of the caller's transaction if there is one; `onCommit` runs once it is stored. */
    add: Effect.fn("ReplyQueue.add")(function* (
      { about, message, replaces }: NewReply,
      onCommit: Effect.Effect<void>
    ) {
      yield* store.add(message, about, replaces)
      // A late summary must not replace what the owner looks at now, such as a list of collections.
      if (replaces !== undefined) yield* lists.noLongerAwaits(replaces)
      yield* afterCommit(onCommit)
    }, transaction),
    /** Returns when a card that lacks its summary was delivered. */
    cardDelivered: cards.received,
    /**
     * The oldest 40 replies in line, due or not. Replies keep their order, so all wait for the first. Replies about the
     * same job as an earlier reply that has stepped aside are left out, because they wait for it.
     */
    line: store.line,
    /** The time, in ISO 8601, before which a reply is older than `age`. */
    before: passed.before,
    /** The reply that has stepped aside and whose next attempt is due first. */
    aside: store.aside,
    /** Removes the replies and records what their message is about and asks, so that a reply to it finds its links. */
    delivered: Effect.fn("ReplyQueue.delivered")(function* ({
      about,
      asks,
      awaits,
      card,
      isEdit,
      isTrashed,
      job,
      replies,
      ...sent
    }: DeliveredMessage) {
      for (const { id } of yield* links.getAll(about))
        yield* messages.record(sent, { linkId: id, note: "", tags: [], created: false })
      if (job !== undefined) yield* jobs.sent(job, sent.messageId)
      if (isEdit) yield* lists.noLongerShows(sent)
      if (card !== undefined)
        yield* lists.showsCard({ ...sent, linkId: card }, isTrashed === true ? "trash" : "library")
      if (awaits !== undefined) {
        yield* lists.awaitsSummary({ ...sent, linkId: awaits })
        yield* afterCommit(cards.send)
      }
      if (asks !== undefined) yield* prompts.record(sent, asks.linkId, asks.what)
      yield* store.sent(replies)
    }, transaction),
    /** Removes replies that will not be sent; with `isOutage`, the drop is reported to the owner. */
    drop: Effect.fn("ReplyQueue.drop")(function* (
      replies: ReadonlyArray<number>,
      { isOutage }: { readonly isOutage: boolean }
    ) {
      yield* store.sent(replies)
      if (isOutage) yield* outages.dropped(replies.length)
    }, transaction),
    /** Schedules a retry of a reply; `wait` is capped at one hour. */
    retry: store.retry,
    /** Takes a reply that fails while others succeed out of the line, so that later replies do not wait for it. */
    stepAside: store.defer
  }
})

/** The queue of replies to the chat, on disk: each waits until the platform has accepted it or it is dropped. */
export class ReplyQueue extends Context.Tag("ReplyQueue")<ReplyQueue, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
