import {
  Array,
  Context,
  DateTime,
  Duration,
  Effect,
  Layer,
  Option,
  Queue,
  Ref,
  Schedule,
  Schema
} from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { JobMessageStore } from "../store/JobMessageStore.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { MessageStore } from "../store/MessageStore.ts"
import { OutboxStore, type Outgoing } from "../store/OutboxStore.ts"
import { PromptStore } from "../store/PromptStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Chat, type ChatError, ChatMessage } from "./Chat.ts"
import { digest, savesIn, together, type Waiting } from "./Digest.ts"

/** A reply nobody could be given for so long is of no use any more. */
const MAX_AGE = Duration.hours(24)
const MAX_WAIT = Duration.minutes(5)
/** How often it is tried again to note that a message has been sent: sending it again would be worse. */
const NOTE_AGAIN = Schedule.spaced("5 seconds")

const stored = Schema.parseJson(ChatMessage)
const decode = Schema.decodeOption(stored)

/** What is sent in one message: the replies it stands for, and the links it is about. */
interface Sending {
  readonly replies: ReadonlyArray<Outgoing>
  readonly message: ChatMessage
  readonly about: ReadonlyArray<LinkId>
}

/** Where a message stands, and whether it was sent there just now rather than changed. */
interface Placed {
  readonly messageId: number
  readonly fresh: boolean
}

const why = ({ description, reason }: ChatError) =>
  reason === "not-configured"
    ? "TELEGRAM_BOT_TOKEN is unset"
    : [reason, description].filter(Boolean).join(", ")

/** The bot cannot reach this chat at all, for its token or the chat is wrong or the owner has blocked it. */
const isShutOut = ({ description = "", reason }: ChatError) =>
  reason === "not-configured" ||
  (reason === "rejected" &&
    /^(Forbidden|Unauthorized|Not Found)|chat not found|ALLOWED_CHAT_ID/i.test(description))

/**
 * Replies on their way to the chat: kept with the work they report, sent in their order, over outages and restarts.
 *
 * A reply is sent at least once: a crash right after the platform took it sends it again. Several that tell of saves
 * and wait one behind another are sent as one.
 */
export class Outbox extends Context.Tag("Outbox")<
  Outbox,
  {
    /**
     * Keeps the reply about these links; inside a transaction it is kept exactly when that is. One that takes a
     * message's place takes that of an unsent one with the same aim too.
     */
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
      const prompts = yield* PromptStore
      const transaction = yield* Transaction
      const wake = yield* Queue.sliding<void>(1)
      const shutOut = yield* Ref.make(false)

      /** What cannot be sent at all is dropped; a bot that is shut out says so once, until a message gets through. */
      const drop = Effect.fnUntraced(function* (replies: ReadonlyArray<Outgoing>, error: ChatError) {
        const ids = replies.map(({ id }) => id)
        if (!isShutOut(error)) yield* Effect.logWarning(`reply ${ids.join(", ")} is dropped: ${why(error)}`)
        else if (!(yield* Ref.getAndSet(shutOut, true)))
          yield* Effect.logError(`replies are dropped until this is mended: ${why(error)}`)
        yield* store.sent(ids)
      })

      const afterFailure = Effect.fnUntraced(function* ({ replies }: Sending, error: ChatError) {
        const now = yield* DateTime.now
        const [waiting, stale] = Array.partition(replies, ({ createdAt }) =>
          Duration.greaterThan(DateTime.distanceDuration(DateTime.unsafeMake(createdAt), now), MAX_AGE)
        )
        const [first] = waiting
        if (error.reason === "rejected" || error.reason === "not-configured")
          return yield* drop(replies, error)
        if (stale.length > 0) yield* drop(stale, error)
        if (first === undefined) return
        yield* Effect.logInfo(`reply ${first.id} waits: ${error.reason}`)
        const backoff = Duration.min(Duration.seconds(2 ** Math.min(first.attempts, 10)), MAX_WAIT)
        const wait =
          error.reason === "rate-limited" ? Duration.seconds(error.retryAfterSeconds ?? 1) : backoff
        yield* store.retry(first.id, wait)
      })

      /** Remembers what the sent message is about and asks, so that an answer to it finds its links. */
      const note = ({ about, message, replies }: Sending, { fresh, messageId }: Placed) =>
        transaction(
          Effect.gen(function* () {
            const sent = { chatId: message.chatId, messageId }
            for (const { id } of yield* links.getAll(about))
              yield* messages.record(sent, { linkId: id, note: "", created: false })
            if (fresh && message.job !== undefined) yield* jobs.sent(message.job, messageId)
            if (message.asks !== undefined)
              yield* prompts.record(sent, message.asks.linkId, message.asks.what)
            yield* store.sent(replies.map(({ id }) => id))
          })
        )

      const sendNew = (message: ChatMessage) =>
        Effect.map(chat.send(message), ({ messageId }): Placed => ({ messageId, fresh: true }))

      /** Takes the place of the message before it, as long as that can be changed. A question is always sent. */
      const place = Effect.fnUntraced(function* (message: ChatMessage) {
        const ofJob = message.job === undefined ? undefined : yield* jobs.messageOf(message.job)
        const before = message.replaces ?? ofJob
        if (before === undefined || message.asks !== undefined) return yield* sendNew(message)
        return yield* Effect.catchIf(
          Effect.as(chat.edit(before, message), { messageId: before, fresh: false }),
          (error) => error.reason === "rejected" && !isShutOut(error),
          () => sendNew(message)
        )
      })

      const send = (sending: Sending) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.matchEffect(restore(place(sending.message)), {
            onSuccess: (placed) =>
              Effect.zipRight(
                Ref.set(shutOut, false),
                Effect.catchAll(note(sending, placed), () =>
                  restore(Effect.retry(note(sending, placed), NOTE_AGAIN))
                )
              ),
            onFailure: (error) => afterFailure(sending, error)
          })
        )

      /** What is to be said next: of these replies the first, or a digest of the first few. */
      const choose = Effect.fnUntraced(function* (first: Waiting, waiting: ReadonlyArray<Waiting>) {
        const alone: Sending = {
          replies: [first.outgoing],
          message: first.message,
          about: first.outgoing.linkIds
        }
        const several = together(waiting)
        if (several.length <= 1) return alone
        const saves = savesIn(several)
        const still = yield* links.getAll([...saves.keys()])
        if (still.length === 0) return alone
        return {
          replies: several.map(({ outgoing }) => outgoing),
          message: digest(first.message.chatId, saves, still),
          about: still.map(({ id }) => id)
        }
      })

      const next = Effect.gen(function* () {
        const due = yield* store.next
        const waiting = due.flatMap((outgoing) =>
          Option.match(decode(outgoing.message), {
            onNone: () => [],
            onSome: (message) => [{ outgoing, message }]
          })
        )
        const [oldest] = due
        const [first] = waiting
        if (oldest !== undefined && oldest.id !== first?.outgoing.id) {
          yield* Effect.logError(`reply ${oldest.id} is dropped: it cannot be read`)
          yield* store.sent([oldest.id])
        } else if (first !== undefined) yield* send(yield* choose(first, waiting))
        return oldest !== undefined
      })

      return {
        add: Effect.fn("Outbox.add")(function* (message, about) {
          const inPlaceOf =
            message.replaces === undefined
              ? undefined
              : { chatId: message.chatId, messageId: message.replaces }
          yield* store.add(yield* Effect.orDie(Schema.encode(stored)(message)), about, inPlaceOf)
          yield* afterCommit(Effect.asVoid(Queue.offer(wake, undefined)))
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
