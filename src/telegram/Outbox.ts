import { Array, Clock, Duration, Effect, Fiber, FiberRef, Option, Ref, Schedule, Schema } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import type { OutgoingReply } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { OutgoingFiles } from "../library/OutgoingFiles.ts"
import { ReplyQueue } from "../library/ReplyQueue.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import type { ChatError } from "./BotApi.ts"
import { Chat, ChatMessage } from "./Chat.ts"
import type { Document, Rich } from "./Content.ts"
import { manyReply } from "./Replies.ts"
import { currentTopic } from "./Topic.ts"

/** Up to this many replies about saves are sent one by one; more become a digest. */
const MAX_SINGLE_REPLIES = 3
const MAX_DIGEST_LINKS = 30

interface Queued {
  readonly outgoing: OutgoingReply
  readonly message: ChatMessage
}

const savesOf = ({ message }: Queued) => message.saves ?? []

/** Whether the reply only reports saves, in a new message. */
const reportsOnlySaves = ({ message }: Queued) =>
  (message.saves ?? []).length > 0 &&
  message.job === undefined &&
  message.replaces === undefined &&
  message.asks === undefined

/** The first reply, with the replies about saves that follow in the same chat and fit into one digest. */
const nextBatch = (waiting: ReadonlyArray<Queued>): ReadonlyArray<Queued> => {
  const first = waiting.slice(0, 1)
  const other = waiting.findIndex(
    ({ message, outgoing }) =>
      !reportsOnlySaves({ message, outgoing }) ||
      message.chatId !== first[0]?.message.chatId ||
      message.topic !== first[0]?.message.topic
  )
  const consecutive = other === -1 ? waiting : waiting.slice(0, other)
  if (consecutive.length <= MAX_SINGLE_REPLIES) return first
  let links = 0
  const overflow = consecutive.findIndex((one) => {
    links += savesOf(one).length
    return links > MAX_DIGEST_LINKS
  })
  return overflow === -1 ? consecutive : consecutive.slice(0, Math.max(1, overflow))
}

/** Maps each link in the replies to whether any of them created it. */
const savesIn = (replies: ReadonlyArray<Queued>): ReadonlyMap<LinkId, boolean> => {
  const saves = new Map<LinkId, boolean>()
  for (const { created, linkId } of replies.flatMap(savesOf))
    saves.set(linkId, created || saves.get(linkId) === true)
  return saves
}

const digest = (
  { chatId, topic }: Pick<ChatMessage, "chatId" | "topic">,
  saves: ReadonlyMap<LinkId, boolean>,
  links: ReadonlyArray<Link>
): ChatMessage => {
  const { html, buttons } = manyReply(links.map((link) => ({ link, created: saves.get(link.id) === true })))
  return {
    chatId,
    html: html.html,
    replyTo: null,
    ...(topic === undefined ? {} : { topic }),
    ...(buttons === undefined ? {} : { buttons })
  }
}

/** Maximum age of a reply while the platform is down, and while the platform accepts other replies but not this one. */
const MAX_AGE = Duration.days(7)
const MAX_ASIDE_AGE = Duration.hours(24)
/** Maximum backoff while the platform is down, and for a reply that has stepped aside. */
const MAX_BACKOFF = Duration.minutes(5)
const MAX_ASIDE_BACKOFF = Duration.hours(1)
/** Failures after which another reply is tried: if that goes through, the platform is up and the first steps aside. */
const PROBE_AFTER = 3
/** Maximum time the outbox sleeps, because the clock may be set back. */
const MAX_SLEEP = Duration.minutes(5)
/** How long the outbox pauses when the store is unavailable. */
const PAUSE = Duration.seconds(1)
/** Retries recording a sent message until it succeeds, because sending the message twice would be worse. */
const RECORD_RETRY = Schedule.spaced("5 seconds")
/** How long a stop of the service waits for the answer to a message that is being sent. */
const STOP_WAIT = Duration.seconds(1)

const decode = Schema.decodeOption(Schema.parseJson(ChatMessage))

interface Sending {
  readonly replies: ReadonlyArray<OutgoingReply>
  readonly message: ChatMessage
  readonly about: ReadonlyArray<LinkId>
}

/** A delivered message, and whether it was sent rather than edited. */
interface Delivered {
  readonly messageId: number
  readonly fresh: boolean
}

const reasonOf = ({ description, reason }: ChatError) =>
  reason === "not-configured"
    ? "TELEGRAM_BOT_TOKEN is unset"
    : [reason, description].filter(Boolean).join(", ")

/** Whether the bot cannot reach the chat at all: the token or the chat is wrong, or the owner has blocked the bot. */
const isShutOut = ({ description = "", reason }: ChatError) =>
  reason === "not-configured" ||
  (reason === "rejected" &&
    /^(Forbidden|Unauthorized|Not Found)|chat not found|ALLOWED_CHAT_ID/i.test(description))

const make = Effect.gen(function* () {
  const queue = yield* ReplyQueue
  const chat = yield* Chat
  const files = yield* OutgoingFiles
  const links = yield* LinkStore
  const jobs = yield* JobMessageStore
  const { run, wake } = yield* makeWorkLoop
  const shutOut = yield* Ref.make(false)

  const removeFiles = (replies: ReadonlyArray<OutgoingReply>) =>
    Effect.forEach(
      replies.flatMap(({ message }) => Option.toArray(decode(message))),
      ({ document }) => (document === undefined ? Effect.void : files.remove(document.file)),
      { discard: true }
    )

  /** Drops replies that can never be sent; a shut-out bot logs this once, until a message goes through. */
  const drop = Effect.fnUntraced(function* (replies: ReadonlyArray<OutgoingReply>, error: ChatError) {
    const ids = replies.map(({ id }) => id)
    if (!isShutOut(error)) yield* Effect.logWarning(`reply ${ids.join(", ")} is dropped: ${reasonOf(error)}`)
    else if (!(yield* Ref.getAndSet(shutOut, true)))
      yield* Effect.logError(`dropping replies until this is fixed: ${reasonOf(error)}`)
    const isOutage = error.reason === "unavailable" || (error.reason === "rejected" && isShutOut(error))
    yield* queue.drop(ids, { isOutage })
    yield* removeFiles(replies)
  })

  /** Failures per reply since the last successful send. */
  const failures = new Map<number, number>()
  let streak = 0
  /** The pause that the platform requested, in milliseconds. */
  let requestedPause = { since: 0, wait: 0 }

  const dropStale = Effect.fnUntraced(function* (
    replies: ReadonlyArray<OutgoingReply>,
    age: Duration.Duration,
    error: ChatError
  ) {
    const oldest = yield* queue.before(age)
    const [waiting, stale] = Array.partition(replies, ({ createdAt }) => createdAt < oldest)
    if (stale.length > 0) yield* drop(stale, error)
    return waiting
  })

  const backoff = (attempts: number, most: Duration.Duration) =>
    Duration.min(Duration.seconds(2 ** Math.min(attempts, 12)), most)

  /** Returns the pause after a failure: what the platform requested, otherwise the given backoff. */
  const pauseAfter = Effect.fnUntraced(function* (error: ChatError, otherwise: Duration.Duration) {
    if (error.reason !== "rate-limited") return otherwise
    const wait = Duration.seconds(error.retryAfterSeconds ?? 1)
    requestedPause = { since: yield* Clock.currentTimeMillis, wait: Duration.toMillis(wait) }
    return wait
  })

  /** Milliseconds left of the pause that the platform requested; setting the clock back does not extend it. */
  const remainingPause = Effect.map(Clock.currentTimeMillis, (now) =>
    now < requestedPause.since ? 0 : Math.max(0, requestedPause.since + requestedPause.wait - now)
  )

  const isRefused = ({ reason }: ChatError) => reason === "rejected" || reason === "not-configured"

  /** Handles a failed reply by postponing the head of the line, which may be a different reply. */
  const afterFailure = Effect.fnUntraced(function* (
    head: OutgoingReply,
    { replies }: Sending,
    error: ChatError
  ) {
    if (isRefused(error)) return yield* drop(replies, error)
    const [first] = yield* dropStale(replies, MAX_AGE, error)
    if (first === undefined) return
    yield* Effect.logInfo(`reply ${first.id} is delayed: ${error.reason}`)
    if (error.reason === "unavailable") {
      failures.set(first.id, (failures.get(first.id) ?? 0) + 1)
      streak++
    }
    yield* queue.retry(head.id, yield* pauseAfter(error, backoff(streak - 1, MAX_BACKOFF)))
  })

  const afterFailureAside = Effect.fnUntraced(function* ({ replies }: Sending, error: ChatError) {
    if (isRefused(error)) return yield* drop(replies, error)
    const [reply] = yield* dropStale(replies, MAX_ASIDE_AGE, error)
    if (reply === undefined) return
    yield* queue.retry(reply.id, yield* pauseAfter(error, backoff(reply.attempts, MAX_ASIDE_BACKOFF)))
  })

  const recordSent = ({ about, message, replies }: Sending, { fresh, messageId }: Delivered) =>
    queue.delivered({
      chatId: message.chatId,
      messageId,
      replies: replies.map(({ id }) => id),
      about,
      job: fresh ? message.job : undefined,
      asks: message.asks,
      awaits: message.awaits,
      card: message.card,
      isTrashed: message.isTrashed,
      isEdit: !fresh
    })

  const sendText = (message: ChatMessage) =>
    Effect.map(chat.send(message), ({ messageId }): Delivered => ({ messageId, fresh: true }))

  /** Sends a file, or the text in its place if the file is gone or the platform refuses it. */
  const sendFile = Effect.fnUntraced(function* (
    { document: _, ...message }: ChatMessage,
    { file, name, otherwise }: Document
  ) {
    const found = yield* files.open(file)
    const instead = sendText({ ...message, html: otherwise })
    if (Option.isNone(found)) return yield* instead
    return yield* chat.sendFile(message, { name, ...found.value }).pipe(
      Effect.map(({ messageId }): Delivered => ({ messageId, fresh: true })),
      Effect.catchIf(
        (error) => error.reason === "rejected" && !isShutOut(error),
        (error) => Effect.zipRight(Effect.logWarning(`a file is refused: ${reasonOf(error)}`), instead)
      )
    )
  })

  /** Falls back to the text: 404 is a server's answer to an unknown method and to a wrong token, 400 to a bad text. */
  const sendRich = ({ rich: _, ...message }: ChatMessage, rich: Rich) =>
    chat.sendRich(message, rich).pipe(
      Effect.map(({ messageId }): Delivered => ({ messageId, fresh: true })),
      Effect.catchIf(
        ({ reason }) => reason === "rejected",
        (error) =>
          Effect.zipRight(Effect.logInfo(`a rich message is refused: ${reasonOf(error)}`), sendText(message))
      )
    )

  const sendNew = (message: ChatMessage) => {
    if (message.rich !== undefined) return sendRich(message, message.rich)
    return message.document === undefined ? sendText(message) : sendFile(message, message.document)
  }

  /** Edits the message to replace if possible, otherwise sends a new one. A question is always a new message. */
  const sendOrEdit = Effect.fnUntraced(function* (message: ChatMessage) {
    const ofJob = message.job === undefined ? undefined : yield* jobs.messageOf(message.job)
    const replaced = message.replaces ?? ofJob
    if (replaced === undefined || message.asks !== undefined) return yield* sendNew(message)
    return yield* Effect.catchIf(
      Effect.as(chat.edit(replaced, message), { messageId: replaced, fresh: false }),
      (error) => error.reason === "rejected" && !isShutOut(error),
      () =>
        message.editsOnly === true
          ? Effect.succeed<Delivered>({ messageId: replaced, fresh: false })
          : sendNew(message)
    )
  })

  /** Records a sent message, again and again while the library cannot be written, and removes its file. */
  const record = (sending: Sending, delivered: Delivered) =>
    Effect.catchAll(recordSent(sending, delivered), () =>
      Effect.interruptible(Effect.retry(recordSent(sending, delivered), RECORD_RETRY))
    ).pipe(Effect.zipLeft(removeFiles(sending.replies)))

  /** Returns whether it went through. A stop waits a moment, so that a message is not sent again after the next start. */
  const send = (
    sending: Sending,
    failed: (error: ChatError) => Effect.Effect<unknown, StoreUnavailable>
  ): Effect.Effect<boolean, StoreUnavailable> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const request = yield* Effect.forkDaemon(Effect.interruptible(sendOrEdit(sending.message)))
        const atStop = Effect.interruptible(Fiber.join(request)).pipe(
          Effect.timeout(STOP_WAIT),
          Effect.flatMap((delivered) => recordSent(sending, delivered)),
          Effect.ignore,
          Effect.zipRight(Fiber.interruptFork(request))
        )
        return yield* Effect.matchEffect(
          Effect.onInterrupt(restore(Fiber.join(request)), () => atStop),
          {
            onSuccess: (delivered) =>
              Effect.all([Ref.set(shutOut, false), record(sending, delivered)]).pipe(Effect.as(true)),
            onFailure: (error) => Effect.as(failed(error), false)
          }
        )
      })
    )

  const singleOf = ({ message, outgoing }: Queued): Sending => ({
    replies: [outgoing],
    message,
    about: outgoing.linkIds
  })

  const choose = Effect.fnUntraced(function* (first: Queued, waiting: ReadonlyArray<Queued>) {
    const single = singleOf(first)
    const batch = nextBatch(waiting)
    // One of its links may be why a digest keeps failing.
    const keepsFailing = (failures.get(first.outgoing.id) ?? 0) >= PROBE_AFTER
    if (batch.length <= 1 || keepsFailing) return single
    const saves = savesIn(batch)
    const existing = yield* links.getAll([...saves.keys()])
    if (existing.length === 0) return single
    return {
      replies: batch.map(({ outgoing }) => outgoing),
      message: digest(first.message, saves, existing),
      about: existing.map(({ id }) => id)
    }
  })

  /** Decodes the replies and drops those that fail to decode. */
  const decodeAll = Effect.fnUntraced(function* (replies: ReadonlyArray<OutgoingReply>) {
    const waiting: Array<Queued> = []
    for (const outgoing of replies) {
      const message = decode(outgoing.message)
      if (Option.isSome(message)) waiting.push({ outgoing, message: message.value })
      else {
        yield* Effect.logError(`reply ${outgoing.id} is dropped: its stored message is invalid`)
        yield* queue.drop([outgoing.id], { isOutage: false })
      }
    }
    return waiting
  })

  /** Tells an outage from one refused reply. Alternates with the first reply; immediate while no other has failed. */
  const probeOf = (first: Queued, [, ...others]: ReadonlyArray<Queued>) => {
    if ((failures.get(first.outgoing.id) ?? 0) < PROBE_AFTER) return undefined
    const other = others.find(({ message }) => message.job === undefined || message.job !== first.message.job)
    const isKnownDown = failures.size > 1
    return isKnownDown ? (first.outgoing.isDue && streak % 2 === 1 ? other : undefined) : other
  }

  const resetFailures = Effect.sync(() => {
    failures.clear()
    streak = 0
  })

  /** Sends another reply; if it goes through, retries the first once, which steps aside if it fails again. */
  const probe = Effect.fnUntraced(function* (first: Queued, other: Queued) {
    const isUp = yield* send(singleOf(other), (error) => afterFailure(first.outgoing, singleOf(other), error))
    if (!isUp) return
    yield* send(singleOf(first), (error) => {
      if (error.reason !== "unavailable") return afterFailure(first.outgoing, singleOf(first), error)
      const { id } = first.outgoing
      return Effect.logWarning(`reply ${id} steps aside: it fails while others go through`).pipe(
        Effect.zipRight(queue.stepAside(id)),
        Effect.zipRight(afterFailureAside(singleOf(first), error))
      )
    })
    yield* resetFailures
  })

  const sendAside = (reply: Queued) =>
    send(singleOf(reply), (error) => afterFailureAside(singleOf(reply), error))

  const sendFirst = Effect.fnUntraced(function* (first: Queued, waiting: ReadonlyArray<Queued>) {
    const sending = yield* choose(first, waiting)
    if (yield* send(sending, (error) => afterFailure(first.outgoing, sending, error))) yield* resetFailures
  })

  /** Sends the next due message; returns how long to sleep, zero after an attempt. */
  const next = Effect.gen(function* () {
    const pause = yield* remainingPause
    if (pause > 0) return Duration.min(Duration.millis(pause), MAX_SLEEP)
    const waiting = yield* decodeAll(yield* queue.line)
    const asides = streak === 0 ? yield* decodeAll(Option.toArray(yield* queue.aside)) : []
    const [first] = waiting
    const [aside] = asides
    const other = first && probeOf(first, waiting)
    if (aside?.outgoing.isDue === true) yield* sendAside(aside)
    else if (first !== undefined && other !== undefined) yield* probe(first, other)
    else if (first?.outgoing.isDue === true) yield* sendFirst(first, waiting)
    else {
      const now = yield* Clock.currentTimeMillis
      const due = [first, aside].flatMap((one) => (one ? [Date.parse(one.outgoing.nextAt) - now] : []))
      return Duration.millis(Math.max(1, Math.min(...due, Duration.toMillis(MAX_SLEEP))))
    }
    return Duration.zero
  })

  return {
    /** Joins the caller's transaction; a reply that replaces a message supersedes queued ones for the same message. */
    add: Effect.fn("Outbox.add")(function* (message: ChatMessage, about: ReadonlyArray<LinkId>) {
      const replaces =
        message.replaces === undefined ? undefined : { chatId: message.chatId, messageId: message.replaces }
      const topic = message.topic ?? (yield* FiberRef.get(currentTopic))
      const sent: ChatMessage = topic === null ? message : { ...message, topic }
      yield* queue.add({ message: JSON.stringify(sent), about, replaces }, wake)
    }),
    /** Whether the last attempts succeeded; true before the first attempt. */
    isDelivering: Effect.map(Ref.get(shutOut), (isShutOut) => !isShutOut && streak === 0),
    run: run(next, { name: "sending replies", backoff: { first: PAUSE, most: PAUSE } })
  }
})

/**
 * A persistent queue of replies to the chat: stored with the work they report and sent in order, across outages and
 * restarts.
 *
 * While the platform is down or rate-limits the bot, all replies wait. A reply that fails while another goes through
 * steps aside: it is retried with backoff for 24 hours, and later replies no longer wait for it.
 *
 * Delivery is at least once: after a crash right after the platform accepted a reply, the reply is sent again.
 * Consecutive replies about saves are merged into a digest.
 */
export class Outbox extends Service<Outbox>()("Outbox", make) {}
