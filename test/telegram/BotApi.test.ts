import { describe, expect } from "bun:test"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Deferred, Effect, Fiber, Layer, Logger, TestClock } from "effect"
import { BotApi, type ChatError } from "../../src/telegram/BotApi.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { loopback, withSettings } from "../support/loopback.ts"

const TOKEN = "123456:a-bot-token"
const layer = BotApi.layer.pipe(Layer.provide(FetchHttpClient.layer))
const it = effectTest(layer)

const rejection = (error_code: number, description: string, parameters = {}) =>
  Response.json({ ok: false, error_code, description, parameters }, { status: error_code })

const call = Effect.flatMap(BotApi, (api) => api.call("getMe", { some: "field" }))

/** Calls a Bot API that answers like this; returns the outcome and the requests. */
const calling = Effect.fnUntraced(function* (answer: () => Response | Promise<Response>) {
  const requests: Array<readonly [method: string, path: string, body: unknown]> = []
  const url = yield* loopback(async (request) => {
    requests.push([request.method, new URL(request.url).pathname, await request.json()])
    return answer()
  })
  const outcome = yield* call.pipe(
    withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: `${url}/` }),
    Effect.either
  )
  return { outcome, requests }
})

const failing = (answer: () => Response | Promise<Response>) =>
  Effect.flatMap(calling(answer), ({ outcome }) => Effect.flip(outcome))

const textsOf = (error: ChatError) =>
  [JSON.stringify(error), Bun.inspect(error), String(error), error.stack, error.message].join("\n")

describe("BotApi", () => {
  it(
    "posts a method's fields to the bot's URL and returns the result",
    Effect.gen(function* () {
      const { requests, outcome } = yield* calling(() => Response.json({ ok: true, result: { id: 7 } }))
      expect(yield* outcome).toEqual({ id: 7 })
      expect(requests).toEqual([["POST", `/bot${TOKEN}/getMe`, { some: "field" }]])
    })
  )

  it(
    "returns the platform's description",
    Effect.gen(function* () {
      const url = yield* loopback(() => Response.json({ ok: true, result: true, description: "It is set" }))
      const description = yield* Effect.flatMap(BotApi, (api) => api.describe("setWebhook", {})).pipe(
        withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: url })
      )
      expect(description).toBe("It is set")
    })
  )

  it(
    "returns how long to wait when rate-limited",
    Effect.gen(function* () {
      const error = yield* failing(() => rejection(429, "Too Many Requests", { retry_after: 3 }))
      expect(error).toMatchObject({ reason: "rate-limited", retryAfterSeconds: 3 })
    })
  )

  it(
    "names the new chat id of a group that became a supergroup",
    Effect.gen(function* () {
      const error = yield* failing(() =>
        rejection(400, "Bad Request: group chat was upgraded to a supergroup chat", {
          migrate_to_chat_id: -100123
        })
      )
      expect(error).toMatchObject({
        reason: "rejected",
        description:
          "Bad Request: group chat was upgraded to a supergroup chat; update ALLOWED_CHAT_ID to -100123"
      })
    })
  )

  for (const [why, reason, answer] of [
    ["a server error", "unavailable", () => rejection(502, "Bad Gateway")],
    ["a body that is not JSON", "unavailable", () => new Response("<html>")],
    ["a blocked bot", "rejected", () => rejection(403, "Forbidden: bot was blocked by the user")],
    ["a wrong token", "rejected", () => rejection(401, "Unauthorized")],
    ["an error that repeats the path", "rejected", () => rejection(404, `no /bot${TOKEN}/getMe`)],
    ["an invalid wait", "unavailable", () => rejection(429, "Too Many", { retry_after: -5 })]
  ] as const)
    it(
      `reports ${why} as ${reason}, without the token`,
      Effect.gen(function* () {
        const error = yield* failing(answer)
        expect(error.reason).toBe(reason)
        expect(textsOf(error)).not.toContain(TOKEN)
      })
    )

  it(
    "reads a response as large as the call allows, and no more",
    Effect.gen(function* () {
      const url = yield* loopback(() => Response.json({ ok: true, result: "x".repeat(1_100_000) }))
      const calling = (maxBytes?: number) =>
        Effect.flatMap(BotApi, (api) =>
          api.call("getUpdates", {}, maxBytes === undefined ? {} : { maxBytes })
        ).pipe(withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: url }))
      expect((yield* Effect.flip(calling())).reason).toBe("unavailable")
      expect(String(yield* calling(2_000_000)).length).toBe(1_100_000)
    })
  )

  it(
    "ends a request that is held when its caller is interrupted",
    Effect.gen(function* () {
      const held = yield* Deferred.make<void>()
      const gone = yield* Deferred.make<void>()
      const url = yield* loopback((request) => {
        request.signal.addEventListener("abort", () => Deferred.unsafeDone(gone, Effect.void))
        Deferred.unsafeDone(held, Effect.void)
        return new Promise<Response>(() => {})
      })
      const running = yield* Effect.fork(
        call.pipe(withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: url }))
      )
      yield* Deferred.await(held)
      yield* Fiber.interrupt(running)
      yield* Deferred.await(gone)
    })
  )

  it(
    "does not follow redirects, which would leak the token",
    Effect.gen(function* () {
      let hits = 0
      const elsewhere = yield* loopback(() => {
        hits++
        return Response.json({ ok: true, result: true })
      })
      const error = yield* failing(() => Response.redirect(`${elsewhere}/`, 307))
      expect([error.reason, hits]).toEqual(["unavailable", 0])
    })
  )

  it(
    "reports an unreachable server without the token",
    Effect.gen(function* () {
      const error = yield* call.pipe(
        withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: "http://127.0.0.1:9" }),
        Effect.flip
      )
      expect(error.reason).toBe("unavailable")
      expect(textsOf(error)).not.toContain(TOKEN)
    })
  )

  it(
    "fails without a token",
    Effect.gen(function* () {
      const error = yield* call.pipe(withSettings({}), Effect.flip)
      expect(error.reason).toBe("not-configured")
    })
  )

  clockTest(Layer.merge(layer, Logger.remove(Logger.defaultLogger)))(
    "times out when the server never answers",
    Effect.gen(function* () {
      const url = yield* loopback(() => new Promise<Response>(() => {}))
      const running = yield* call.pipe(
        withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: url }),
        Effect.flip,
        Effect.fork
      )
      yield* TestClock.adjust("11 seconds")
      expect((yield* Fiber.join(running)).reason).toBe("unavailable")
    })
  )

  it(
    "logs a defect without the token",
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make<unknown, void>(
        ({ logLevel, message }) => void lines.push(`${logLevel.label} ${message}`)
      )
      const broken = Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make(({ url }) =>
          Effect.die(new Error(`cannot handle ${url} or ${encodeURIComponent(url)}`))
        )
      )
      const error = yield* Effect.flip(call).pipe(
        Effect.provide(Layer.merge(Layer.provide(BotApi.layer, broken), Logger.add(logger))),
        withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: "http://api.test" })
      )
      expect(error.reason).toBe("defect")
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain("ERROR calling Telegram's getMe failed")
      expect(lines[0]).toContain("cannot handle http://api.test/bot<token>/getMe")
      expect([lines.join().includes(TOKEN), lines.join().includes(encodeURIComponent(TOKEN))]).toEqual([
        false,
        false
      ])
    })
  )
})
