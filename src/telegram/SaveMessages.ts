import { Clock, Duration, Effect, Fiber, FiberRef, Option, Ref } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { LinkMessage, MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import type { Filed } from "../library/Filing.ts"
import { type EditedMessage, type MessageLink, SaveMessage } from "../library/SaveMessage.ts"
import { ChatListStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import type { Nearest } from "./Card.ts"
import { Chat } from "./Chat.ts"
import { lines } from "./Content.ts"
import * as Replies from "./Replies.ts"
import { savingReply } from "./Replies.ts"
import { makeReplyContext } from "./ReplyContext.ts"
import { currentTopic } from "./Topic.ts"
import { makeTypingIndicator } from "./TypingIndicator.ts"

/** Saving that finishes sooner shows no progress message. */
const PROGRESS_DELAY = Duration.seconds(2)
/** Minimum time between edits of a message; the platform allows about twenty edits per minute. */
const EDIT_INTERVAL = Duration.seconds(3)
/** How long to wait, after saving has finished, for a progress message still being sent before cancelling it. */
const SEND_GRACE = Duration.seconds(5)

const makeSaveProgress = Effect.gen(function* () {
  const chat = yield* Chat
  const memory = yield* ChatMemory
  const lists = yield* ChatListStore
  const scope = yield* Effect.scope

  const progressMessage = (at: MessageRef, html: string) =>
    memory.progressMessage(
      at,
      FiberRef.get(currentTopic).pipe(
        Effect.flatMap((topic) =>
          chat.send({
            chatId: at.chatId,
            html,
            replyTo: at.messageId,
            ...(topic === null ? {} : { topic })
          })
        ),
        Effect.map(({ messageId }) => messageId)
      )
    )

  return {
    /** Shows how many of `total` links are `done` during the work; shows nothing if no message can be sent. */
    during: Effect.fn("SaveProgress.during")(function* <A, E>(
      at: MessageRef,
      total: number,
      done: Ref.Ref<number>,
      work: Effect.Effect<A, E>
    ) {
      const progressText = Effect.map(Ref.get(done), (number) => savingReply(number, total).html)
      const sending = yield* Ref.make<Fiber.Fiber<unknown, unknown>>(Fiber.void)
      const show = Effect.gen(function* () {
        yield* Effect.sleep(PROGRESS_DELAY)
        let last = yield* progressText
        // Runs in a separate fiber, so that the message being sent is not lost when saving finishes.
        const sent = yield* Effect.forkIn(progressMessage(at, last), scope)
        yield* Ref.set(
          sending,
          Fiber.map(sent, () => undefined)
        )
        const messageId = yield* Fiber.join(sent)
        for (;;) {
          yield* Effect.sleep(EDIT_INTERVAL)
          const html = yield* progressText
          if (html === last) continue
          last = html
          // The next edit or the result makes up for a failed edit.
          yield* Effect.ignore(chat.edit(messageId, { chatId: at.chatId, html, replyTo: null }))
        }
      })
      const result = yield* Effect.scoped(Effect.zipRight(Effect.forkScoped(Effect.ignore(show)), work))
      const pending = yield* Ref.get(sending)
      yield* Effect.timeoutOption(Fiber.await(pending), SEND_GRACE)
      yield* Fiber.interrupt(pending)
      return result
    }),
    /** The message that shows the progress, if there is one. */
    shown: lists.shownBy
  }
})

/** A message with more links than this is saved link by link, with progress. */
const MAX_WITHOUT_PROGRESS = 3

export const makeSaveMessages = Effect.gen(function* () {
  const links = yield* LinkStore
  const messages = yield* SaveMessage
  const context = yield* makeReplyContext
  const indicator = yield* makeTypingIndicator
  const progress = yield* makeSaveProgress

  const nearestOf = Effect.fnUntraced(function* (filed: Option.Option<Filed>) {
    const nearestMatch = Option.getOrUndefined(filed)?.because[0]
    const [link] = nearestMatch === undefined ? [] : yield* links.getAll([LinkId.make(nearestMatch.id)])
    return link satisfies Nearest | undefined
  })

  const replyFor = Effect.fnUntraced(function* (saved: ReadonlyArray<MessageLink>) {
    const [only, ...more] = saved
    if (only === undefined || more.length > 0) return Replies.manyReply(saved)
    const about = { nearest: yield* nearestOf(only.filed) }
    return only.created
      ? Replies.savedReply(only.link, about)
      : Replies.alreadySavedReply(only, yield* Clock.currentTimeMillis, about)
  })

  const linksIn = (saved: ReadonlyArray<MessageLink>) => saved.map(({ link }) => link)

  const replyFew = Effect.fnUntraced(function* (update: LinkMessage, saved: ReadonlyArray<MessageLink>) {
    // The owner may delete all links of a message while their pages are being read.
    if (saved.length > 0) yield* context.reply(update, yield* replyFor(saved), linksIn(saved))
  })

  /** Replaces the progress message with the reply, or sends the reply if there is no such message. */
  const replyMany = Effect.fnUntraced(function* (update: LinkMessage, saved: ReadonlyArray<MessageLink>) {
    if (saved.length === 0) return
    const shown = yield* progress.shown(update)
    const content = Replies.manyReply(saved)
    yield* Option.match(shown, {
      onNone: () => context.reply(update, content, linksIn(saved)),
      onSome: (messageId) => context.replace({ chatId: update.chatId, messageId }, content, linksIn(saved))
    })
  })

  return {
    /** Saves the links and replies; `alsoSay` runs in the transaction of the reply. */
    save: Effect.fn("SaveMessages.save")(
      (
        id: number,
        update: LinkMessage,
        skipReading: boolean,
        alsoSay: Effect.Effect<void, StoreUnavailable> = Effect.void
      ) =>
        indicator.during(
          update,
          Effect.gen(function* () {
            const saved = yield* update.urls.length > MAX_WITHOUT_PROGRESS
              ? messages.saveEach(
                  { id, skipReading },
                  update,
                  (total, done, saving) => progress.during(update, total, done, saving),
                  (saved) => Effect.zipRight(replyMany(update, saved), alsoSay)
                )
              : messages.save({ id, skipReading }, update, (saved) =>
                  Effect.zipRight(replyFew(update, saved), alsoSay)
                )
            return saved.some(({ created }) => created) ? "👍" : "✍"
          })
        )
    ),
    edit: Effect.fn("SaveMessages.edit")((id: number, update: LinkMessage, skipReading: boolean) =>
      messages.edit(
        { id, skipReading },
        update,
        Effect.fnUntraced(function* ({ added, changed, full }: EditedMessage) {
          const noteLine = Replies.notesChangedReply(changed, full)
          if (added.length > 0) {
            const { saves, ...answer } = yield* replyFor(added)
            const html = lines([answer.html, noteLine])
            const reported = changed.length > 0 || saves === undefined ? {} : { saves }
            yield* context.reply(update, { ...answer, ...reported, html }, linksIn(added))
          } else if (changed.length + full.length > 0)
            yield* context.reply(update, { html: noteLine }, changed)
        })
      )
    )
  }
})
