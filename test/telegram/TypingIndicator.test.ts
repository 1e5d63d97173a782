import { describe, expect } from "bun:test"
import { Clock, Effect, Exit, Layer, TestClock } from "effect"
import { Chat, type Reaction } from "../../src/telegram/Chat.ts"
import { makeTypingIndicator } from "../../src/telegram/TypingIndicator.ts"
import { clockTest } from "../support/effect.ts"

const at = { chatId: 1, messageId: 7 }

/** A chat that records what it showed and when (ms); `react` can be replaced by an outage. */
const fakeChat = (react?: Effect.Effect<void>) => {
  const shown: Array<readonly [ms: number, what: string]> = []
  const show = (what: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      shown.push([now, what])
    })
  const layer = Layer.mock(Chat, {
    send: () => Effect.die("nothing is sent"),
    edit: () => Effect.die("nothing is edited"),
    acknowledge: () => Effect.die("nothing is acknowledged"),
    react: (_chat, messageId, reaction: Reaction) => react ?? show(`${messageId} ${reaction}`),
    typing: () => show("typing")
  })
  return { shown, layer }
}

/** Runs the work for 20 seconds. */
const run = <E>(work: Effect.Effect<Reaction, E>) =>
  Effect.gen(function* () {
    const indicator = yield* makeTypingIndicator
    const running = yield* Effect.fork(Effect.exit(indicator.during(at, work)))
    yield* TestClock.adjust("20 seconds")
    return yield* running
  })

const withClock = clockTest(Layer.empty)

describe("the typing indicator", () => {
  const quick = fakeChat()
  withClock(
    "shows only reactions for quick work",
    Effect.gen(function* () {
      yield* run(Effect.as(Effect.sleep("1 second"), "👍" as const))
      expect(quick.shown).toEqual([
        [0, "7 👀"],
        [1_000, "7 👍"]
      ])
    }).pipe(Effect.provide(quick.layer))
  )

  const slow = fakeChat()
  withClock(
    "shows typing after 1.5 seconds and then every 4 seconds",
    Effect.gen(function* () {
      yield* run(Effect.as(Effect.sleep("10 seconds"), "✍" as const))
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
    "reacts to a failure and passes it on",
    Effect.gen(function* () {
      const exit = yield* run(Effect.fail("no"))
      expect(exit).toEqual(Exit.fail("no"))
      expect(failing.shown.map(([, what]) => what)).toEqual(["7 👀", "7 🤷"])
    }).pipe(Effect.provide(failing.layer))
  )

  const silent = fakeChat(Effect.never)
  withClock(
    "does not wait for an unresponsive chat",
    Effect.gen(function* () {
      const exit = yield* run(Effect.succeed("👍" as const))
      expect(Exit.isSuccess(exit)).toBe(true)
    }).pipe(Effect.provide(silent.layer))
  )
})
