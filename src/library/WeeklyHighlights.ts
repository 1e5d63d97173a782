import { Duration, Effect } from "effect"
import type { ListedHighlight } from "../domain/Highlight.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { TaskStore } from "../store/jobs/TaskStore.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { Tasks } from "./Tasks.ts"

const SHOWN = 3
const WEEK = Duration.days(7)
const RETRY = Duration.minutes(10)

type Send = (
  chatId: number,
  highlights: ReadonlyArray<ListedHighlight>
) => Effect.Effect<void, StoreUnavailable>

const make = Effect.gen(function* () {
  const highlights = yield* HighlightStore
  const store = yield* TaskStore
  const tasks = yield* Tasks
  const transaction = yield* Transaction
  const choose = highlights.recall(SHOWN)

  /** A chat waits a week while there is nothing to show. */
  const deliver = (owner: Effect.Effect<number | undefined>, send: Send) =>
    tasks.drain("highlights", {
      name: "sending the weekly highlights",
      retry: () => RETRY,
      work: Effect.fnUntraced(function* (task) {
        if (task.subject !== (yield* owner)) return
        const chosen = yield* choose
        yield* transaction(
          Effect.gen(function* () {
            if (chosen.length > 0) yield* send(task.subject, chosen)
            yield* tasks.postpone(task, WEEK)
          })
        )
      })
    })

  return {
    choose,
    isOn: (chatId: number) => store.has("highlights", chatId),
    /** The first message comes in a week. */
    set: Effect.fn("WeeklyHighlights.set")(function* (chatId: number, on: boolean) {
      yield* on ? tasks.schedule("highlights", chatId, WEEK) : store.remove("highlights", chatId)
    }),
    deliver,
    /** `send` and the time of the next message are one transaction; chats other than the owner's are forgotten. */
    run: (owner: Effect.Effect<number | undefined>, send: Send) =>
      tasks.run("highlights", deliver(owner, send), { name: "sending the weekly highlights" })
  }
})

/** Brings highlights of about a year ago back: on request, and every week to chats that asked for it. */
export class WeeklyHighlights extends Service<WeeklyHighlights>()("WeeklyHighlights", make) {}
