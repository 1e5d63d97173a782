import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Running, until, update } from "../support/service.ts"
import { type TestService, type TestServiceOptions, withTestService } from "../support/testService.ts"
import { long } from "../support/tier.ts"

const BOT_TOKEN = "123456:a-bot-token"
const OWNER = 4242
const STRANGER = 666

/** A service that is as it was unpacked, but that its owner can sign in. */
const untouched = (
  body: (service: TestService) => Promise<void>,
  more: TestServiceOptions["settings"] = {}
) =>
  withTestService(
    {
      settings: {
        TELEGRAM_MODE: undefined,
        TELEGRAM_BOT_TOKEN: undefined,
        ALLOWED_CHAT_ID: undefined,
        WEBHOOK_SECRET: undefined,
        EXTENSION_TOKEN: undefined,
        ANTHROPIC_API_KEY: undefined,
        ...more
      }
    },
    body
  )

const written = ({ folder }: Running) => {
  try {
    return readFileSync(join(folder, ".env"), "utf8")
  } catch {
    return ""
  }
}

/** Sends a request of the set-up as the owner. */
const asker =
  ({ client }: TestService) =>
  async (method: string, step = "", body?: unknown) => {
    const response = await client.owner(method, `/api/setup${step === "" ? "" : `/${step}`}`, body)
    expect(response.headers.get("cache-control")).toBe("no-store")
    const text = await response.text()
    return { status: response.status, text, json: JSON.parse(text) }
  }

const refusal = (status: number, error: string, message: string) => ({
  status,
  text: expect.any(String),
  json: { error, message }
})

/** A server with an OpenAI-compatible API that has one model, and asks for a key. */
const modelServer = (key: string) => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ headers }) =>
      headers.get("authorization") === `Bearer ${key}`
        ? Response.json({ object: "list", data: [{ id: "llama3.2" }] })
        : new Response("", { status: 401 })
  })
  return { url: `http://127.0.0.1:${server.port}/v1`, stop: () => server.stop(true) }
}

describe("the set-up over HTTP", () => {
  test.concurrent("takes a new library to a link from the chat, the extension and a model, without a restart", () =>
    untouched(async (service) => {
      const ask = asker(service)
      const { client, running, world } = service
      const { telegram } = world
      const address = running.base
      expect((await ask("GET")).json).toEqual({
        bot: { isSet: false, username: null, error: null, mode: "off" },
        chat: { isSet: false, candidates: [] },
        extension: { isSet: false, isConnected: false, address },
        model: { isSet: false, name: null },
        provider: null,
        links: 0,
        writesTo: ".env"
      })

      const notAToken =
        "This is not a bot token. Copy the whole token from @BotFather, which looks like 123456:ABC-DEF."
      for (const token of ["hello", "123456:a/../getMe", "123456:a?b", "123456:", "12 34:ab", "é:1"])
        expect(await ask("POST", "bot", { token })).toEqual(refusal(400, "bad_request", notAToken))
      telegram.answer = ({ method }) =>
        method === "getMe"
          ? Response.json({ ok: false, error_code: 401, description: "Unauthorized" }, { status: 401 })
          : undefined
      expect(await ask("POST", "bot", { token: "123456:revoked" })).toEqual(
        refusal(
          400,
          "bad_request",
          "Telegram says: Unauthorized. Copy the whole token from @BotFather; a revoked one is no longer valid."
        )
      )
      expect(written(running)).toBe("")
      telegram.answer = () => undefined

      expect((await ask("POST", "bot", { token: ` ${BOT_TOKEN}\n` })).json).toEqual({
        username: "my_bot",
        name: "Linkbower"
      })
      expect(written(running)).toBe(`TELEGRAM_BOT_TOKEN=${BOT_TOKEN}\n`)
      await until(async () => (await ask("GET")).json.bot.mode === "polling")

      const from = (id: number, first_name: string) => ({
        chat: { id, type: "private", first_name },
        from: { id, is_bot: false, first_name }
      })
      telegram.send(update("hello", from(STRANGER, "Mallory")))
      telegram.send(update("hello", from(OWNER, "Ann")))
      const codeIn = (chat: number) =>
        until(() =>
          telegram.calls
            .filter(({ body, method }) => method === "sendMessage" && body["chat_id"] === chat)
            .map(({ body }) => /\d{6}/.exec(String(body["text"]))?.[0])
            .at(0)
        )
      const code = await codeIn(OWNER)
      const { chat } = (await ask("GET")).json
      expect(chat.candidates).toEqual([
        { chatId: OWNER, name: "Ann", code },
        { chatId: STRANGER, name: "Mallory", code: await codeIn(STRANGER) }
      ])
      const wrong = code === "000000" ? "000001" : "000000"
      expect(await ask("POST", "chat", { code: wrong })).toEqual(
        refusal(403, "wrong_code", "This code is wrong. 4 tries are left.")
      )
      expect((await ask("POST", "chat", { chatId: 4243 })).status).toBe(404)
      for (const body of [{}, { code: 1 }, { chatId: "4242" }, { chatId: 0 }, { chatId: 1.5 }])
        expect((await ask("POST", "chat", body)).status).toBe(400)
      expect((await ask("POST", "chat", { code: `${code.slice(0, 3)} ${code.slice(3)}` })).json).toEqual({
        chatId: OWNER,
        name: "Ann"
      })
      expect(written(running)).toBe(`TELEGRAM_BOT_TOKEN=${BOT_TOKEN}\nALLOWED_CHAT_ID=${OWNER}\n`)
      expect((await ask("POST", "chat", { chatId: STRANGER })).json.error).toBe("conflict")
      expect((await ask("GET")).json.chat).toEqual({ isSet: true, candidates: [] })
      telegram.send(update(`${world.pages.url}/plain?t=From+the+chat`))
      await until(async () => (await client.links())[0]?.title === "From the chat")

      const made = (await ask("POST", "extension", {})).json
      const connected = async () => (await ask("GET")).json.extension.isConnected
      expect(await connected()).toBe(false)
      expect(made.token).toMatch(/^[0-9a-f]{64}$/)
      expect(made).toEqual({ address, token: made.token, link: `${address}/connect#token=${made.token}` })
      const captured = async (token: string) =>
        (
          await client.send(
            "POST",
            "/capture/api/link",
            { url: `${world.pages.url}/plain?t=Captured` },
            { authorization: `Bearer ${token}` }
          )
        ).status
      expect(await captured(made.token)).toBeOneOf([200, 202])
      expect(await connected()).toBe(true)
      expect((await ask("POST", "extension", { renew: false })).json).toEqual(made)
      const renewed = (await ask("POST", "extension", { renew: true })).json
      expect(await captured(made.token)).toBe(401)
      expect(await connected()).toBe(false)
      expect(await captured(renewed.token)).toBeOneOf([200, 202])

      world.model.status = 401
      expect(await ask("POST", "model", { anthropicKey: "sk-wrong" })).toEqual(
        refusal(
          400,
          "bad_request",
          "The model was not saved: its server rejects the key (401). Set ANTHROPIC_API_KEY to a valid key."
        )
      )
      world.model.status = 200
      expect((await ask("POST", "model", { anthropicKey: "sk-right" })).json.name).toContain("claude")
      const tested = async (part: string) => (await ask("POST", "test", { part })).json
      expect(await tested("model")).toEqual({
        state: "works",
        says: "Its server answers, and has the model."
      })
      world.model.status = 401
      expect(await tested("model")).toEqual({
        state: "fails",
        says: "Its server rejects the key (401). Set ANTHROPIC_API_KEY to a valid key."
      })
      world.model.status = 200
      expect(await tested("bot")).toEqual({ state: "works", says: "@my_bot answers." })
      expect(await tested("openid")).toEqual({ state: "off", says: "Not connected." })
      const local = modelServer("local-key")
      try {
        expect((await ask("POST", "model", { url: "localhost:1", name: "x" })).json.message).toBe(
          "The model was not saved. Expected an address that begins with https:// or http://, such as http://localhost:11434/v1."
        )
        expect((await ask("POST", "model", { url: local.url, name: "llama3.2" })).json.message).toContain(
          "rejects the key (401). Set MODEL_API_KEY"
        )
        const body = { url: local.url, name: "llama3.2", key: "local-key" }
        expect((await ask("POST", "model", body)).json).toEqual({ name: "llama3.2" })
        // The key is kept for the same server.
        expect((await ask("POST", "model", { url: local.url, name: "llama3.2" })).status).toBe(200)
        expect((await ask("GET")).json).toMatchObject({
          bot: { isSet: true, username: "my_bot", error: null, mode: "polling" },
          extension: { isSet: true, isConnected: true, address },
          model: { isSet: true, name: "llama3.2" },
          links: 2
        })
        expect(written(running)).toBe(
          `TELEGRAM_BOT_TOKEN=${BOT_TOKEN}\nALLOWED_CHAT_ID=${OWNER}\nEXTENSION_TOKEN=${renewed.token}\nANTHROPIC_API_KEY=sk-right\nMODEL_URL=${local.url}\nMODEL_NAME=llama3.2\nMODEL_API_KEY=local-key\n`
        )
        expect((await ask("POST", "model", { anthropicKey: "sk-right" })).json.name).toContain("claude")
        expect(written(running)).not.toContain("MODEL_")
      } finally {
        await local.stop()
      }

      const state = (await ask("GET")).text
      for (const secret of [BOT_TOKEN, "sk-right", "sk-wrong", "local-key", made.token, renewed.token]) {
        expect(state).not.toContain(secret)
        expect(running.output()).not.toContain(secret)
      }
      expect(telegram.problems).toEqual([])
    }))

  test.concurrent("is closed to everyone else, and writes nothing that opens the service", () =>
    untouched(async ({ client, running }) => {
      const paths = ["", "/bot", "/chat", "/extension", "/model", "/test", "/nothing"]
      for (const path of paths)
        for (const method of ["GET", "POST"])
          expect(
            (await client.send(method, `/dashboard/api/setup${path}`, method === "GET" ? undefined : {}, {}))
              .status
          ).toBe(403)
      const crossSite = await client.send(
        "POST",
        "/dashboard/api/setup/extension",
        {},
        {
          "sec-fetch-site": "cross-site"
        }
      )
      expect(crossSite.status).toBe(403)

      const open = { DEV_NO_AUTH: "1", OIDC_ISSUER: "https://evil.example", name: "DEV_NO_AUTH", value: "1" }
      expect((await client.owner("POST", "/api/setup/extension", open)).status).toBe(200)
      expect((await client.owner("POST", "/api/setup", open)).status).toBe(405)
      for (const token of ["1:a\nDEV_NO_AUTH=1", "1:a\rDEV_NO_AUTH=1", "1:a #\u0000"])
        expect((await client.owner("POST", "/api/setup/bot", { ...open, token })).status).toBe(400)
      for (const key of ["sk\nDEV_NO_AUTH=1", "x".repeat(1_025), ""])
        expect((await client.owner("POST", "/api/setup/model", { anthropicKey: key })).status).toBe(400)
      expect(written(running)).toMatch(/^EXTENSION_TOKEN=[0-9a-f]{64}\n$/)
    }))

  long(test.concurrent)("says where nothing can be written, without a path", () =>
    untouched(
      async (service) => {
        const ask = asker(service)
        expect((await ask("GET")).json.writesTo).toBeNull()
        expect(await ask("POST", "bot", { token: BOT_TOKEN })).toEqual(
          refusal(
            409,
            "conflict",
            "The service cannot write TELEGRAM_BOT_TOKEN, and its log says why. Run `linkbower set TELEGRAM_BOT_TOKEN` on its machine."
          )
        )
        const output = service.running.output()
        expect(output).toContain("The folder SECRETS_DIR does not exist, so no setting is read from it.")
        expect(output).toContain("TELEGRAM_BOT_TOKEN cannot be written to ")
        expect(output).not.toContain(BOT_TOKEN)
      },
      { SECRETS_DIR: "nowhere" }
    )
  )
})
