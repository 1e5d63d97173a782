import {
  Array,
  Clock,
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
import type { Link, LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { MessageStore, PromptStore } from "../store/chat/MessageStore.ts"
import { OutageStore } from "../store/chat/OutageStore.ts"
import { OutboxStore, type Outgoing } from "../store/chat/OutboxStore.ts"
import { JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Chat, type ChatError, ChatMessage } from "./Chat.ts"
import { manyReply } from "./Replies.ts"

/** So many replies about saves are still sent one by one. */
const MOST_SINGLE = 3
/** A digest lists this many links. */
const MOST_LINKS = 30

/** A reply that waits, and what it says. */
interface Waiting {
  readonly outgoing: Outgoing
  readonly message: ChatMessage
}

const savesOf = ({ message }: Waiting) => message.saves ?? []

/** It tells of saves alone, in a message of its own. */
const tellsOfSaves = ({ message }: Waiting) =>
  (message.saves ?? []).length > 0 &&
  message.job === undefined &&
  message.replaces === undefined &&
  message.asks === undefined

/**
 * The replies, from the first on, that are told as one: where several about saves in the same chat wait one behind
 * another, as many of them as one digest has room for; else the first alone.
 */
const together = (waiting: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  const first = waiting.slice(0, 1)
  const other = waiting.findIndex(
    (one) => !tellsOfSaves(one) || one.message.chatId !== first[0]?.message.chatId
  )
  const row = other === -1 ? waiting : waiting.slice(0, other)
  if (row.length <= MOST_SINGLE) return first
  let links = 0
  const full = row.findIndex((one) => {
    links += savesOf(one).length
    return links > MOST_LINKS
  })
  return full === -1 ? row : row.slice(0, Math.max(1, full))
}

/** Every link the replies tell of, once, with whether any of them made it. */
const savesIn = (replies: ReadonlyArray<Waiting>): ReadonlyMap<LinkId, boolean> => {
  const saves = new Map<LinkId, boolean>()
  for (const { created, linkId } of replies.flatMap(savesOf))
    saves.set(linkId, created || saves.get(linkId) === true)
  return saves
}

/** What one message says in place of all these replies; `links` are those that are still there. */
const digest = (
  chatId: number,
  saves: ReadonlyMap<LinkId, boolean>,
  links: ReadonlyArray<Link>
): ChatMessage => {
  const { html, buttons } = manyReply(links.map((link) => ({ link, created: saves.get(link.id) === true })))
  return { chatId, html: html.html, replyTo: null, ...(buttons === undefined ? {} : { buttons }) }
}

/** How old a reply may become while the platform is down, and while the platform takes other replies and not this one. */
const MAX_AGE = Duration.days(7)
const MAX_AGE_ASIDE = Duration.hours(24)
/** The longest pause between attempts while the platform is down, and between those of a reply that stepped aside. */
const MAX_PAUSE = Duration.minutes(5)
const MAX_PAUSE_ASIDE = Duration.hours(1)
/** After so many failures another reply is tried: if that one goes through, the platform is up and the first steps aside. */
const DOUBTED_AFTER = 3
/** How long the outbox rests at most: the clock may be set back. */
const LONGEST_REST = Duration.minutes(5)
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
 * While the platform is down, or asks to wait, all replies wait. A reply that fails while another goes through steps
 * aside: it is retried with growing pauses for a day, and later ones no longer wait for it.
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
    /** Whether the last attempts went through, as far as they were made. */
    readonly getsThrough: Effect.Effect<boolean>
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
      const outages = yield* OutageStore
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
        // A reply that is refused for itself is a fault of the bot, and without a token there is no chat to miss one.
        if (error.reason === "unavailable" || (error.reason === "rejected" && isShutOut(error)))
          yield* outages.dropped(ids.length)
      })

      /** How often replies have failed since one last went through. */
      const failures = new Map<number, number>()
      let streak = 0
      /** The pause the platform has asked for, in milliseconds. */
      let asked = { since: 0, wait: 0 }

      const dropStale = Effect.fnUntraced(function* (
        replies: ReadonlyArray<Outgoing>,
        age: Duration.Duration,
        error: ChatError
      ) {
        const now = yield* DateTime.now
        const [waiting, stale] = Array.partition(replies, ({ createdAt }) =>
          Duration.greaterThan(DateTime.distanceDuration(DateTime.unsafeMake(createdAt), now), age)
        )
        if (stale.length > 0) yield* drop(stale, error)
        return waiting
      })

      const backoff = (attempts: number, most: Duration.Duration) =>
        Duration.min(Duration.seconds(2 ** Math.min(attempts, 12)), most)

      /** How long to wait after a failure: as the platform asks, or else longer after each. */
      const pauseAfter = Effect.fnUntraced(function* (error: ChatError, otherwise: Duration.Duration) {
        if (error.reason !== "rate-limited") return otherwise
        const wait = Duration.seconds(error.retryAfterSeconds ?? 1)
        asked = { since: yield* Clock.currentTimeMillis, wait: Duration.toMillis(wait) }
        return wait
      })

      /** How much is left of the pause the platform has asked for. A clock set back does not prolong it. */
      const silence = Effect.map(Clock.currentTimeMillis, (now) =>
        now < asked.since ? 0 : Math.max(0, asked.since + asked.wait - now)
      )

      const isRefused = ({ reason }: ChatError) => reason === "rejected" || reason === "not-configured"

      /** A reply in line has failed; the head of the line, which may be another, is put off. */
      const afterFailure = Effect.fnUntraced(function* (
        head: Outgoing,
        { replies }: Sending,
        error: ChatError
      ) {
        if (isRefused(error)) return yield* drop(replies, error)
        const [first] = yield* dropStale(replies, MAX_AGE, error)
        if (first === undefined) return
        yield* Effect.logInfo(`reply ${first.id} waits: ${error.reason}`)
        if (error.reason === "unavailable") {
          failures.set(first.id, (failures.get(first.id) ?? 0) + 1)
          streak++
        }
        yield* store.retry(head.id, yield* pauseAfter(error, backoff(streak - 1, MAX_PAUSE)))
      })

      /** A reply that has stepped aside has failed again. */
      const afterFailureAside = Effect.fnUntraced(function* ({ replies }: Sending, error: ChatError) {
        if (isRefused(error)) return yield* drop(replies, error)
        const [reply] = yield* dropStale(replies, MAX_AGE_ASIDE, error)
        if (reply === undefined) return
        yield* store.retry(reply.id, yield* pauseAfter(error, backoff(reply.attempts, MAX_PAUSE_ASIDE)))
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

      /** Sends and notes it, or does what `failed` says; whether it went through. */
      const send = (
        sending: Sending,
        failed: (error: ChatError) => Effect.Effect<unknown, StoreUnavailable>
      ): Effect.Effect<boolean, StoreUnavailable> =>
        Effect.uninterruptibleMask((restore) =>
          Effect.matchEffect(restore(place(sending.message)), {
            onSuccess: (placed) =>
              Ref.set(shutOut, false).pipe(
                Effect.zipRight(
                  Effect.catchAll(note(sending, placed), () =>
                    restore(Effect.retry(note(sending, placed), NOTE_AGAIN))
                  )
                ),
                Effect.as(true)
              ),
            onFailure: (error) => Effect.as(failed(error), false)
          })
        )

      const aloneOf = ({ message, outgoing }: Waiting): Sending => ({
        replies: [outgoing],
        message,
        about: outgoing.linkIds
      })

      /** What is to be said next: of these replies the first, or a digest of the first few. */
      const choose = Effect.fnUntraced(function* (first: Waiting, waiting: ReadonlyArray<Waiting>) {
        const alone = aloneOf(first)
        const several = together(waiting)
        // A digest that keeps failing may do so for one of its links.
        const isDoubted = (failures.get(first.outgoing.id) ?? 0) >= DOUBTED_AFTER
        if (several.length <= 1 || isDoubted) return alone
        const saves = savesIn(several)
        const still = yield* links.getAll([...saves.keys()])
        if (still.length === 0) return alone
        return {
          replies: several.map(({ outgoing }) => outgoing),
          message: digest(first.message.chatId, saves, still),
          about: still.map(({ id }) => id)
        }
      })

      /** Reads the replies; one that cannot be read is dropped. */
      const readable = Effect.fnUntraced(function* (replies: ReadonlyArray<Outgoing>) {
        const waiting: Array<Waiting> = []
        for (const outgoing of replies) {
          const message = decode(outgoing.message)
          if (Option.isSome(message)) waiting.push({ outgoing, message: message.value })
          else {
            yield* Effect.logError(`reply ${outgoing.id} is dropped: it cannot be read`)
            yield* store.sent([outgoing.id])
          }
        }
        return waiting
      })

      /**
       * Another reply than the first in line, to tell a platform that is down from a reply that it does not take: tried in
       * turns with the first, and at once while no other reply has failed.
       */
      const probeOf = (first: Waiting, [, ...others]: ReadonlyArray<Waiting>) => {
        if ((failures.get(first.outgoing.id) ?? 0) < DOUBTED_AFTER) return undefined
        const other = others.find(
          ({ message }) => message.job === undefined || message.job !== first.message.job
        )
        const isKnownDown = failures.size > 1
        return isKnownDown ? (first.outgoing.isDue && streak % 2 === 1 ? other : undefined) : other
      }

      const wentThrough = Effect.sync(() => {
        failures.clear()
        streak = 0
      })

      /** Tries another reply; if it goes through, the first is tried once more and else steps aside. */
      const probe = Effect.fnUntraced(function* (first: Waiting, other: Waiting) {
        const isUp = yield* send(aloneOf(other), (error) =>
          afterFailure(first.outgoing, aloneOf(other), error)
        )
        if (!isUp) return
        yield* send(aloneOf(first), (error) => {
          if (error.reason !== "unavailable") return afterFailure(first.outgoing, aloneOf(first), error)
          const { id } = first.outgoing
          return Effect.logWarning(`reply ${id} steps aside: it fails while others go through`).pipe(
            Effect.zipRight(store.stepAside(id)),
            Effect.zipRight(afterFailureAside(aloneOf(first), error))
          )
        })
        yield* wentThrough
      })

      const sendAside = (reply: Waiting) =>
        send(aloneOf(reply), (error) => afterFailureAside(aloneOf(reply), error))

      /** Sends the first in line or a digest that begins with it. */
      const sendFirst = Effect.fnUntraced(function* (first: Waiting, waiting: ReadonlyArray<Waiting>) {
        const sending = yield* choose(first, waiting)
        if (yield* send(sending, (error) => afterFailure(first.outgoing, sending, error))) yield* wentThrough
      })

      /** Sends the next message that is due; how long there is nothing to send. */
      const next = Effect.gen(function* () {
        const left = yield* silence
        if (left > 0) return Duration.min(Duration.millis(left), LONGEST_REST)
        const waiting = yield* readable(yield* store.line)
        const asides = streak === 0 ? yield* readable(Option.toArray(yield* store.aside)) : []
        const [first] = waiting
        const [aside] = asides
        const other = first && probeOf(first, waiting)
        if (aside?.outgoing.isDue === true) yield* sendAside(aside)
        else if (first !== undefined && other !== undefined) yield* probe(first, other)
        else if (first?.outgoing.isDue === true) yield* sendFirst(first, waiting)
        else {
          const now = yield* Clock.currentTimeMillis
          const due = [first, aside].flatMap((one) => (one ? [Date.parse(one.outgoing.nextAt) - now] : []))
          return Duration.millis(Math.max(1, Math.min(...due, Duration.toMillis(LONGEST_REST))))
        }
        return Duration.zero
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
        getsThrough: Effect.map(Ref.get(shutOut), (isShutOut) => !isShutOut && streak === 0),
        deliver: next.pipe(
          Effect.catchAllCause((cause) =>
            Effect.as(Effect.logError("sending replies failed", cause), Duration.seconds(1))
          ),
          Effect.flatMap((rest) =>
            Duration.greaterThan(rest, Duration.zero)
              ? Effect.timeoutOption(Queue.take(wake), rest)
              : Effect.void
          ),
          Effect.forever
        )
      }
    })
  )
}
