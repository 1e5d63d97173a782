import { afterEach, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseEnv } from "node:util"
import { BunContext } from "@effect/platform-bun"
import type { ApiMethods } from "@grammyjs/types"
import { Effect, Exit } from "effect"
import { run } from "../../src/cli/Cli.ts"
import { adviceOn } from "../../src/cli/WebhookReport.ts"
import { PROGRAM } from "../support/program.ts"
import { CHAT, makeWorld, startService, update, type World } from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(30_000)

const TOKEN = "123456:a-bot-token"
const MAIN = resolve(import.meta.dir, "../../src/main.ts")

let world: World
let folder: string
beforeEach(async () => {
  world = await makeWorld()
  folder = mkdtempSync(join(tmpdir(), "linkbower-webhook-"))
})
afterEach(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The environment of a command in the folder, with the fake platform unless a setting says otherwise. */
const environment = (settings: Record<string, string>): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ENV_FILE: env(),
  TELEGRAM_BOT_TOKEN: TOKEN,
  TELEGRAM_API_URL: world.telegram.url,
  PUBLIC_URL: "https://links.example.org/",
  ...settings
})

/** Runs `linkbower webhook` as a process of its own. */
const webhookProcess = async (words: string, settings: Record<string, string> = {}) => {
  const child = Bun.spawn([...PROGRAM, "webhook", ...words.split(" ")], {
    cwd: folder,
    env: environment(settings),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const [code, said, complaint] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  return { code, said, complaint, all: said + complaint }
}

/** The same within this process, which starts faster. */
const webhook = async (words: string, settings: Record<string, string> = {}) => {
  const log: Array<string> = []
  const errors: Array<string> = []
  const spies = [
    spyOn(console, "log").mockImplementation((line) => void log.push(`${line}\n`)),
    spyOn(console, "error").mockImplementation((line) => void errors.push(`${line}\n`))
  ]
  const exit = await Effect.runPromiseExit(
    run(Effect.void, ["bun", MAIN, "webhook", ...words.split(" ")], environment(settings)).pipe(
      Effect.provide(BunContext.layer)
    )
  )
  for (const spy of spies) spy.mockRestore()
  const [said, complaint] = [log.join(""), errors.join("")]
  return { code: Exit.isSuccess(exit) ? 0 : 1, said, complaint, all: said + complaint }
}

const env = () => join(folder, ".env")
const written = () => parseEnv(readFileSync(env(), "utf8"))["WEBHOOK_SECRET"] ?? ""
const registered = () => world.telegram.calls.find(({ method }) => method === "setWebhook")?.body

describe("linkbower webhook set", () => {
  test("makes a secret, writes it to the dotenv file, registers it, and shows it to nobody", async () => {
    writeFileSync(env(), "# Mine\nALLOWED_CHAT_ID=4242\nWEBHOOK_SECRET=\n")
    const { all, code, complaint, said } = await webhookProcess("set")
    expect([code, complaint]).toEqual([0, ""])
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
      expect(said).toContain(part)
    for (const secret of [written(), TOKEN]) expect(all).not.toContain(secret)
    expect(world.telegram.problems).toEqual([])
  })

  test("writes the secret to a file of its own where there is a folder of secrets", async () => {
    mkdirSync(join(folder, "secrets"))
    await webhook("set", { SECRETS_DIR: join(folder, "secrets") })
    const secret = readFileSync(join(folder, "secrets/WEBHOOK_SECRET"), "utf8")
    expect(registered()?.["secret_token"]).toBe(secret)
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
  })

  test("registers the secret there is, at the address it is given", async () => {
    await webhook("set --url https://bot.example.org:8443/hook", { WEBHOOK_SECRET: "a_secret-1" })
    expect(registered()).toMatchObject({
      url: "https://bot.example.org:8443/hook",
      secret_token: "a_secret-1"
    })
    expect(await Bun.file(env()).exists()).toBe(false)
  })

  test("knows where the webhook is, given where the service is", async () => {
    await webhook("set --url https://links.example.org", { WEBHOOK_SECRET: "a_secret-1" })
    expect(registered()).toMatchObject({ url: "https://links.example.org/webhook" })
  })

  for (const [what, words, settings, complaint] of [
    ["no token", "set", { TELEGRAM_BOT_TOKEN: "" }, "TELEGRAM_BOT_TOKEN is unset"],
    ["no address", "set", { PUBLIC_URL: "" }, "set PUBLIC_URL or pass --url"],
    ["a secret the platform does not take", "set", { WEBHOOK_SECRET: "ab cd!" }, "WEBHOOK_SECRET must be"],
    [
      "an address without https",
      "set --url http://a.example",
      { TELEGRAM_API_URL: "" },
      "is not an https address"
    ],
    [
      "a port that is not called",
      "set --url https://a.example:444",
      { TELEGRAM_API_URL: "" },
      "has port 444"
    ],
    ["what is no address", "set --url example", {}, "is not an address"],
    ["a platform out of reach", "set", { TELEGRAM_API_URL: "http://127.0.0.1:9" }, "does not respond"]
  ] as ReadonlyArray<readonly [string, string, Record<string, string>, string]>)
    test(`refuses ${what} in a sentence`, async () => {
      const ran = await webhook(words, settings)
      expect([ran.code, registered()]).toEqual([1, undefined])
      expect(ran.complaint).toStartWith("linkbower: ")
      expect(ran.complaint).toContain(complaint)
      expect(ran.all).not.toMatch(/ab cd!|a-bot-token|\n\s+at /)
    })

  test("says what the platform says against it", async () => {
    world.telegram.answer = () =>
      Response.json(
        {
          ok: false,
          error_code: 400,
          description: "Bad Request: bad webhook: Failed to resolve host: No address"
        },
        { status: 400 }
      )
    const { code, complaint } = await webhook("set")
    expect(code).toBe(1)
    expect(complaint).toContain("Failed to resolve host")
    expect(complaint).toContain("DNS record")
  })

  test("has a running service take updates with the new secret at once", async () => {
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
      expect((await webhookProcess(`set --url ${address}`)).code).toBe(0)
      expect((await world.telegram.deliver(update("hello", {}, CHAT))).status).toBe(200)
      expect((await post("another")).status).toBe(403)
    } finally {
      await service.stop()
    }
  })
})

describe("linkbower webhook info", () => {
  const healthy = {
    url: "https://links.example.org/webhook",
    has_custom_certificate: false,
    pending_update_count: 0,
    max_connections: 10,
    allowed_updates: ["callback_query", "channel_post", "edited_channel_post", "edited_message", "message"]
  }
  const info = (webhookInfo: Record<string, unknown>, settings: Record<string, string> = {}) => {
    world.telegram.webhook = { ...healthy, ...webhookInfo }
    return webhook("info", { WEBHOOK_SECRET: "a-secret", ...settings })
  }
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds

  test("tells of a webhook in order, with an error that is past", async () => {
    const { code, said } = await info({
      last_error_date: secondsAgo(3 * 86_400),
      last_error_message: "Connection timed out"
    })
    expect(code).toBe(0)
    for (const part of [
      healthy.url,
      "Waiting updates: 0",
      "Connection timed out",
      "3 days ago",
      "No problems found"
    ])
      expect(said).toContain(part)
  })

  test("explains the last error while it goes on, and where the webhook is not as it should be", async () => {
    const { code, complaint } = await info(
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
      expect(complaint).toContain(part)
  })

  test("says that there is none", async () => {
    const { code, complaint } = await webhookProcess("info")
    expect([code, complaint]).toEqual([
      1,
      "linkbower: No webhook is registered. Run `linkbower webhook set`.\n"
    ])
  })

  test("knows what to do about each failure the platform tells of", () => {
    for (const [said, advice] of [
      ["Wrong response from the webhook: 403 Forbidden", "WEBHOOK_SECRET"],
      ["Wrong response from the webhook: 302 Found", "login"],
      ["Wrong response from the webhook: 401 Unauthorized", "login"],
      ["Wrong response from the webhook: 404 Not Found", "must end in /webhook"],
      ["Wrong response from the webhook: 413 Payload Too Large", "limits the body size"],
      ["Wrong response from the webhook: 429 Too Many Requests", "limits requests"],
      ["Wrong response from the webhook: 500 Internal Server Error", "log"],
      ["Wrong response from the webhook: 502 Bad Gateway", "cannot connect to Linkbower"],
      ["Wrong response from the webhook: 530", "cannot connect to Linkbower"],
      ["Wrong response from the webhook: 503 Service Unavailable", "disk"],
      ["Connection refused", "Nothing listens"],
      ["Connection timed out", "in time"],
      ["Read timeout expired", "in time"],
      ["Connection reset by peer", "breaks"],
      ["SSL error {error:0A000086:SSL routines::certificate verify failed}", "certificate"],
      ["Failed to resolve host: Name or service not known", "DNS"],
      ["Bad Request: bad webhook: IP address 192.168.0.3 is reserved", "private address"],
      ["Bad Request: bad webhook: An HTTPS URL must be provided for webhook", "https"],
      ["Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443", "443, 80"],
      ["Unauthorized", "TELEGRAM_BOT_TOKEN"],
      ["Not Found", "TELEGRAM_BOT_TOKEN"],
      ["Something quite unheard of", "does not know this error"]
    ] as const)
      expect([said, adviceOn(said)]).toEqual([said, expect.stringContaining(advice)])
  })
})

describe("linkbower webhook delete", () => {
  test("deletes it, and what waits only where it is told to", async () => {
    world.telegram.webhook = { url: "https://links.example.org/webhook", pending_update_count: 2 }
    expect(await webhook("delete")).toMatchObject({ code: 0, said: "Telegram says: Webhook was deleted.\n" })
    expect((await webhook("delete --drop-pending")).code).toBe(0)
    expect(world.telegram.calls.map(({ body }) => body)).toEqual([
      { drop_pending_updates: false },
      { drop_pending_updates: true }
    ])
  })
})
