import { describe, expect } from "bun:test"
import {
  ConfigProvider,
  ConfigProviderPathPatch,
  Duration,
  Effect,
  Fiber,
  HashSet,
  Layer,
  Logger,
  Option,
  TestClock
} from "effect"
import { BotApi, ChatError } from "../../src/telegram/BotApi.ts"
import { Pace } from "../../src/telegram/Pace.ts"
import { Profile } from "../../src/telegram/Profile.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(Layer.empty)

const COMMANDS = [{ command: "find", description: "Find links" }]

/** A bot whose settings and platform a test can change. */
const makeBot = Effect.gen(function* () {
  const settings = new Map([
    ["TELEGRAM_BOT_TOKEN", "1:first"],
    ["ALLOWED_CHAT_ID", "4242"]
  ])
  const calls: Array<readonly [method: string, body: object]> = []
  const logged: Array<string> = []
  const platform = {
    answer: (method: string): Effect.Effect<unknown, ChatError> =>
      Effect.succeed(method === "getMe" ? { id: 1, username: "my_bot" } : true)
  }
  const api = Layer.mock(BotApi, {
    call: (method, body) =>
      Effect.suspend(() => {
        calls.push([method, body])
        return platform.answer(method)
      }),
    describe: () => Effect.succeed("")
  })
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make<unknown, void>(({ message }) => void logged.push(String(message)))
  )
  const layer = Profile.layer.pipe(Layer.provide([api, Pace.layer]))
  const context = yield* Layer.build(layer)
  const provider = ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      // A provider copies its map.
      load: (...asked) => ConfigProvider.fromMap(settings).flattened.load(...asked),
      enumerateChildren: () => Effect.succeed(HashSet.empty()),
      patch: ConfigProviderPathPatch.empty
    })
  )
  const use = <A, E>(ask: (profile: Profile["Type"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(Profile, ask).pipe(
      Effect.provide(context),
      Effect.provide(logger),
      Effect.withConfigProvider(provider)
    )
  return { calls, logged, platform, settings, use, username: use((profile) => profile.username) }
})

const minutes = (count: number) => TestClock.adjust(Duration.minutes(count))

const down = () => Effect.fail(new ChatError({ reason: "unavailable" }))

describe("Profile", () => {
  it(
    "fetches the bot's name once per token",
    Effect.gen(function* () {
      const { calls, platform, settings, username } = yield* makeBot
      const names = yield* Effect.all([username, username, username], { concurrency: "unbounded" })
      expect(names).toEqual([Option.some("my_bot"), Option.some("my_bot"), Option.some("my_bot")])
      expect(calls).toEqual([["getMe", {}]])
      settings.set("TELEGRAM_BOT_TOKEN", "2:second")
      platform.answer = () => Effect.succeed({ id: 2, username: "other_bot" })
      expect(yield* username).toEqual(Option.some("other_bot"))
      settings.delete("TELEGRAM_BOT_TOKEN")
      expect([yield* username, calls.length]).toEqual([Option.none(), 2])
    })
  )

  it(
    "has no name during an outage, and retries after a minute",
    Effect.gen(function* () {
      const { calls, platform, username } = yield* makeBot
      const { answer } = platform
      platform.answer = down
      expect([yield* username, yield* username, calls.length]).toEqual([Option.none(), Option.none(), 1])
      platform.answer = answer
      yield* minutes(1)
      expect([yield* username, calls.length]).toEqual([Option.some("my_bot"), 2])
    })
  )

  it(
    "asks again after a minute whether the bot answers inline queries, and for its name never",
    Effect.gen(function* () {
      const { calls, platform, use, username } = yield* makeBot
      const inlineName = use((profile) => profile.inlineName)
      expect([yield* inlineName, yield* inlineName, calls.length]).toEqual([Option.none(), Option.none(), 1])
      platform.answer = () => Effect.succeed({ id: 1, username: "my_bot", supports_inline_queries: true })
      yield* minutes(1)
      expect([yield* username, calls.length]).toEqual([Option.some("my_bot"), 1])
      expect([yield* inlineName, calls.length]).toEqual([Option.some("my_bot"), 2])
      // What was known stays during an outage.
      platform.answer = down
      yield* minutes(1)
      expect([yield* inlineName, calls.length]).toEqual([Option.some("my_bot"), 3])
    })
  )

  it(
    "waits two seconds at most for the name",
    Effect.gen(function* () {
      const { platform, username } = yield* makeBot
      platform.answer = () => Effect.never
      const waiting = yield* Effect.fork(username)
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(waiting)).toEqual(Option.none())
    })
  )

  it(
    "registers the commands for the allowed chat, once per token and chat",
    Effect.gen(function* () {
      const { calls, settings, use } = yield* makeBot
      yield* Effect.forkScoped(use((profile) => profile.run(COMMANDS)))
      yield* minutes(5)
      const registered = (chat: number): readonly [string, object] => [
        "setMyCommands",
        { commands: COMMANDS, scope: { type: "chat", chat_id: chat } }
      ]
      expect(calls).toEqual([registered(4242)])
      settings.set("ALLOWED_CHAT_ID", "4343")
      yield* minutes(2)
      settings.set("TELEGRAM_BOT_TOKEN", "2:second")
      yield* minutes(2)
      expect(calls).toEqual([registered(4242), registered(4343), registered(4343)])
    })
  )

  it(
    "registers nothing without a chat",
    Effect.gen(function* () {
      const { calls, logged, settings, use } = yield* makeBot
      settings.delete("ALLOWED_CHAT_ID")
      yield* Effect.forkScoped(use((profile) => profile.run(COMMANDS)))
      yield* minutes(2)
      expect([calls, logged]).toEqual([[], []])
      settings.set("ALLOWED_CHAT_ID", "4242")
      yield* minutes(1)
      expect(calls.length).toBe(1)
    })
  )

  it(
    "retries with backoff, logs once, and retries at once with another token",
    Effect.gen(function* () {
      const { calls, logged, platform, settings, use } = yield* makeBot
      const { answer } = platform
      platform.answer = down
      yield* Effect.forkScoped(use((profile) => profile.run(COMMANDS)))
      yield* minutes(16)
      // At the start and after 1, 3, 7 and 15 minutes.
      expect([calls.length, logged.length]).toEqual([5, 1])
      expect(logged[0]).toContain("could not be registered")
      platform.answer = answer
      settings.set("TELEGRAM_BOT_TOKEN", "2:second")
      yield* minutes(1)
      expect(calls.length).toBe(6)
      yield* minutes(60)
      expect(calls.length).toBe(6)
    })
  )
})
