import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Job } from "../domain/Job.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import { LinkMessage, type MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { ChatListStore, MessageStore, type MovedCard, PromptStore } from "../store/chat/MessageStore.ts"
import { JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"

/** What a reply to a message is about. */
export type ReplySubject =
  /** The reply names the collection that the link belongs in, as the message asked. */
  | { readonly _tag: "Collection"; readonly linkId: LinkId }
  /** The reply is a note on the link. */
  | { readonly _tag: "Note"; readonly link: Link }
  /** The message is about no link or about several. */
  | { readonly _tag: "Nothing" }

/** Links that an answer offers to save, in the order of its buttons. */
const Offers = Schema.parseJson(Schema.Struct({ offers: Schema.Array(LinkMessage) }))
const decodeOffers = Schema.decodeOption(Offers)
const encodeOffers = Schema.encodeSync(Offers)

const decodeTags = Schema.decodeOption(Schema.parseJson(Schema.Struct({ tags: Schema.Array(Schema.String) })))

const makeChatMemory = Effect.gen(function* () {
  const lists = yield* ChatListStore
  const links = yield* LinkStore
  const messages = yield* MessageStore
  const prompts = yield* PromptStore

  /** Returns the link that a message is about; none if it is about several links or about no link. */
  const linkOf = Effect.fn("ChatMemory.linkOf")(function* (message: MessageRef) {
    const [about, ...more] = yield* messages.linksOf(message)
    return about === undefined || more.length > 0
      ? Option.none<Link>()
      : yield* Effect.option(links.get(about.linkId))
  })

  return {
    linkOf,
    replySubject: Effect.fn("ChatMemory.replySubject")(function* (
      message: MessageRef
    ): Effect.fn.Return<ReplySubject> {
      const question = Option.getOrUndefined(yield* prompts.of(message))
      if (question?.what === "collection") return { _tag: "Collection", linkId: question.linkId }
      const link = yield* question === undefined ? linkOf(message) : Effect.option(links.get(question.linkId))
      return Option.match(link, {
        onNone: (): ReplySubject => ({ _tag: "Nothing" }),
        onSome: (link) => ({ _tag: "Note", link })
      })
    }),
    /**
     * Returns the message that shows the progress of saving this message's links, which survives a restart; if there is
     * none, sends one and records its number.
     */
    progressMessage: <E>(message: MessageRef, send: Effect.Effect<number, E>) =>
      // A message that was sent must be recorded, or the next attempt would send another.
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const shown = yield* lists.shownBy(message)
          if (Option.isSome(shown)) return shown.value
          const messageId = yield* restore(send)
          yield* lists.shows(message, messageId)
          return messageId
        })
      ),
    /** Keeps tags for 30 days for buttons, whose data is too short for them; returns the number to find them by. */
    keepTags: (tags: ReadonlyArray<string>) => lists.keep(JSON.stringify({ tags })),
    keptTags: (list: number) =>
      Effect.map(lists.get(list), (kept) => Option.map(Option.flatMap(kept, decodeTags), ({ tags }) => tags)),
    /** Keeps links that an answer offers to save, as `keepTags` keeps tags. */
    keepOffers: (offers: ReadonlyArray<LinkMessage>) => lists.keep(encodeOffers({ offers })),
    keptOffers: (list: number) =>
      Effect.map(lists.get(list), (kept) =>
        Option.map(Option.flatMap(kept, decodeOffers), ({ offers }) => offers)
      ),
    /** Returns the message that shows the progress of saving this message's links, if there is one. */
    progressShown: lists.shownBy
  }
})

/** Remembers which links and questions the chat's messages are about, and where the progress of a save is shown. */
export class ChatMemory extends Context.Tag("ChatMemory")<
  ChatMemory,
  Effect.Effect.Success<typeof makeChatMemory>
>() {
  static readonly make = makeChatMemory
  static readonly layer = Layer.effect(this, this.make)
}

const makeAwaitedCards = Effect.gen(function* () {
  const lists = yield* ChatListStore
  return {
    /** Whether any card lacks its summary. */
    isAny: lists.hasAwaiting,
    /** The recorded cards whose summary is there; `ReplyQueue` forgets a card when its message is replaced. */
    ready: lists.summarized
  }
})

/** The cards in the chat that lack a summary, until the model has written it; `ReplyQueue` records them. */
export class AwaitedCards extends Context.Tag("AwaitedCards")<
  AwaitedCards,
  Effect.Effect.Success<typeof makeAwaitedCards>
>() {
  static readonly make = makeAwaitedCards
  static readonly layer = Layer.effect(this, this.make)
}

/** Number of cards that are edited at once: after a mass delete, the newest ones. */
const MAX_EDITED = 30

const makeMovedCards = Effect.gen(function* () {
  const lists = yield* ChatListStore
  const transaction = yield* Transaction
  return {
    /** Runs `edit` for the newest of these cards and forgets all of them, in one transaction. */
    update: Effect.fn("MovedCards.update")(
      (edit: (card: MovedCard) => Effect.Effect<void, StoreUnavailable>) =>
        transaction(
          Effect.flatMap(lists.takeMovedCards(MAX_EDITED), (cards) =>
            Effect.forEach(cards, edit, { discard: true })
          )
        )
    )
  }
})

/**
 * The cards in the chat whose links were deleted or have come back; `ReplyQueue` records every card for 30 days, also
 * one that says that its link is in the trash.
 */
export class MovedCards extends Context.Tag("MovedCards")<
  MovedCards,
  Effect.Effect.Success<typeof makeMovedCards>
>() {
  static readonly make = makeMovedCards
  static readonly layer = Layer.effect(this, this.make)
}

/** A job that a chat waits for. */
export interface AwaitedJob {
  readonly chatId: number
  readonly job: Job
}

const makeAwaitedJobs = Effect.gen(function* () {
  const store = yield* JobMessageStore
  const transaction = yield* Transaction
  return {
    /**
     * Records that the chat waits for the job, and the message that shows it, null for none; false if a chat already
     * waits for it. Part of the caller's transaction if there is one; `onCommit` runs once it is stored.
     */
    add: Effect.fn("AwaitedJobs.add")(function* (
      job: number,
      { chatId, messageId }: { readonly chatId: number; readonly messageId: number | null },
      onCommit: Effect.Effect<void>
    ) {
      const first = yield* store.await(job, chatId)
      if (first && messageId !== null) yield* store.sent(job, messageId)
      yield* afterCommit(onCommit)
      return first
    }, transaction),
    /** The jobs whose results are not reported, oldest first, running or ended. */
    unreported: Effect.map(store.unreported, (all) => all.map(({ chatId, ...job }) => ({ chatId, job }))),
    /** Returns the message that shows the job. */
    messageOf: store.messageOf,
    /** Runs `report` and marks the job as reported, in one transaction. */
    report: Effect.fn("AwaitedJobs.report")((job: number, report: Effect.Effect<void, StoreUnavailable>) =>
      transaction(Effect.zipRight(report, store.markReported(job)))
    )
  }
})

/** Remembers which chat waits for which job and which message shows it, until the job's result is reported. */
export class AwaitedJobs extends Context.Tag("AwaitedJobs")<
  AwaitedJobs,
  Effect.Effect.Success<typeof makeAwaitedJobs>
>() {
  static readonly make = makeAwaitedJobs
  static readonly layer = Layer.effect(this, this.make)
}
