import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import type { ApiMethods } from "@grammyjs/types"
import { adviceOn } from "../../src/cli/WebhookReport.ts"
import { linkbower } from "../support/command.ts"
import { rowsOf } from "../support/rows.ts"
import { CHAT, makeWorld, startService, update } from "../support/service.ts"
import { runHere } from "./support/doctor.ts"

// A test that times out would leave the service running.
const TOKEN = "123456:a-bot-token"

const world = await makeWorld()
const healthy = world.telegram.answer
let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "linkbower-webhook-"))
  world.telegram.calls.length = 0
  world.telegram.answer = healthy
  world.telegram.isInline = false
  world.telegram.webhook = { url: "", has_custom_certificate: false, pending_update_count: 0 }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => world.stop())

/** The environment of a command in the folder, with the fake platform unless a setting overrides it. */
const environment = (settings: Record<string, string>): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ENV_FILE: env(),
  TELEGRAM_BOT_TOKEN: TOKEN,
  TELEGRAM_API_URL: world.telegram.url,
  PUBLIC_URL: "https://links.example.org/",
  ...settings
})

/** Runs `linkbower webhook` in this process. */
const webhook = (words: string, settings: Record<string, string> = {}) =>
  runHere(`webhook ${words}`, environment(settings))

const env = () => join(folder, ".env")
const written = () => parseEnv(readFileSync(env(), "utf8"))["WEBHOOK_SECRET"] ?? ""
const registered = () => world.telegram.calls.find(({ method }) => method === "setWebhook")?.body

describe("linkbower webhook set", () => {
  test("generates a secret, writes it to the dotenv file and registers it, without printing it", async () => {
    writeFileSync(env(), "# Mine\nALLOWED_CHAT_ID=4242\nWEBHOOK_SECRET=\n")
    const { code, error, out } = await linkbower(folder, ["webhook", "set"], environment({}))
    expect([code, error]).toEqual([0, ""])
    expect(written()).toMatch(/^[0-9a-f]{32}$/)
    expect(readFileSync(env(), "utf8")).toBe(`# Mine\nALLOWED_CHAT_ID=4242\nWEBHOOK_SECRET=${written()}\n`)
    expect(statSync(env()).mode & 0o777).toBe(0o600)
    const wanted: Parameters<ApiMethods<unknown>["setWebhook"]>[0] = {
      url: "https://links.example.org/webhook",
      secret_token: written(),
      allowed_updates: ["message", "edited_message", "channel_post", "edited_channel_post", "callback_query"],
      max_connections: 10,
      drop_pending_updates: false
    }
    expect(registered()).toEqual(wanted)
    for (const part of [env(), "Webhook was set", "https://links.example.org/webhook"])
      expect(out).toContain(part)
    for (const secret of [written(), TOKEN]) expect(out).not.toContain(secret)
    expect(world.telegram.problems).toEqual([])
  })

  test("asks for inline queries too if BotFather has switched them on", async () => {
    world.telegram.isInline = true
    await webhook("set", { WEBHOOK_SECRET: "a_secret-1" })
    expect(registered()?.["allowed_updates"]).toContain("inline_query")
    world.telegram.webhook = {
      ...{ url: "https://links.example.org/webhook", has_custom_certificate: false, pending_update_count: 0 },
      allowed_updates: registered()?.["allowed_updates"]
    }
    expect(await webhook("info", { WEBHOOK_SECRET: "a_secret-1" })).toMatchObject({ code: 0 })
  })

  test("writes the secret to its own file in SECRETS_DIR", async () => {
    mkdirSync(join(folder, "secrets"))
    await webhook("set", { SECRETS_DIR: join(folder, "secrets") })
    const secret = readFileSync(join(folder, "secrets/WEBHOOK_SECRET"), "utf8")
    expect(registered()?.["secret_token"]).toBe(secret)
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
  })

  test("registers the existing secret at the given URL", async () => {
    await webhook("set --url https://bot.example.org:8443/hook", { WEBHOOK_SECRET: "a_secret-1" })
    expect(registered()).toMatchObject({
      url: "https://bot.example.org:8443/hook",
      secret_token: "a_secret-1"
    })
    expect(await Bun.file(env()).exists()).toBe(false)
  })

  test("appends /webhook to the service's URL", async () => {
    await webhook("set --url https://links.example.org", { WEBHOOK_SECRET: "a_secret-1" })
    expect(registered()).toMatchObject({ url: "https://links.example.org/webhook" })
  })

  for (const [what, words, settings, error] of [
    ["a missing token", "set", { TELEGRAM_BOT_TOKEN: "" }, "TELEGRAM_BOT_TOKEN is unset"],
    ["a missing address", "set", { PUBLIC_URL: "" }, "set PUBLIC_URL or pass --url"],
    ["a secret that Telegram rejects", "set", { WEBHOOK_SECRET: "ab cd!" }, "WEBHOOK_SECRET must be"],
    ["an HTTP address", "set --url http://a.example", { TELEGRAM_API_URL: "" }, "is not an https address"],
    ["an unsupported port", "set --url https://a.example:444", { TELEGRAM_API_URL: "" }, "has port 444"],
    ["an invalid address", "set --url example", {}, "is not an address"],
    ["a mode that removes it", "set", { TELEGRAM_MODE: "polling" }, "Set TELEGRAM_MODE to auto or webhook"],
    ["an unreachable platform", "set", { TELEGRAM_API_URL: "http://127.0.0.1:9" }, "does not respond"]
  ] as ReadonlyArray<readonly [string, string, Record<string, string>, string]>)
    test(`rejects ${what} in a sentence`, async () => {
      const ran = await webhook(words, settings)
      expect([ran.code, registered()]).toEqual([1, undefined])
      expect(ran.error).toStartWith("linkbower: ")
      expect(ran.error).toContain(error)
      expect(ran.all).not.toMatch(/ab cd!|a-bot-token|\n\s+at /)
    })

  test("prints the platform's error with advice", async () => {
    world.telegram.answer = () =>
      Response.json(
        {
          ok: false,
          error_code: 400,
          description: "Bad Request: bad webhook: Failed to resolve host: No address"
        },
        { status: 400 }
      )
    const { code, error } = await webhook("set")
    expect(code).toBe(1)
    expect(error).toContain("Failed to resolve host")
    expect(error).toContain("DNS record")
  })

  test("makes a running service accept the new secret at once", async () => {
    const { WEBHOOK_SECRET: _, ...settings } = world.settings
    const service = await startService(settings, folder)
    try {
      const address = `${service.base}/webhook`
      const post = (secret: string) =>
        fetch(address, {
          method: "POST",
          headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
          body: "{}"
        })
      expect((await post("")).status).toBe(403)
      expect((await webhook(`set --url ${address}`)).code).toBe(0)
      expect((await world.telegram.deliver(update("hello", {}, CHAT))).status).toBe(200)
      expect((await post("another")).status).toBe(403)
    } finally {
      await service.stop()
    }
  })
})

describe("linkbower webhook info", () => {
  const registeredInfo = {
    url: "https://links.example.org/webhook",
    has_custom_certificate: false,
    pending_update_count: 0,
    max_connections: 10,
    allowed_updates: ["callback_query", "channel_post", "edited_channel_post", "edited_message", "message"]
  }
  const info = (webhookInfo: Record<string, unknown>, settings: Record<string, string> = {}) => {
    world.telegram.webhook = { ...registeredInfo, ...webhookInfo }
    return webhook("info", { WEBHOOK_SECRET: "a-secret", ...settings })
  }
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds

  test("reports a healthy webhook with a past error", async () => {
    const { code, out } = await info({
      last_error_date: secondsAgo(3 * 86_400),
      last_error_message: "Connection timed out"
    })
    expect(code).toBe(0)
    for (const part of [
      registeredInfo.url,
      "Waiting updates: 0",
      "Connection timed out",
      "3 days ago",
      "No problems found"
    ])
      expect(out).toContain(part)
  })

  test("explains a recent error and wrong settings", async () => {
    const { code, error } = await info(
      {
        url: "https://old.example.org/webhook",
        pending_update_count: 3,
        allowed_updates: ["message"],
        last_error_date: secondsAgo(7200),
        last_error_message: "Wrong response from the webhook: 403 Forbidden"
      },
      { WEBHOOK_SECRET: "" }
    )
    expect(code).toBe(1)
    for (const part of [
      "WEBHOOK_SECRET is unset",
      "it should be https://links.example.org/webhook",
      "different kinds of updates",
      "The secret it sends is not WEBHOOK_SECRET"
    ])
      expect(error).toContain(part)
  })

  for (const mode of ["auto", "polling"])
    test(`reports in mode ${mode} that updates are fetched without a webhook`, async () => {
      const { code, out } = await webhook("info", { TELEGRAM_MODE: mode })
      expect([code, out]).toEqual([
        0,
        "No webhook is registered: a running service fetches the updates.\nWaiting updates: 0\nNo problems found.\n"
      ])
    })

  test("reports a missing webhook if updates are not fetched", async () => {
    const { code, error } = await webhook("info", { TELEGRAM_MODE: "webhook" })
    expect([code, error]).toEqual([1, "linkbower: No webhook is registered. Run `linkbower webhook set`.\n"])
  })

  test("reports a webhook that the service removes", async () => {
    const { code, error } = await info({}, { TELEGRAM_MODE: "polling" })
    expect([code, error]).toEqual([
      1,
      "linkbower: TELEGRAM_MODE is polling, so a running service removes this webhook.\n"
    ])
  })

  test("has advice for each error of the platform", () => {
    for (const [out, advice] of rowsOf<readonly [string, string]>(import.meta, "Webhook"))
      expect([out, adviceOn(out)]).toEqual([out, expect.stringContaining(advice)])
  })
})

describe("linkbower webhook delete", () => {
  test("deletes it, and waiting updates only with --drop-pending", async () => {
    world.telegram.webhook = { url: "https://links.example.org/webhook", pending_update_count: 2 }
    const deleted = await webhook("delete")
    expect(deleted.code).toBe(0)
    expect(deleted.out).toStartWith("Telegram says: Webhook was deleted.\n")
    expect((await webhook("delete --drop-pending")).code).toBe(0)
    expect(world.telegram.calls.map(({ body }) => body)).toEqual([
      { drop_pending_updates: false },
      { drop_pending_updates: true }
    ])
  })

  for (const [mode, line] of [
    ["auto", "A running service starts fetching updates within ten seconds."],
    ["polling", "A running service fetches updates."],
    ["webhook", "no update arrives until a webhook is set"]
  ] as const)
    test(`says what happens to updates in mode ${mode}`, async () =>
      expect((await webhook("delete", { TELEGRAM_MODE: mode })).out).toContain(line))
})
