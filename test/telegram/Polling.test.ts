import { describe, expect } from "bun:test"
import { type Duration, Effect, Layer, Option, TestClock } from "effect"
import { StoreUnavailable } from "../../src/domain/StoreUnavailable.ts"
import { ChatClaims } from "../../src/library/ChatClaims.ts"
import { ChatDelivery } from "../../src/library/ChatDelivery.ts"
import { BotApi, ChatError } from "../../src/telegram/BotApi.ts"
import { Pace } from "../../src/telegram/Pace.ts"
import { Polling } from "../../src/telegram/Polling.ts"
import { ReceiveUpdate } from "../../src/telegram/ReceiveUpdate.ts"
import { clockTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { withSettings } from "../support/loopback.ts"

const BOT = 123
const settings = { TELEGRAM_BOT_TOKEN: `${BOT}:a-token`, TELEGRAM_MODE: "auto" }

type Answer = Effect.Effect<unknown, ChatError>
interface Call {
  readonly method: string
  readonly body: object
}

const message = (update_id: number, id = 4242) => ({ update_id, message: { message_id: 1, chat: { id } } })
const free = Effect.succeed({ url: "" })
const rejected = (description: string) => new ChatError({ reason: "rejected", description })
const unavailable = new ChatError({ reason: "unavailable" })

/** A Bot API that answers as told and records its calls, and an inbox that records what it stores. */
const world = {
  calls: [] as Call[],
  stored: [] as unknown[],
  answer: (_method: string, _body: object, _count: number): Answer => Effect.fail(unavailable),
  receive: (_update: unknown): Effect.Effect<"stored", StoreUnavailable> => Effect.succeed("stored")
}

const outside = Layer.mergeAll(
  Layer.mock(BotApi, {
    call: (method, body) =>
      Effect.suspend(() => {
        world.calls.push({ method, body })
        return world.answer(method, body, countOf(method))
      }),
    describe: () => Effect.fail(unavailable)
  }),
  Layer.succeed(ReceiveUpdate, (_way, update) =>
    Effect.tap(
      Effect.suspend(() => world.receive(update)),
      () => world.stored.push(update)
    )
  ),
  Pace.layer
)

const countOf = (method: string) => world.calls.filter((call) => call.method === method).length
const offsets = () =>
  world.calls.flatMap(({ body, method }) =>
    method === "getUpdates" && "offset" in body ? [body.offset] : []
  )

const it = clockTest(
  Polling.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(outside, Layer.effect(ChatDelivery, ChatDelivery.make), ChatClaims.layer)
    ),
    Layer.provideMerge(stores())
  )
)

/** Polls for this long; `answer` sees each method, its body, and how often the method was called. */
const pollFor = (
  duration: Duration.DurationInput,
  answer: typeof world.answer,
  more: Record<string, string> = {}
) =>
  Effect.gen(function* () {
    world.calls.length = 0
    world.stored.length = 0
    world.answer = answer
    const { run } = yield* Polling
    yield* Effect.forkScoped(withSettings({ ...settings, ...more })(run))
    yield* TestClock.adjust(duration)
  }).pipe(Effect.scoped)

/** The platform without a webhook, whose `getUpdates` answers this. */
const withUpdates =
  (updates: (count: number, body: object) => Answer): typeof world.answer =>
  (method, body, count) => {
    if (method === "getWebhookInfo") return free
    return method === "getUpdates" ? updates(count, body) : Effect.succeed(true)
  }

describe("polling", () => {
  for (const [what, info] of [
    ["true", Effect.succeed(true)],
    ["null", Effect.succeed(null)],
    ["a list", Effect.succeed([])],
    ["no address", Effect.succeed({})],
    ["an address that is no text", Effect.succeed({ url: 5 })],
    ["an outage", Effect.fail(unavailable)],
    ["a wrong token", Effect.fail(rejected("Unauthorized"))]
  ] as ReadonlyArray<readonly [string, Answer]>)
    for (const mode of ["auto", "polling"])
      it(`does not begin in mode ${mode} while Telegram answers ${what} about the webhook, and asks rarely`, function* () {
        yield* pollFor("5 minutes", () => info, { TELEGRAM_MODE: mode })
        expect(world.calls.filter(({ method }) => method !== "getWebhookInfo")).toEqual([])
        expect(world.calls.length).toBeGreaterThan(4)
        expect(world.calls.length).toBeLessThan(15)
        expect(yield* Effect.flatMap(ChatDelivery, ({ way }) => way)).toBe("off")
      })

  for (const [what, more] of [
    ["the mode is webhook", { TELEGRAM_MODE: "webhook" }],
    ["there is no token", { TELEGRAM_BOT_TOKEN: "" }],
    ["the token has no number", { TELEGRAM_BOT_TOKEN: "a-token" }],
    ["the owner's chat is no number", { ALLOWED_CHAT_ID: "@me" }]
  ] as const)
    it(`calls nothing while ${what}`, function* () {
      yield* pollFor("1 minute", () => free, more)
      expect(world.calls).toEqual([])
    })

  it("waits a moment at the start of a service with a webhook's secret", function* () {
    yield* pollFor("4 seconds", () => free, { WEBHOOK_SECRET: "a-secret" })
    expect(world.calls).toEqual([])
  })

  for (const [what, updates] of [
    ["nothing, at once", () => Effect.succeed([])],
    ["the same updates again and again", () => Effect.succeed([message(7)])],
    ["updates without a number", () => Effect.succeed([null, {}, "text", { update_id: "7" }])]
  ] as ReadonlyArray<readonly [string, () => Answer]>)
    it(`asks once a second while Telegram answers ${what}`, function* () {
      yield* pollFor("30 seconds", withUpdates(updates))
      expect(countOf("getUpdates")).toBeGreaterThan(20)
      expect(countOf("getUpdates")).toBeLessThan(34)
    })

  for (const [what, answer] of [
    ["is down", Effect.fail(unavailable)],
    ["sends something else", Effect.succeed(true)],
    ["rejects the token", Effect.fail(rejected("Unauthorized"))],
    ["reports another program", Effect.fail(rejected("Conflict: terminated by other getUpdates request"))],
    ["limits requests", Effect.fail(new ChatError({ reason: "rate-limited", retryAfterSeconds: 40 }))]
  ] as ReadonlyArray<readonly [string, Answer]>)
    it(`backs off while Telegram ${what}, and then continues`, function* () {
      yield* pollFor(
        "5 minutes",
        withUpdates((count) =>
          count < 6 ? answer : count === 6 ? Effect.succeed([message(1)]) : Effect.never
        )
      )
      expect(world.stored).toEqual([message(1)])
      yield* pollFor(
        "5 minutes",
        withUpdates(() => answer)
      )
      expect(countOf("getUpdates")).toBeGreaterThan(4)
      expect(countOf("getUpdates")).toBeLessThan(16)
    })

  it("confirms a batch only after all of it is stored, in order", function* () {
    const batch = Array.from({ length: 100 }, (_, n) => message(n + 1))
    let failures = 3
    world.receive = (update) =>
      update === batch[60] && failures-- > 0
        ? Effect.fail(new StoreUnavailable({ reason: "full" }))
        : Effect.succeed("stored")
    yield* pollFor(
      "20 seconds",
      withUpdates((_, body) => ("offset" in body ? Effect.never : Effect.succeed(batch)))
    )
    expect(offsets()).toEqual([101])
    expect(countOf("getUpdates")).toBe(5)
    expect(world.stored.slice(-100)).toEqual(batch)
    world.receive = () => Effect.succeed("stored")
  })

  it("skips what it cannot read and stores the rest", function* () {
    const deep: unknown = JSON.parse(`{"update_id":8,"message":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)
    const odd = [null, 5, [], {}, { update_id: "6" }, { update_id: -7 }, deep]
    yield* pollFor(
      "3 seconds",
      withUpdates((_, body) => ("offset" in body ? Effect.never : Effect.succeed([...odd, message(9)])))
    )
    expect(offsets()).toEqual([10])
    expect(world.stored.at(-1)).toEqual(message(9))
    expect(world.stored).not.toContain(deep)
  })

  it("continues at its offset for a day, even if the platform numbers updates anew", function* () {
    const delivery = yield* ChatDelivery
    const ask = withUpdates((count) => (count === 1 ? Effect.succeed([message(3)]) : Effect.never))
    yield* delivery.advance(BOT, 900)
    yield* pollFor("2 seconds", ask)
    expect(offsets()).toEqual([900, 4])
    expect(yield* delivery.offset(BOT + 1)).toEqual(Option.none())
    yield* TestClock.adjust("25 hours")
    yield* pollFor("2 seconds", ask)
    expect(world.calls.find(({ method }) => method === "getUpdates")?.body).not.toHaveProperty("offset")
  })

  it("stops for a webhook and starts again when it is gone", function* () {
    let url = ""
    const answer: typeof world.answer = (method, _body, count) => {
      if (method === "getWebhookInfo") return Effect.succeed({ url })
      if (count > 1)
        return url === "" ? Effect.never : Effect.fail(rejected("Conflict: terminated by setWebhook"))
      url = "https://links.example.org/webhook"
      return Effect.succeed([message(1)])
    }
    yield* pollFor("1 minute", answer)
    expect(countOf("getUpdates")).toBe(2)
    expect(yield* Effect.flatMap(ChatDelivery, ({ way }) => way)).toBe("webhook")
    yield* pollFor("1 minute", (method, body, count) => {
      if (method === "getWebhookInfo" && count > 2) url = ""
      return answer(method, body, count + 1)
    })
    expect(countOf("getUpdates")).toBe(1)
    expect(yield* Effect.flatMap(ChatDelivery, ({ way }) => way)).toBe("polling")
  })
})
