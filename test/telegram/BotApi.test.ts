import { describe, expect } from "bun:test"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Fiber, Layer, Logger, TestClock } from "effect"
import { BotApi, type ChatError } from "../../src/telegram/BotApi.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { loopback, withSettings } from "../support/loopback.ts"

const TOKEN = "123456:a-bot-token"
const layer = BotApi.layer.pipe(Layer.provide(FetchHttpClient.layer))
const it = effectTest(layer)

const refused = (error_code: number, description: string, parameters = {}) =>
  Response.json({ ok: false, error_code, description, parameters }, { status: error_code })

const call = Effect.flatMap(BotApi, (api) => api.call("getMe", { some: "field" }))

/** Calls a Bot API that answers so; gives the outcome and what the API was asked. */
const calling = Effect.fnUntraced(function* (answer: () => Response | Promise<Response>) {
  const asked: Array<readonly [method: string, path: string, body: unknown]> = []
  const url = yield* loopback(async (request) => {
    asked.push([request.method, new URL(request.url).pathname, await request.json()])
    return answer()
  })
  const outcome = yield* call.pipe(
    withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: `${url}/` }),
    Effect.either
  )
  return { outcome, asked }
})

const failing = (answer: () => Response | Promise<Response>) =>
  Effect.flatMap(calling(answer), ({ outcome }) => Effect.flip(outcome))

const tells = (error: ChatError) =>
  [JSON.stringify(error), Bun.inspect(error), String(error), error.stack, error.message].join("\n")

describe("BotApi", () => {
  it(
    "posts a method's fields to the bot's own address and gives its result",
    Effect.gen(function* () {
      const { asked, outcome } = yield* calling(() => Response.json({ ok: true, result: { id: 7 } }))
      expect(yield* outcome).toEqual({ id: 7 })
      expect(asked).toEqual([["POST", `/bot${TOKEN}/getMe`, { some: "field" }]])
    })
  )

  it(
    "gives the platform's own words where they are asked for",
    Effect.gen(function* () {
      const url = yield* loopback(() => Response.json({ ok: true, result: true, description: "It is set" }))
      const said = yield* Effect.flatMap(BotApi, (api) => api.describe("setWebhook", {})).pipe(
        withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: url })
      )
      expect(said).toBe("It is set")
    })
  )

  it(
    "passes on how long to wait when it is called too often",
    Effect.gen(function* () {
      const error = yield* failing(() => refused(429, "Too Many Requests", { retry_after: 3 }))
      expect(error).toMatchObject({ reason: "rate-limited", retryAfterSeconds: 3 })
    })
  )

  it(
    "says which chat to allow where the old one has become a supergroup",
    Effect.gen(function* () {
      const error = yield* failing(() =>
        refused(400, "Bad Request: group chat was upgraded to a supergroup chat", {
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
    ["a server error", "unavailable", () => refused(502, "Bad Gateway")],
    ["a body that is no JSON", "unavailable", () => new Response("<html>")],
    ["a blocked bot", "rejected", () => refused(403, "Forbidden: bot was blocked by the user")],
    ["a wrong token", "rejected", () => refused(401, "Unauthorized")],
    ["a refusal that repeats the path", "rejected", () => refused(404, `no /bot${TOKEN}/getMe`)],
    ["a wait that is none", "unavailable", () => refused(429, "Too Many", { retry_after: -5 })]
  ] as const)
    it(
      `takes ${why} for ${reason}, and keeps the token to itself`,
      Effect.gen(function* () {
        const error = yield* failing(answer)
        expect(error.reason).toBe(reason)
        expect(tells(error)).not.toContain(TOKEN)
      })
    )

  it(
    "follows no redirect, which would carry the token along",
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
    "tells an unreachable server by its reason alone",
    Effect.gen(function* () {
      const error = yield* call.pipe(
        withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: "http://127.0.0.1:9" }),
        Effect.flip
      )
      expect(error.reason).toBe("unavailable")
      expect(tells(error)).not.toContain(TOKEN)
    })
  )

  it(
    "says that there is no token, and calls nobody",
    Effect.gen(function* () {
      const error = yield* call.pipe(withSettings({}), Effect.flip)
      expect(error.reason).toBe("not-configured")
    })
  )

  clockTest(Layer.merge(layer, Logger.remove(Logger.defaultLogger)))(
    "gives up on a server that never answers",
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
    "logs a defect without the token, and tells it apart from an outage",
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
