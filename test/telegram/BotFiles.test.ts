import { describe, expect } from "bun:test"
import { FetchHttpClient } from "@effect/platform"
import { Chunk, Effect, Either, Layer, Stream } from "effect"
import { BotApi } from "../../src/telegram/BotApi.ts"
import { effectTest } from "../support/effect.ts"
import { bodyOf, uploadedIn } from "../support/fakeFiles.ts"
import { loopback, withSettings } from "../support/loopback.ts"
import type { Body } from "../support/telegramRules.ts"

const TOKEN = "123456:a-bot-token"
const it = effectTest(BotApi.layer.pipe(Layer.provide(FetchHttpClient.layer)))

const at = (url: string) => withSettings({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: url })

const piece = new Uint8Array(100_000).fill(7)
const file = {
  field: "document",
  name: "linkbower.json",
  size: 3 * piece.length,
  bytes: Stream.make(piece, piece, piece)
}

describe("an upload", () => {
  it(
    "sends the fields and streams the file",
    Effect.gen(function* () {
      const seen: Array<Body> = []
      const paths: Array<string> = []
      const url = yield* loopback(async (request) => {
        paths.push(new URL(request.url).pathname)
        seen.push(await bodyOf(request))
        return Response.json({ ok: true, result: { message_id: 9 } })
      })
      const fields = { chat_id: 4242, caption: 'Your “links”: {"a": 1}', reply_parameters: { message_id: 7 } }
      const result = yield* Effect.flatMap(BotApi, (api) => api.upload("sendDocument", fields, file)).pipe(
        at(url)
      )
      expect(result).toEqual({ message_id: 9 })
      expect(paths).toEqual([`/bot${TOKEN}/sendDocument`])
      const { document, ...rest } = seen[0] ?? {}
      expect(rest).toEqual(fields)
      expect(uploadedIn({ document }, "document")?.name).toBe("linkbower.json")
      expect(uploadedIn({ document }, "document")?.bytes.length).toBe(300_000)
    })
  )

  for (const [status, parameters, expected] of [
    [429, { retry_after: 3 }, { reason: "rate-limited", retryAfterSeconds: 3 }],
    [413, {}, { reason: "rejected", description: "no /bot<token>/" }],
    [502, {}, { reason: "unavailable" }]
  ] as const)
    it(
      `reports ${status} without the token`,
      Effect.gen(function* () {
        const url = yield* loopback(async (request) => {
          await request.arrayBuffer()
          return Response.json(
            { ok: false, error_code: status, description: `no /bot${TOKEN}/`, parameters },
            { status }
          )
        })
        const error = yield* Effect.flatMap(BotApi, (api) => api.upload("sendDocument", {}, file)).pipe(
          at(url),
          Effect.flip
        )
        expect(error).toMatchObject(expected)
        expect(Bun.inspect(error)).not.toContain(TOKEN)
      })
    )

  it(
    "of a file that cannot be read is unavailable",
    Effect.gen(function* () {
      const url = yield* loopback(async (request) => {
        await request.arrayBuffer().catch(() => undefined)
        return Response.json({ ok: true, result: { message_id: 9 } })
      })
      const broken = { ...file, bytes: Stream.concat(Stream.make(piece), Stream.fail("gone")) }
      const error = yield* Effect.flatMap(BotApi, (api) => api.upload("sendDocument", {}, broken)).pipe(
        at(url),
        Effect.flip
      )
      expect(error.reason).toBe("unavailable")
    })
  )
})

/** Downloads a file from a Bot API that answers like this. */
const download = Effect.fnUntraced(function* (
  answer: (request: Request) => Response | Promise<Response>,
  path = "documents/file_1.html",
  most = 1_000_000
) {
  const paths: Array<string> = []
  const url = yield* loopback((request) => {
    paths.push(new URL(request.url).pathname)
    return answer(request)
  })
  const outcome = yield* Effect.flatMap(BotApi, (api) => Stream.runCollect(api.download(path, most))).pipe(
    Effect.map((chunks) => Buffer.concat(Chunk.toReadonlyArray(chunks)).length),
    at(url),
    Effect.either
  )
  return { outcome, paths }
})

describe("a download", () => {
  it(
    "is read from the server that the bot uses",
    Effect.gen(function* () {
      const { outcome, paths } = yield* download(() => new Response(piece))
      expect(outcome).toEqual(Either.right(100_000))
      expect(paths).toEqual([`/file/bot${TOKEN}/documents/file_1.html`])
    })
  )

  it(
    "ends as soon as there is too much",
    Effect.gen(function* () {
      const { outcome } = yield* download(() => new Response(piece), undefined, 99_999)
      expect(Either.flip(outcome)).toMatchObject({
        right: { reason: "rejected", description: "file is too big" }
      })
    })
  )

  it(
    "follows no redirect",
    Effect.gen(function* () {
      let hits = 0
      const elsewhere = yield* loopback(() => {
        hits++
        return new Response("a stranger’s file")
      })
      const { outcome } = yield* download(() => Response.redirect(elsewhere, 302))
      expect(Either.isLeft(outcome)).toBe(true)
      expect(hits).toBe(0)
    })
  )

  for (const path of [
    "/var/lib/telegram-bot-api/documents/file_1.html",
    "../../bot1:x/getMe",
    "documents/../../secret",
    "documents//file",
    "documents/%2e%2e/file",
    "file?x=1",
    "",
    ".env"
  ])
    it(
      `asks for no file at the path ${JSON.stringify(path)}`,
      Effect.gen(function* () {
        const { outcome, paths } = yield* download(() => new Response(piece), path)
        expect(Either.flip(outcome)).toMatchObject({ right: { reason: "rejected" } })
        expect(paths).toEqual([])
      })
    )

  for (const [status, reason] of [
    [404, "rejected"],
    [502, "unavailable"],
    [429, "rate-limited"]
  ] as const)
    it(
      `reports ${status} as ${reason}, without the token`,
      Effect.gen(function* () {
        const { outcome } = yield* download((request) => new Response(request.url, { status }))
        expect(Either.flip(outcome)).toMatchObject({ right: { reason } })
        expect(Bun.inspect(outcome)).not.toContain(TOKEN)
      })
    )
})
