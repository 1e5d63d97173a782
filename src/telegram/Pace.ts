import { Duration, Effect, Fiber, Random, STM, TRef, TSemaphore } from "effect"
import { Service } from "../runtime/Services.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { ChatError } from "./BotApi.ts"

/** Maximum calls per second; Telegram allows about 30 (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits). */
const MAX_CALLS = 25
const WINDOW = Duration.seconds(1)
/** Slots that best-effort calls leave free for other calls. */
const RESERVED_SLOTS = 5
/** Minimum time between messages to a private chat (one per second) and to a group (twenty per minute). */
const PERSON_SPACING = Duration.seconds(1)
const GROUP_SPACING = Duration.seconds(3)
/** Maximum random delay added to a pause that the platform requests, in seconds. */
const JITTER = 1

export interface Turn {
  /** The chat in which a message is sent or edited; omitted for calls that send or edit no message. */
  readonly chatId?: number
  /** Maximum wait for the turn; unlimited if omitted. With zero, the call is best effort. */
  readonly patience?: Duration.Duration
}

const noSlot = new ChatError({ reason: "rate-limited" })

const make = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const slots = TSemaphore.unsafeMake(MAX_CALLS)
  const pauses = yield* TRef.make(0)
  // The bot serves one chat, so this holds one or two.
  const chats = new Map<number, TSemaphore.TSemaphore>()

  const slotOf = (chatId: number) => {
    const slot = chats.get(chatId) ?? TSemaphore.unsafeMake(1)
    chats.set(chatId, slot)
    return slot
  }

  // A fiber forked in an uninterruptible region would otherwise delay closing the scope.
  const delayed = (delay: Duration.Duration, work: STM.STM<void>) =>
    Effect.forkIn(Effect.interruptible(Effect.delay(STM.commit(work), delay)), scope)

  /** Acquires a slot and sets `held`; waits for one until `late` is set, then returns false. */
  const take = ({ chatId, patience }: Turn, isLate: TRef.TRef<boolean>, held: TRef.TRef<boolean>) =>
    STM.gen(function* () {
      const reserved = patience !== undefined && isZero(patience) ? RESERVED_SLOTS : 0
      const chat = chatId === undefined ? undefined : slotOf(chatId)
      const free = (yield* TSemaphore.available(slots)) > reserved && (yield* TRef.get(pauses)) === 0
      if (free && (chat === undefined || (yield* TSemaphore.available(chat)) > 0)) {
        yield* TSemaphore.acquire(slots)
        if (chat !== undefined) yield* TSemaphore.acquire(chat)
        yield* TRef.set(held, true)
        return true
      }
      return (yield* TRef.get(isLate)) ? false : yield* STM.retry
    })

  /** Waits for the turn; false if `patience` runs out first. */
  const turnOf = Effect.fn("Pace.turn")(function* (turn: Turn, held: TRef.TRef<boolean>) {
    const { patience } = turn
    const isLate = yield* TRef.make(patience !== undefined && isZero(patience))
    const taken = STM.commit(take(turn, isLate, held))
    if (patience === undefined || isZero(patience)) return yield* taken
    const timer = yield* delayed(patience, TRef.set(isLate, true))
    return yield* Effect.ensuring(taken, Fiber.interruptFork(timer))
  })

  const release = Effect.fnUntraced(function* ({ chatId }: Turn, held: TRef.TRef<boolean>) {
    if (!(yield* TRef.get(held))) return
    yield* delayed(WINDOW, TSemaphore.release(slots))
    if (chatId !== undefined)
      yield* delayed(chatId < 0 ? GROUP_SPACING : PERSON_SPACING, TSemaphore.release(slotOf(chatId)))
  })

  const pauseAfter = Effect.fnUntraced(function* ({ reason, retryAfterSeconds = 1 }: ChatError) {
    if (reason !== "rate-limited") return
    const wait = retryAfterSeconds + (yield* Random.nextRange(0, JITTER))
    yield* Effect.logInfo(`the chat platform requests a pause of ${retryAfterSeconds} s`)
    yield* TRef.update(pauses, (count) => count + 1)
    yield* delayed(
      Duration.seconds(wait),
      TRef.update(pauses, (count) => count - 1)
    )
  }, Effect.uninterruptible)

  return {
    /** Fails with `rate-limited` if the wait exceeds `patience`. A pause that the platform requests holds up all calls. */
    paced:
      (turn: Turn) =>
      <A>(call: Effect.Effect<A, ChatError>) =>
        Effect.gen(function* () {
          const held = yield* TRef.make(false)
          const scheduled = Effect.flatMap(turnOf(turn, held), (hasTurn) =>
            hasTurn
              ? Effect.tapError(call, pauseAfter)
              : Effect.zipRight(Measure.chatCallsLeftOut.count(), Effect.fail(noSlot))
          )
          return yield* Effect.ensuring(scheduled, release(turn, held))
        })
  }
})

/**
 * Rate-limits calls to stay within the platform's limits.
 *
 * A slot is held from before the call until one full window after its response, so that calls also keep their distance
 * on arrival, regardless of latency.
 */
export class Pace extends Service<Pace>()("Pace", make) {}

const isZero = (patience: Duration.Duration) => Duration.equals(patience, Duration.zero)
