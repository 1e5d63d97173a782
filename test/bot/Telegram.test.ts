import { describe, expect } from "bun:test"
import { FetchHttpClient } from "@effect/platform"
import type { ApiMethods } from "@grammyjs/types"
import { Effect, Fiber, Layer, Logger, TestClock } from "effect"
import { Chat, type ChatError } from "../../src/bot/Chat.ts"
import * as Telegram from "../../src/bot/Telegram.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { loopback, withSettings } from "../support/loopback.ts"

const TOKEN = "123456:a-bot-token"
const layer = Telegram.layer.pipe(Layer.provide(FetchHttpClient.layer))
const it = effectTest(layer)

type SendMessage = Parameters<ApiMethods<unknown>["sendMessage"]>[0]

const message = { chatId: 4242, html: "<b>Hi</b> &amp; bye", replyTo: 7 }
const sent = (id: number) =>
  Response.json({ ok: true, result: { message_id: id, date: 1, chat: { id: 4242, type: "private" } } })
const refused = (error_code: number, description: string, parameters = {}) =>
  Response.json({ ok: false, error_code, description, parameters }, { status: error_code })

/** Sends over a Bot API that answers so; gives the outcome and what the API was asked. */
const sending = Effect.fnUntraced(function* (
  answer: (body: unknown, calls: number) => Response | Promise<Response>
) {
  const bodies: Array<unknown> = []
  const paths: Array<string> = []
  const url = yield* loopback(async (request) => {
    const body = await request.json()
    paths.push(new URL(request.url).pathname)
    bodies.push(body)
    return answer(body, bodies.length)
  })
  const outcome = yield* Effect.flatMap(Chat, (chat) => chat.send(message)).pipe(
    withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: `${url}/` }),
    Effect.either
  )
  return { outcome, bodies, paths }
})

const failing = (answer: () => Response | Promise<Response>) =>
  Effect.flatMap(sending(answer), ({ outcome }) => Effect.flip(outcome))

const tells = (error: ChatError) =>
  [JSON.stringify(error), Bun.inspect(error), String(error), error.stack, error.message].join("\n")

describe("Telegram", () => {
  it(
    "sends an HTML message in answer to another, with previews off",
    Effect.gen(function* () {
      const { bodies, outcome, paths } = yield* sending(() => sent(9))
      expect(yield* outcome).toEqual({ messageId: 9 })
      expect(paths).toEqual([`/bot${TOKEN}/sendMessage`])
      const wanted: SendMessage = {
        chat_id: 4242,
        text: "<b>Hi</b> &amp; bye",
        parse_mode: "HTML",
        link_preview_options: { is_disabled: true },
        reply_parameters: { message_id: 7, allow_sending_without_reply: true }
      }
      expect(bodies).toEqual([wanted])
    })
  )

  it(
    "says the same without markup where the markup is not understood",
    Effect.gen(function* () {
      const { bodies, outcome } = yield* sending((_, calls) =>
        calls === 1 ? refused(400, "Bad Request: can't parse entities: unexpected end tag") : sent(10)
      )
      expect(yield* outcome).toEqual({ messageId: 10 })
      const plain: SendMessage = {
        chat_id: 4242,
        text: "Hi & bye",
        link_preview_options: { is_disabled: true },
        reply_parameters: { message_id: 7, allow_sending_without_reply: true }
      }
      expect(bodies.slice(1)).toEqual([plain])
    })
  )

  it(
    "says it without markup once, and takes a second refusal for an answer",
    Effect.gen(function* () {
      const { bodies, outcome } = yield* sending(() => refused(400, "Bad Request: can't parse entities"))
      expect((yield* Effect.flip(outcome)).reason).toBe("rejected")
      expect(bodies.length).toBe(2)
    })
  )

  it(
    "passes on how long to wait when it sends too much",
    Effect.gen(function* () {
      const error = yield* failing(() => refused(429, "Too Many Requests", { retry_after: 3 }))
      expect(error).toMatchObject({ reason: "rate-limited", retryAfterSeconds: 3 })
    })
  )

  for (const [why, reason, answer] of [
    ["a server error", "unavailable", () => refused(502, "Bad Gateway")],
    ["a body that is no JSON", "unavailable", () => new Response("<html>")],
    ["an answer without a message", "unavailable", () => Response.json({ ok: true, result: true })],
    ["a blocked bot", "rejected", () => refused(403, "Forbidden: bot was blocked by the user")],
    ["a wrong token", "rejected", () => refused(401, "Unauthorized")],
    ["a refusal that repeats the path", "rejected", () => refused(404, `no /bot${TOKEN}/sendMessage`)],
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
        return sent(1)
      })
      const error = yield* failing(() => Response.redirect(`${elsewhere}/`, 307))
      expect([error.reason, hits]).toEqual(["unavailable", 0])
    })
  )

  it(
    "tells an unreachable server by its reason alone",
    Effect.gen(function* () {
      const error = yield* Effect.flatMap(Chat, (chat) => chat.send(message)).pipe(
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
      const error = yield* Effect.flatMap(Chat, (chat) => chat.send(message)).pipe(
        withSettings({}),
        Effect.flip
      )
      expect(error.reason).toBe("not-configured")
    })
  )

  clockTest(Layer.merge(layer, Logger.remove(Logger.defaultLogger)))(
    "gives up on a server that never answers",
    Effect.gen(function* () {
      const url = yield* loopback(() => new Promise<Response>(() => {}))
      const running = yield* Effect.flatMap(Chat, (chat) => chat.send(message)).pipe(
        withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: url }),
        Effect.flip,
        Effect.fork
      )
      yield* TestClock.adjust("11 seconds")
      expect((yield* Fiber.join(running)).reason).toBe("unavailable")
    })
  )
})
