import { Context, Duration, Effect, Fiber, Layer, Random, STM, TRef, TSemaphore } from "effect"
import { Measure } from "../telemetry/Metrics.ts"
import { ChatError } from "./Chat.ts"

/** Calls within any second; Telegram takes about thirty (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits). */
const MOST = 25
const WINDOW = Duration.seconds(1)
/** Calls that may be left out leave this many places to those that may not. */
const KEPT_FREE = 5
/** Between messages to a person's chat (one a second), and to a group (twenty a minute). */
const PERSON_SPACING = Duration.seconds(1)
const GROUP_SPACING = Duration.seconds(3)
/** How many seconds longer than it was told to the bot waits at most. */
const JITTER = 1

/** What a call is, as far as its turn goes. */
export interface Turn {
  /** The chat a message goes to or is changed in; a call without one is no message. */
  readonly chatId?: number
  /** How long it may wait for its turn, as long as it takes where this is not given. One that may not wait is best effort. */
  readonly patience?: Duration.Duration
}

const noRoom = new ChatError({ reason: "rate-limited" })

/**
 * Keeps calls within the platform's limits, however many there are.
 *
 * A place is held from before the call until a whole window after its answer, so that calls keep their distance where
 * they arrive, however long each is on its way.
 */
export class Pace extends Context.Tag("Pace")<
  Pace,
  {
    /**
     * Makes the call when its turn comes, or fails with `rate-limited` where that takes too long. Once the platform
     * asks to wait, all calls do, for as long as it says.
     */
    readonly paced: (turn: Turn) => <A>(call: Effect.Effect<A, ChatError>) => Effect.Effect<A, ChatError>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const all = TSemaphore.unsafeMake(MOST)
      const pauses = yield* TRef.make(0)
      // The bot serves one chat, so this holds one or two.
      const chats = new Map<number, TSemaphore.TSemaphore>()

      const placeIn = (chatId: number) => {
        const place = chats.get(chatId) ?? TSemaphore.unsafeMake(1)
        chats.set(chatId, place)
        return place
      }

      // What is forked where nothing may interrupt would hold up the end of the scope.
      const later = (delay: Duration.Duration, work: STM.STM<void>) =>
        Effect.forkIn(Effect.interruptible(Effect.delay(STM.commit(work), delay)), scope)

      /** Takes a place where there is one, which `held` tells of; false where it is too late for that. */
      const take = ({ chatId, patience }: Turn, late: TRef.TRef<boolean>, held: TRef.TRef<boolean>) =>
        STM.gen(function* () {
          const spare = patience !== undefined && isNone(patience) ? KEPT_FREE : 0
          const chat = chatId === undefined ? undefined : placeIn(chatId)
          const free = (yield* TSemaphore.available(all)) > spare && (yield* TRef.get(pauses)) === 0
          if (free && (chat === undefined || (yield* TSemaphore.available(chat)) > 0)) {
            yield* TSemaphore.acquire(all)
            if (chat !== undefined) yield* TSemaphore.acquire(chat)
            yield* TRef.set(held, true)
            return true
          }
          return (yield* TRef.get(late)) ? false : yield* STM.retry
        })

      /** Waits for the turn; whether it has come. */
      const turnOf = Effect.fn("Pace.turn")(function* (turn: Turn, held: TRef.TRef<boolean>) {
        const { patience } = turn
        const late = yield* TRef.make(patience !== undefined && isNone(patience))
        const taken = STM.commit(take(turn, late, held))
        if (patience === undefined || isNone(patience)) return yield* taken
        const timer = yield* later(patience, TRef.set(late, true))
        return yield* Effect.ensuring(taken, Fiber.interruptFork(timer))
      })

      const giveBack = Effect.fnUntraced(function* ({ chatId }: Turn, held: TRef.TRef<boolean>) {
        if (!(yield* TRef.get(held))) return
        yield* later(WINDOW, TSemaphore.release(all))
        if (chatId !== undefined)
          yield* later(chatId < 0 ? GROUP_SPACING : PERSON_SPACING, TSemaphore.release(placeIn(chatId)))
      })

      const pauseAfter = Effect.fnUntraced(function* ({ reason, retryAfterSeconds = 1 }: ChatError) {
        if (reason !== "rate-limited") return
        const wait = retryAfterSeconds + (yield* Random.nextRange(0, JITTER))
        yield* Effect.logInfo(`the chat platform asks to wait for ${retryAfterSeconds} s`)
        yield* TRef.update(pauses, (count) => count + 1)
        yield* later(
          Duration.seconds(wait),
          TRef.update(pauses, (count) => count - 1)
        )
      }, Effect.uninterruptible)

      return {
        paced: (turn) => (call) =>
          Effect.gen(function* () {
            const held = yield* TRef.make(false)
            const made = Effect.flatMap(turnOf(turn, held), (come) =>
              come
                ? Effect.tapError(call, pauseAfter)
                : Effect.zipRight(Measure.chatCallsLeftOut.count(), Effect.fail(noRoom))
            )
            return yield* Effect.ensuring(made, giveBack(turn, held))
          })
      }
    })
  )
}

const isNone = (patience: Duration.Duration) => Duration.equals(patience, Duration.zero)
