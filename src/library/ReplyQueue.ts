import { Effect } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { MessageRef, Question } from "../domain/Messages.ts"
import { Service } from "../runtime/Services.ts"
import { makeSignal } from "../runtime/WorkLoop.ts"
import { ChatListStore, MessageStore, PromptStore } from "../store/chat/MessageStore.ts"
import { OutageStore } from "../store/chat/OutageStore.ts"
import { OutboxStore } from "../store/chat/OutboxStore.ts"
import { JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { PassedTime } from "../store/PassedTime.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"

interface NewReply {
  /** The bot's JSON. */
  readonly message: string
  readonly about: ReadonlyArray<LinkId>
  /** Queued replies that replace the same message are dropped. */
  readonly replaces?: MessageRef | undefined
}

/** Sent for one or more queued replies. */
interface DeliveredMessage extends MessageRef {
  readonly replies: ReadonlyArray<number>
  readonly about: ReadonlyArray<LinkId>
  /** The job that the message is the first to show. */
  readonly job?: number | undefined
  readonly asks?: Question | undefined
  /** The card's link, if its summary is still being written. */
  readonly awaits?: LinkId | undefined
  /** The link whose card the message is. */
  readonly card?: LinkId | undefined
  /** The card says that its link is in the trash. */
  readonly isTrashed?: boolean | undefined
  /** The message existed before. */
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
    /** `onCommit` runs once the reply is stored. */
    add: Effect.fn("ReplyQueue.add")(function* (
      { about, message, replaces }: NewReply,
      onCommit: Effect.Effect<void>
    ) {
      yield* store.add(message, about, replaces)
      // A late summary must not replace what the owner looks at now, such as a list of collections.
      if (replaces !== undefined) yield* lists.noLongerAwaits(replaces)
      yield* afterCommit(onCommit)
    }, transaction),
    /** A card without its summary was delivered. */
    cardDelivered: cards.received,
    /** The oldest 40, due or not, without those about a job whose earlier reply stepped aside. */
    line: store.line,
    /** The ISO 8601 time before which a reply is older than `age`. */
    before: passed.before,
    aside: store.aside,
    /** Records what the message is about, so that a reply to it finds its links. */
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
    /** With `isOutage`, the owner gets a report. */
    drop: Effect.fn("ReplyQueue.drop")(function* (
      replies: ReadonlyArray<number>,
      { isOutage }: { readonly isOutage: boolean }
    ) {
      yield* store.sent(replies)
      if (isOutage) yield* outages.dropped(replies.length)
    }, transaction),
    /** `wait` is capped at one hour. */
    retry: store.retry,
    /** For a reply that fails while others succeed. */
    stepAside: store.defer
  }
})

/** The queue of replies, on disk: each waits until it is accepted or dropped. */
export class ReplyQueue extends Service<ReplyQueue>()("ReplyQueue", make) {}
