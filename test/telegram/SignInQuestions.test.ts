import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import { ChatError } from "../../src/telegram/BotApi.ts"
import { Chat, type ChatMessage } from "../../src/telegram/Chat.ts"
import { Outbox } from "../../src/telegram/Outbox.ts"
import { SignInQuestions } from "../../src/telegram/SignInQuestions.ts"
import { clockTest } from "../support/effect.ts"

const CHAT = 4242
const asking = { device: "Firefox on Linux", address: "203.0.113.7" }

/** Questions with a chat whose behaviour a test can change, and what went through it. */
const world = () => {
  const sent: Array<ChatMessage> = []
  const edits: Array<ChatMessage> = []
  const fake = {
    sent,
    edits,
    send: (message: ChatMessage): Effect.Effect<{ readonly messageId: number }, ChatError> =>
      Effect.sync(() => ({ messageId: 100 + sent.push(message) }))
  }
  const layer = Layer.scoped(SignInQuestions, SignInQuestions.make).pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.mock(Chat, { send: (message) => fake.send(message) }),
        Layer.mock(Outbox, { add: (message) => Effect.sync(() => void edits.push(message)) })
      )
    )
  )
  return { fake, layer }
}

type Questions = SignInQuestions["Type"]

const it = clockTest(Layer.empty)

/** A test with questions of its own. */
const withQuestions = (
  name: string,
  body: (questions: Questions, fake: ReturnType<typeof world>["fake"]) => Effect.Effect<void, unknown>
) =>
  it(
    name,
    Effect.gen(function* () {
      const { fake, layer } = world()
      yield* Effect.provide(
        Effect.flatMap(SignInQuestions, (questions) => body(questions, fake)),
        layer
      )
    })
  )

const ask = ({ ask }: Questions) => ask(CHAT, asking, Option.none(), false)
const allow = ({ answer }: Questions, token: string) => answer({ token, chatId: CHAT, allow: true })

describe("SignInQuestions", () => {
  withQuestions("expires a question after two minutes, and edits it", (questions, fake) =>
    Effect.gen(function* () {
      const { token } = yield* ask(questions)
      yield* TestClock.adjust("119 seconds")
      expect([yield* questions.collect(token), fake.edits.length]).toEqual(["waiting", 0])
      yield* TestClock.adjust("1 second")
      expect(yield* questions.collect(token)).toBe("expired")
      expect(fake.edits).toMatchObject([
        { chatId: CHAT, replaces: 101, html: "This sign-in request has expired." }
      ])
      expect((yield* allow(questions, token)).notice).toBe("Expired")
      expect(yield* questions.collect(token)).toBe("expired")
      // The next question need not wait.
      expect((yield* ask(questions)).token).not.toBe(token)
    })
  )

  withQuestions("gives a browser two minutes to come back after the answer", (questions, fake) =>
    Effect.gen(function* () {
      const { token } = yield* ask(questions)
      yield* TestClock.adjust("119 seconds")
      yield* allow(questions, token)
      yield* TestClock.adjust("119 seconds")
      expect(yield* questions.collect(token)).toBe("allowed")
      const late = yield* ask(questions)
      yield* allow(questions, late.token)
      yield* TestClock.adjust("2 minutes")
      expect(yield* questions.collect(late.token)).toBe("expired")
      expect(fake.edits).toEqual([])
    })
  )

  withQuestions("does not prolong a permission that is pressed again", (questions) =>
    Effect.gen(function* () {
      const { token } = yield* ask(questions)
      yield* allow(questions, token)
      yield* TestClock.adjust("119 seconds")
      yield* allow(questions, token)
      yield* TestClock.adjust("1 second")
      expect(yield* questions.collect(token)).toBe("expired")
    })
  )

  withQuestions("asks five times an hour, without those that were allowed", (questions) =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const { token } = yield* ask(questions)
        yield* allow(questions, token)
        expect(yield* questions.collect(token)).toBe("allowed")
      }
      for (let round = 0; round < 5; round++) {
        yield* ask(questions)
        yield* TestClock.adjust("2 minutes")
      }
      const refused = yield* Effect.flip(ask(questions))
      expect(refused).toMatchObject({ because: "limit", seconds: 50 * 60 })
      yield* TestClock.adjust("50 minutes")
      yield* ask(questions)
    })
  )

  withQuestions("frees the place of a question that Telegram does not accept", (questions, fake) =>
    Effect.gen(function* () {
      const { send } = fake
      fake.send = () => new ChatError({ reason: "rejected" })
      expect(yield* Effect.flip(ask(questions))).toMatchObject({ reason: "rejected" })
      fake.send = () => Effect.never
      const waiting = yield* Effect.fork(Effect.flip(ask(questions)))
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(waiting)).toMatchObject({ reason: "timeout" })
      fake.send = send
      expect((yield* ask(questions)).number).toMatch(/^\d\d$/)
    })
  )

  withQuestions("takes a press that comes before Telegram's response", (questions, fake) =>
    Effect.gen(function* () {
      fake.send = (message) => {
        const [button] = (message.buttons ?? []).flat()
        const token = button !== undefined && "data" in button ? (button.data.split(":")[1] ?? "") : ""
        return Effect.as(allow(questions, token), { messageId: 7 })
      }
      const { token } = yield* ask(questions)
      expect(yield* questions.collect(token)).toBe("allowed")
    })
  )
})
