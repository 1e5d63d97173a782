import { describe, expect } from "bun:test"
import { ConfigProvider, Effect, Layer, Option, TestClock } from "effect"
import { SettingWriter } from "../../src/config/SettingSources.ts"
import { type ChatCandidate, ChatClaims } from "../../src/library/ChatClaims.ts"
import { clockTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"

/** The settings, which a claim writes, unless a source that nothing writes to comes first. */
const settings = new Map<string, string>()
const sources = { isOverridden: false }

const outside = Layer.mergeAll(
  // Reads the map on each use, as the service reads its files.
  Layer.setConfigProvider(
    ConfigProvider.orElse(ConfigProvider.fromMap(new Map()), () => ConfigProvider.fromMap(settings))
  ),
  Layer.succeed(SettingWriter, {
    write: (name, value) =>
      Effect.sync(() => {
        if (!sources.isOverridden) settings.set(name, value)
        return "/etc/linkbower/.env"
      })
  })
)

const fresh = Layer.effectDiscard(
  Effect.sync(() => {
    settings.clear()
    sources.isOverridden = false
  })
)

const withClaims = clockTest(
  Layer.provideMerge(Layer.merge(ChatClaims.layer, fresh), Layer.merge(stores(), outside))
)

const ask = (chat: number, name = `Person ${chat}`) =>
  Effect.map(
    Effect.flatMap(ChatClaims, (claims) => claims.ask(chat, name)),
    Option.getOrNull
  )
const claim = (by: { readonly code: string } | { readonly chatId: number }) =>
  Effect.flatMap(ChatClaims, (claims) => claims.claim(by))
const refusal = (by: Parameters<typeof claim>[0]) => Effect.flip(claim(by))
const candidates = Effect.flatMap(ChatClaims, (claims) => claims.candidates)
const chats = Effect.map(candidates, (all) => all.map(({ chatId }) => chatId))
/** Who is greeted once the setting has changed. */
const greeted = Effect.gen(function* () {
  const greetings: Array<ChatCandidate> = []
  yield* (yield* ChatClaims).settle((one) => Effect.sync(() => void greetings.push(one)))
  return greetings.map(({ chatId }) => chatId)
})

describe("claiming the chat", () => {
  withClaims("by its code, however it is typed", function* () {
    const code = (yield* ask(4242, "Ann")) ?? ""
    expect(code).toMatch(/^\d{6}$/)
    expect(yield* candidates).toMatchObject([{ chatId: 4242, name: "Ann", code: Option.some(code) }])
    const found = yield* claim({ code: ` ${code.slice(0, 3)} ${code.slice(3)}-` })
    expect([found.chatId, settings.get("ALLOWED_CHAT_ID")]).toEqual([4242, "4242"])
    expect(yield* chats).toEqual([])
    expect(yield* refusal({ code })).toMatchObject({ reason: "claimed" })
    expect([yield* greeted, yield* greeted]).toEqual([[4242], []])
  })

  withClaims("by its number, among several", function* () {
    for (const chat of [1, 2, 3]) {
      yield* ask(chat)
      yield* TestClock.adjust("1 second")
    }
    expect(yield* chats).toEqual([3, 2, 1])
    expect(yield* refusal({ chatId: 9 })).toMatchObject({ reason: "unknown-chat" })
    expect((yield* claim({ chatId: 2 })).chatId).toBe(2)
    expect(yield* greeted).toEqual([2])
  })

  withClaims("greets nobody for a chat that was set without a claim, and forgets the others", function* () {
    yield* ask(1)
    expect(yield* greeted).toEqual([])
    settings.set("ALLOWED_CHAT_ID", "55")
    expect(yield* greeted).toEqual([])
    settings.clear()
    expect(yield* chats).toEqual([])
  })

  withClaims("keeps the candidates if the greeting cannot be stored", function* () {
    yield* ask(7)
    settings.set("ALLOWED_CHAT_ID", "7")
    const claims = yield* ChatClaims
    expect((yield* Effect.exit(claims.settle(() => Effect.fail("no")))).toString()).toContain("no")
    expect(yield* greeted).toEqual([7])
  })

  withClaims("says when another source decides the setting", function* () {
    sources.isOverridden = true
    yield* ask(7)
    expect(yield* refusal({ chatId: 7 })).toMatchObject({ reason: "overridden", file: "/etc/linkbower/.env" })
  })

  withClaims("makes every code void after five wrong ones", function* () {
    const code = (yield* ask(1)) ?? ""
    yield* ask(2)
    const wrong = code === "000000" ? "111111" : "000000"
    const left: Array<unknown> = []
    for (const _ of Array(6)) left.push((yield* refusal({ code: wrong })).reason)
    expect(left).toEqual(Array(6).fill("wrong-code"))
    expect(yield* refusal({ code })).toMatchObject({ reason: "wrong-code", triesLeft: 0 })
    expect((yield* candidates).map((one) => one.code)).toEqual([Option.none(), Option.none()])
    yield* TestClock.adjust("61 seconds")
    const renewed = (yield* ask(1)) ?? ""
    expect(renewed).toMatch(/^\d{6}$/)
    expect((yield* claim({ code: renewed })).chatId).toBe(1)
  })

  withClaims("counts the tries that are left", function* () {
    const code = (yield* ask(1)) ?? ""
    const wrong = code === "000000" ? "111111" : "000000"
    const left: Array<unknown> = []
    for (const _ of Array(5)) {
      const error = yield* refusal({ code: wrong })
      left.push("triesLeft" in error ? error.triesLeft : error)
    }
    expect(left).toEqual([4, 3, 2, 1, 0])
  })
})

describe("a chat that writes to a bot without an owner", () => {
  withClaims("gets one code a minute, the same while it is valid", function* () {
    const code = yield* ask(1)
    expect([yield* ask(1), yield* ask(1)]).toEqual([null, null])
    yield* TestClock.adjust("61 seconds")
    expect(yield* ask(1)).toBe(code)
    yield* TestClock.adjust("59 minutes")
    expect(yield* chats).toEqual([1])
    yield* TestClock.adjust("2 minutes")
    expect([yield* chats, (yield* refusal({ code: code ?? "" })).reason]).toEqual([[], "wrong-code"])
  })

  withClaims("makes room when there are more than five", function* () {
    for (const chat of [1, 2, 3, 4, 5, 6, 7]) {
      yield* ask(chat)
      yield* TestClock.adjust("1 second")
    }
    expect(yield* chats).toEqual([7, 6, 5, 4, 3])
  })

  withClaims("waits while ten others got a code within a minute", function* () {
    for (const chat of Array(10).keys()) expect(yield* ask(chat + 1)).not.toBeNull()
    expect(yield* ask(11)).toBeNull()
    yield* TestClock.adjust("61 seconds")
    expect(yield* ask(11)).not.toBeNull()
  })

  for (const [given, shown] of [
    ["Ann\u001b[31m\nBee", "Ann [31m Bee"],
    ["\u202egnp.exe", "gnp.exe"],
    ["", "5"],
    ["\u0000", "5"],
    ["\ud800x", "\ufffdx"],
    ["😀".repeat(100), "😀".repeat(64)]
  ] as const)
    withClaims(`is shown as ${JSON.stringify(shown).slice(0, 20)}`, function* () {
      yield* ask(5, given)
      expect((yield* candidates)[0]?.name).toBe(shown)
    })
})
