import { Effect, Option, Schema } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import { LinkMessage, type MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { ChatListStore, MessageStore, type MovedCard, PromptStore } from "../store/chat/MessageStore.ts"
import { JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"

type ReplySubject =
  /** The reply names the link's collection, as the message asked. */
  | { readonly _tag: "Collection"; readonly linkId: LinkId }
  | { readonly _tag: "Note"; readonly link: Link }
  /** The message is about no link or about several. */
  | { readonly _tag: "Nothing" }

/** In the order of the answer's buttons. */
const Offers = Schema.parseJson(Schema.Struct({ offers: Schema.Array(LinkMessage) }))
const decodeOffers = Schema.decodeOption(Offers)
const encodeOffers = Schema.encodeSync(Offers)

const decodeTags = Schema.decodeOption(Schema.parseJson(Schema.Struct({ tags: Schema.Array(Schema.String) })))

/** After a mass delete, the newest cards. */
const MAX_EDITED = 30

const make = Effect.gen(function* () {
  const lists = yield* ChatListStore
  const links = yield* LinkStore
  const messages = yield* MessageStore
  const prompts = yield* PromptStore
  const jobs = yield* JobMessageStore
  const transaction = yield* Transaction

  /** None if the message is about no link or about several. */
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
    /** Returns the progress message, also after a restart, or sends and records the first one. */
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
    /** Keeps tags for 30 days under a number, because a button's data is too short for them. */
    keepTags: (tags: ReadonlyArray<string>) => lists.keep(JSON.stringify({ tags })),
    keptTags: (list: number) =>
      Effect.map(lists.get(list), (kept) => Option.map(Option.flatMap(kept, decodeTags), ({ tags }) => tags)),
    keepOffers: (offers: ReadonlyArray<LinkMessage>) => lists.keep(encodeOffers({ offers })),
    keptOffers: (list: number) =>
      Effect.map(lists.get(list), (kept) =>
        Option.map(Option.flatMap(kept, decodeOffers), ({ offers }) => offers)
      ),
    /**
     * Runs `edit` for the newest cards whose links were deleted or have come back, and forgets all, in one transaction.
     */
    updateMovedCards: Effect.fn("ChatMemory.updateMovedCards")(
      (edit: (card: MovedCard) => Effect.Effect<void, StoreUnavailable>) =>
        transaction(
          Effect.flatMap(lists.takeMovedCards(MAX_EDITED), (cards) =>
            Effect.forEach(cards, edit, { discard: true })
          )
        )
    ),
    /** `messageId` shows the job; false if a chat already waits. `onCommit` runs once this is stored. */
    awaitJob: Effect.fn("ChatMemory.awaitJob")(function* (
      job: number,
      { chatId, messageId }: { readonly chatId: number; readonly messageId: number | null },
      onCommit: Effect.Effect<void>
    ) {
      const first = yield* jobs.await(job, chatId)
      if (first && messageId !== null) yield* jobs.sent(job, messageId)
      yield* afterCommit(onCommit)
      return first
    }, transaction),
    /** Marks the job as reported in the transaction of `report`. */
    reportJob: Effect.fn("ChatMemory.reportJob")(
      (job: number, report: Effect.Effect<void, StoreUnavailable>) =>
        transaction(Effect.zipRight(report, jobs.markReported(job)))
    )
  }
})

/** Remembers what the chat's messages are about: links, questions, the progress of saves, and jobs. */
export class ChatMemory extends Service<ChatMemory>()("ChatMemory", make) {}
