import { Context, DateTime, Duration, Effect } from "effect"
import type { ListedHighlight } from "../domain/Highlight.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { WeeklyHighlightStore } from "../store/chat/WeeklyHighlightStore.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { Transaction } from "../store/Transaction.ts"

const SHOWN = 3
const WEEK = Duration.days(7)

const make = Effect.gen(function* () {
  const highlights = yield* HighlightStore
  const store = yield* WeeklyHighlightStore
  const transaction = yield* Transaction
  const choose = highlights.recall(SHOWN)
  const inAWeek = Effect.map(DateTime.now, DateTime.addDuration(WEEK))

  return {
    choose,
    isOn: store.isOn,
    /** The first message comes in a week. */
    set: Effect.fn("WeeklyHighlights.set")(function* (chatId: number, on: boolean) {
      yield* on ? store.schedule(chatId, yield* inAWeek) : store.stop(chatId)
    }),
    /**
     * Runs `send` for each chat that is due, in one transaction with the time of its next message. A chat waits a week
     * while there is nothing to show; `chat` is the owner's, and others are forgotten.
     */
    deliver: Effect.fn("WeeklyHighlights.deliver")(function* (
      chat: number | undefined,
      send: (
        chatId: number,
        highlights: ReadonlyArray<ListedHighlight>
      ) => Effect.Effect<void, StoreUnavailable>
    ) {
      for (const chatId of yield* store.due) {
        if (chatId !== chat) {
          yield* store.stop(chatId)
          continue
        }
        const chosen = yield* choose
        yield* transaction(
          Effect.gen(function* () {
            if (chosen.length > 0) yield* send(chatId, chosen)
            yield* store.schedule(chatId, yield* inAWeek)
          })
        )
      }
    })
  }
})

/** Brings highlights of about a year ago back: on request, and every week to chats that asked for it. */
export class WeeklyHighlights extends Context.Tag("WeeklyHighlights")<
  WeeklyHighlights,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
}
