import { describe, expect } from "bun:test"
import { Clock, Effect, Exit, Layer, TestClock } from "effect"
import { Chat, type Reaction } from "../../src/telegram/Chat.ts"
import { makeTypingIndicator } from "../../src/telegram/SaveMessages.ts"
import { clockTest } from "../support/effect.ts"

const at = { chatId: 1, messageId: 7 }

/** A chat that remembers when what was shown, in milliseconds; `react` may be replaced by an outage. */
const fakeChat = (react?: Effect.Effect<void>) => {
  const shown: Array<readonly [ms: number, what: string]> = []
  const show = (what: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      shown.push([now, what])
    })
  const layer = Layer.succeed(Chat, {
    send: () => Effect.die("nothing is sent"),
    edit: () => Effect.die("nothing is edited"),
    acknowledge: () => Effect.die("nothing is acknowledged"),
    react: (_chat, messageId, reaction: Reaction) => react ?? show(`${messageId} ${reaction}`),
    typing: () => show("typing")
  })
  return { shown, layer }
}

/** Lets the clock run while the work goes on. */
const during = <E>(work: Effect.Effect<Reaction, E>) =>
  Effect.gen(function* () {
    const atWork = yield* makeTypingIndicator
    const running = yield* Effect.fork(Effect.exit(atWork.during(at, work)))
    yield* TestClock.adjust("20 seconds")
    return yield* running
  })

const withClock = clockTest(Layer.empty)

describe("work on a message", () => {
  const quick = fakeChat()
  withClock(
    "is marked as seen and then as done, and shows no typing when it is quick",
    Effect.gen(function* () {
      yield* during(Effect.as(Effect.sleep("1 second"), "👍" as const))
      expect(quick.shown).toEqual([
        [0, "7 👀"],
        [1_000, "7 👍"]
      ])
    }).pipe(Effect.provide(quick.layer))
  )

  const slow = fakeChat()
  withClock(
    "shows typing after a second and a half, and every four from then on until it is done",
    Effect.gen(function* () {
      yield* during(Effect.as(Effect.sleep("10 seconds"), "✍" as const))
      expect(slow.shown).toEqual([
        [0, "7 👀"],
        [1_500, "typing"],
        [5_500, "typing"],
        [9_500, "typing"],
        [10_000, "7 ✍"]
      ])
    }).pipe(Effect.provide(slow.layer))
  )

  const failing = fakeChat()
  withClock(
    "that fails is marked so, and fails all the same",
    Effect.gen(function* () {
      const exit = yield* during(Effect.fail("no"))
      expect(exit).toEqual(Exit.fail("no"))
      expect(failing.shown.map(([, what]) => what)).toEqual(["7 👀", "7 🤷"])
    }).pipe(Effect.provide(failing.layer))
  )

  const silent = fakeChat(Effect.never)
  withClock(
    "is not held up by a chat that does not answer",
    Effect.gen(function* () {
      const exit = yield* during(Effect.succeed("👍" as const))
      expect(Exit.isSuccess(exit)).toBe(true)
    }).pipe(Effect.provide(silent.layer))
  )
})
