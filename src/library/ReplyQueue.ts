import { Context, type Duration, Effect, Layer, type Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { MessageRef, OutgoingReply, Question } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
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

/** The queue of replies to the chat, on disk: each waits until the platform has accepted it or it is dropped. */
export class ReplyQueue extends Context.Tag("ReplyQueue")<
  ReplyQueue,
  {
    /** Enqueues a reply, as part of the caller's transaction if there is one; `onCommit` runs once it is stored. */
    readonly add: (reply: NewReply, onCommit: Effect.Effect<void>) => Effect.Effect<void, StoreUnavailable>
    /**
     * The oldest 40 replies in line, due or not. Replies keep their order, so all wait for the first. Replies about the
     * same job as an earlier reply that has stepped aside are left out, because they wait for it.
     */
    readonly line: Effect.Effect<ReadonlyArray<OutgoingReply>>
    /** The reply that has stepped aside and whose next attempt is due first. */
    readonly aside: Effect.Effect<Option.Option<OutgoingReply>>
    /** Removes the replies and records what their message is about and asks, so that a reply to it finds its links. */
    readonly delivered: (message: DeliveredMessage) => Effect.Effect<void, StoreUnavailable>
    /** Returns when a card that lacks its summary was delivered. */
    readonly cardDelivered: Effect.Effect<void>
    /** Removes replies that will not be sent; with `isOutage`, the drop is reported to the owner. */
    readonly drop: (
      replies: ReadonlyArray<number>,
      options: { readonly isOutage: boolean }
    ) => Effect.Effect<void, StoreUnavailable>
    /** Schedules a retry of a reply; `wait` is capped at one hour. */
    readonly retry: (id: number, wait: Duration.Duration) => Effect.Effect<void, StoreUnavailable>
    /** Takes a reply that fails while others succeed out of the line, so that later replies do not wait for it. */
    readonly stepAside: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** The time, in ISO 8601, before which a reply is older than `age`. */
    readonly before: (age: Duration.Duration) => Effect.Effect<string>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
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
        add: Effect.fn("ReplyQueue.add")(function* (
          { about, message, replaces }: NewReply,
          onCommit: Effect.Effect<void>
        ) {
          yield* store.add(message, about, replaces)
          // A late summary must not replace what the owner looks at now, such as a list of collections.
          if (replaces !== undefined) yield* lists.noLongerAwaits(replaces)
          yield* afterCommit(onCommit)
        }, transaction),
        cardDelivered: cards.received,
        line: store.line,
        before: passed.before,
        aside: store.aside,
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
        drop: Effect.fn("ReplyQueue.drop")(function* (
          replies: ReadonlyArray<number>,
          { isOutage }: { readonly isOutage: boolean }
        ) {
          yield* store.sent(replies)
          if (isOutage) yield* outages.dropped(replies.length)
        }, transaction),
        retry: store.retry,
        stepAside: store.defer
      }
    })
  )
}
