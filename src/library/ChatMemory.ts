import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Job } from "../domain/Job.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import { LinkMessage, type MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import {
  type CardMessage,
  ChatListStore,
  MessageStore,
  type MovedCard,
  PromptStore
} from "../store/chat/MessageStore.ts"
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

/** Remembers which links and questions the chat's messages are about, and where the progress of a save is shown. */
export class ChatMemory extends Context.Tag("ChatMemory")<
  ChatMemory,
  {
    /** Returns the link that a message is about; none if it is about several links or about no link. */
    readonly linkOf: (message: MessageRef) => Effect.Effect<Option.Option<Link>>
    readonly replySubject: (message: MessageRef) => Effect.Effect<ReplySubject>
    /**
     * Returns the message that shows the progress of saving this message's links, which survives a restart; if there is
     * none, sends one and records its number.
     */
    readonly progressMessage: <E>(
      message: MessageRef,
      send: Effect.Effect<number, E>
    ) => Effect.Effect<number, E | StoreUnavailable>
    /** Keeps tags for 30 days for buttons, whose data is too short for them; returns the number to find them by. */
    readonly keepTags: (tags: ReadonlyArray<string>) => Effect.Effect<number, StoreUnavailable>
    readonly keptTags: (list: number) => Effect.Effect<Option.Option<ReadonlyArray<string>>>
    /** Keeps links that an answer offers to save, as `keepTags` keeps tags. */
    readonly keepOffers: (offers: ReadonlyArray<LinkMessage>) => Effect.Effect<number, StoreUnavailable>
    readonly keptOffers: (list: number) => Effect.Effect<Option.Option<ReadonlyArray<LinkMessage>>>
    /** Returns the message that shows the progress of saving this message's links, if there is one. */
    readonly progressShown: (message: MessageRef) => Effect.Effect<Option.Option<number>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lists = yield* ChatListStore
      const links = yield* LinkStore
      const messages = yield* MessageStore
      const prompts = yield* PromptStore

      const linkOf = Effect.fn("ChatMemory.linkOf")(function* (message: MessageRef) {
        const [about, ...more] = yield* messages.linksOf(message)
        return about === undefined || more.length > 0
          ? Option.none<Link>()
          : yield* Effect.option(links.get(about.linkId))
      })

      return {
        linkOf,
        replySubject: Effect.fn("ChatMemory.replySubject")(
          function* (message): Effect.fn.Return<ReplySubject> {
            const question = Option.getOrUndefined(yield* prompts.of(message))
            if (question?.what === "collection") return { _tag: "Collection", linkId: question.linkId }
            const link = yield* question === undefined
              ? linkOf(message)
              : Effect.option(links.get(question.linkId))
            return Option.match(link, {
              onNone: (): ReplySubject => ({ _tag: "Nothing" }),
              onSome: (link) => ({ _tag: "Note", link })
            })
          }
        ),
        progressMessage: (message, send) =>
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
        keepTags: (tags) => lists.keep(JSON.stringify({ tags })),
        keptTags: (list) =>
          Effect.map(lists.get(list), (kept) =>
            Option.map(Option.flatMap(kept, decodeTags), ({ tags }) => tags)
          ),
        keepOffers: (offers) => lists.keep(encodeOffers({ offers })),
        keptOffers: (list) =>
          Effect.map(lists.get(list), (kept) =>
            Option.map(Option.flatMap(kept, decodeOffers), ({ offers }) => offers)
          ),
        progressShown: lists.shownBy
      }
    })
  )
}

/** The cards in the chat that lack a summary, until the model has written it; `ReplyQueue` records them. */
export class AwaitedCards extends Context.Tag("AwaitedCards")<
  AwaitedCards,
  {
    /** Whether any card lacks its summary. */
    readonly isAny: Effect.Effect<boolean>
    /** The recorded cards whose summary is there; `ReplyQueue` forgets a card when its message is replaced. */
    readonly ready: Effect.Effect<ReadonlyArray<CardMessage>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lists = yield* ChatListStore
      return {
        isAny: lists.hasAwaiting,
        ready: lists.summarized
      }
    })
  )
}

/** Number of cards that are edited at once: after a mass delete, the newest ones. */
const MAX_EDITED = 30

/**
 * The cards in the chat whose links were deleted or have come back; `ReplyQueue` records every card for 30 days, also
 * one that says that its link is in the trash.
 */
export class MovedCards extends Context.Tag("MovedCards")<
  MovedCards,
  {
    /** Runs `edit` for the newest of these cards and forgets all of them, in one transaction. */
    readonly update: (
      edit: (card: MovedCard) => Effect.Effect<void, StoreUnavailable>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lists = yield* ChatListStore
      const transaction = yield* Transaction
      return {
        update: Effect.fn("MovedCards.update")((edit) =>
          transaction(
            Effect.flatMap(lists.takeMovedCards(MAX_EDITED), (cards) =>
              Effect.forEach(cards, edit, { discard: true })
            )
          )
        )
      }
    })
  )
}

/** A job that a chat waits for. */
export interface AwaitedJob {
  readonly chatId: number
  readonly job: Job
}

/** Remembers which chat waits for which job and which message shows it, until the job's result is reported. */
export class AwaitedJobs extends Context.Tag("AwaitedJobs")<
  AwaitedJobs,
  {
    /**
     * Records that the chat waits for the job, and the message that shows it, null for none; false if a chat already
     * waits for it. Part of the caller's transaction if there is one; `onCommit` runs once it is stored.
     */
    readonly add: (
      job: number,
      place: { readonly chatId: number; readonly messageId: number | null },
      onCommit: Effect.Effect<void>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** The jobs whose results are not reported, oldest first, running or ended. */
    readonly unreported: Effect.Effect<ReadonlyArray<AwaitedJob>>
    /** Returns the message that shows the job. */
    readonly messageOf: (job: number) => Effect.Effect<number | undefined>
    /** Runs `report` and marks the job as reported, in one transaction. */
    readonly report: (
      job: number,
      report: Effect.Effect<void, StoreUnavailable>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* JobMessageStore
      const transaction = yield* Transaction
      return {
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
        unreported: Effect.map(store.unreported, (all) => all.map(({ chatId, ...job }) => ({ chatId, job }))),
        messageOf: store.messageOf,
        report: Effect.fn("AwaitedJobs.report")((job, report) =>
          transaction(Effect.zipRight(report, store.markReported(job)))
        )
      }
    })
  )
}
