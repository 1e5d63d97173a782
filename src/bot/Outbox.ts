import { Context, DateTime, Duration, Effect, Layer, Queue, Schema } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { JobMessageStore } from "../store/JobMessageStore.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { type MessageRef, MessageStore } from "../store/MessageStore.ts"
import { OutboxStore, type Outgoing } from "../store/OutboxStore.ts"
import { Chat, type ChatError, ChatMessage } from "./Chat.ts"

/** A reply nobody could be given for so long is of no use any more. */
const MAX_AGE = Duration.hours(24)
const MAX_WAIT = Duration.minutes(5)

const stored = Schema.parseJson(ChatMessage)

/**
 * Replies on their way to the chat: kept with the work they report, sent in their order, over outages and restarts.
 *
 * A reply is sent at least once: a crash right after the platform took it sends it again.
 */
export class Outbox extends Context.Tag("Outbox")<
  Outbox,
  {
    /** Keeps the reply about these links; inside a transaction it is kept exactly when that is. */
    readonly add: (
      message: ChatMessage,
      about: ReadonlyArray<LinkId>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sends what is kept, for ever. */
    readonly deliver: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const chat = yield* Chat
      const links = yield* LinkStore
      const messages = yield* MessageStore
      const jobs = yield* JobMessageStore
      const wake = yield* Queue.sliding<void>(1)

      const afterFailure = Effect.fnUntraced(function* (outgoing: Outgoing, error: ChatError) {
        const age = DateTime.distanceDuration(DateTime.unsafeMake(outgoing.createdAt), yield* DateTime.now)
        const backoff = Duration.min(Duration.seconds(2 ** Math.min(outgoing.attempts, 10)), MAX_WAIT)
        const wait =
          error.reason === "rate-limited"
            ? Duration.seconds(error.retryAfterSeconds ?? 1)
            : error.reason === "unavailable"
              ? backoff
              : undefined
        if (wait === undefined || Duration.greaterThan(age, MAX_AGE)) {
          const why = [error.reason, error.description].filter(Boolean).join(", ")
          yield* Effect.logWarning(`reply ${outgoing.id} is dropped: ${why}`)
          return yield* store.sent(outgoing.id)
        }
        yield* Effect.logInfo(`reply ${outgoing.id} waits: ${error.reason}`)
        yield* store.retry(outgoing.id, wait)
      })

      /** Remembers what the sent message is about, so that an answer to it finds its links. */
      const afterSending = Effect.fnUntraced(function* (outgoing: Outgoing, sent: MessageRef) {
        const still = yield* links.getAll(outgoing.linkIds)
        yield* Effect.forEach(still, ({ id }) =>
          messages.record(sent, { linkId: id, note: "", created: false })
        )
        yield* store.sent(outgoing.id)
      })

      const sendNew = Effect.fnUntraced(function* (message: ChatMessage) {
        const sent = yield* chat.send(message)
        if (message.job !== undefined) yield* Effect.orDie(jobs.sent(message.job, sent.messageId))
        return sent
      })

      /** A message about a job takes the place of the one before, as long as that can be changed. */
      const sendOrEdit = Effect.fnUntraced(function* (message: ChatMessage) {
        const before = message.job === undefined ? undefined : yield* jobs.messageOf(message.job)
        if (before === undefined) return yield* sendNew(message)
        return yield* Effect.catchIf(
          Effect.as(chat.edit(before, message), { messageId: before }),
          ({ reason }) => reason === "rejected",
          () => sendNew(message)
        )
      })

      const send = (outgoing: Outgoing) =>
        Effect.flatMap(Effect.orDie(Schema.decode(stored)(outgoing.message)), (message) =>
          Effect.matchEffect(sendOrEdit(message), {
            onSuccess: ({ messageId }) => afterSending(outgoing, { chatId: message.chatId, messageId }),
            onFailure: (error) => afterFailure(outgoing, error)
          })
        )

      const next = Effect.gen(function* () {
        const due = yield* store.next
        yield* Effect.forEach(due, send, { discard: true })
        return due.length > 0
      })

      return {
        add: Effect.fn("Outbox.add")(function* (message, about) {
          yield* store.add(yield* Effect.orDie(Schema.encode(stored)(message)), about)
          yield* Queue.offer(wake, undefined)
        }),
        deliver: next.pipe(
          Effect.catchAllCause((cause) => Effect.as(Effect.logError("sending replies failed", cause), false)),
          // Without a call the loop turns for what is put off.
          Effect.flatMap((more) => (more ? Effect.void : Effect.timeoutOption(Queue.take(wake), "1 second"))),
          Effect.forever
        )
      }
    })
  )
}
