import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fakeModel, fakeTelegram } from "../support/fakes.ts"
import { makeWorld, startService, until, update } from "../support/service.ts"
import { converse } from "../support/terminal.ts"
import { runHere } from "./support/doctor.ts"

const TOKEN = "123456:a-bot-token"
const ENTER = "\r"
const CTRL_C = "\u0003"

const telegram = fakeTelegram()
const model = fakeModel()
let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "linkbower-setup-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => Promise.all([telegram.stop(), model.stop()]))

const environment = () => ({
  ENV_FILE: join(folder, ".env"),
  DATA_DIR: join(folder, "data"),
  TELEGRAM_API_URL: telegram.url,
  ANTHROPIC_BASE_URL: model.url
})
const written = () => (existsSync(join(folder, ".env")) ? readFileSync(join(folder, ".env"), "utf8") : "")
const setup = (words: string) => runHere(`setup ${words}`.trim(), environment())

const from = (id: number, first_name: string) => ({
  chat: { id, type: "private", first_name },
  from: { id, is_bot: false, first_name }
})

describe("linkbower setup with options", () => {
  test("connects each part, and prints no secret that exists", async () => {
    const one = await setup(`--sign-in --bot-token ${TOKEN} --chat-id 4242 --extension`)
    expect([one.code, one.error]).toEqual([0, ""])
    expect(one.out).toMatch(
      /^✓ Open http:\/\/localhost:8787\/setup within 15 minutes and enter the code [A-Z0-9]{5}-[A-Z0-9]{5}\n✓ The bot is @my_bot\.\n✓ The bot serves the chat of 4242 and no other\.\n✓ Open this address.*\n {2}http:\/\/localhost:8787\/connect#token=[0-9a-f]{64}\n$/
    )
    const [, token = ""] = /EXTENSION_TOKEN=(.*)/.exec(written()) ?? []
    expect(one.out).toContain(`#token=${token}`)
    expect(one.out).not.toContain(TOKEN)

    const again = await setup("--extension")
    expect(again.out).toBe("✓ The extension has a token already. To replace it, pass --renew-extension.\n")
    const renewed = await setup("--renew-extension")
    expect(renewed.out).not.toContain(token)
    const keyed = await setup("--anthropic-key sk-a-key")
    expect([keyed.code, keyed.out]).toEqual([0, expect.stringContaining("✓ The model is claude")])
    expect(keyed.out).not.toContain("sk-a-key")
    expect(written()).toContain("\nANTHROPIC_API_KEY=sk-a-key\n")
  })

  test("needs no library where it only writes settings", async () => {
    expect((await setup(`--bot-token ${TOKEN} --chat-id -100123`)).code).toBe(0)
    expect(existsSync(join(folder, "data"))).toBe(false)
    expect(written()).toBe(`TELEGRAM_BOT_TOKEN=${TOKEN}\nALLOWED_CHAT_ID=-100123\n`)
  })

  test("imports a file", async () => {
    writeFileSync(join(folder, "links.txt"), "https://one.example/\nhttps://two.example/\n")
    const { code, out } = await setup(`--import ${join(folder, "links.txt")}`)
    expect([code, out]).toEqual([0, expect.stringContaining("2 new")])
  })

  for (const [words, code, message] of [
    ["", 2, "There is no terminal to ask on. Pass options, such as --sign-in or --bot-token -."],
    ["--bot-token nonsense", 1, "This is not a bot token. Copy the whole token from @BotFather"],
    ["--chat-id 0", 1, "ALLOWED_CHAT_ID was not changed. Expected a chat number in decimal digits."],
    ["--bot-token - --anthropic-key -", 2, "Only one option can be read from standard input."],
    ["--model-name x", 2, "--model-name and --model-key need --model-url."],
    ["--anthropic-key a --model-url http://a.example", 2, "only one of --anthropic-key and --model-url"],
    ["--model-url localhost:1", 1, "Expected an address that begins with https:// or http://"],
    ["--model-url http://127.0.0.1:9", 1, "its server cannot be reached"],
    ["--import /nowhere.html", 1, "/nowhere.html"],
    ["--bot-tokn x", 2, "Did you mean --bot-token?"]
  ] as const)
    test(`refuses "${words}" with ${code}`, async () => {
      const ran = await setup(words)
      expect([ran.code, ran.error]).toEqual([code, expect.stringContaining(message)])
      expect(written()).toBe("")
    })
})

describe("linkbower setup on a terminal", () => {
  test("asks for each part, also again, without a service", async () => {
    const terminal = converse(folder, ["setup"], environment())
    await terminal.sees("The service is not running.")
    await terminal.answer("Sign in with a password or a passkey?", "y")
    await terminal.sees("/setup within 15 minutes and enter the code ")
    await terminal.answer("Its token", `nonsense${ENTER}`)
    await terminal.sees("! This is not a bot token.")
    await terminal.answer("Its token", `${TOKEN}${ENTER}`)
    await terminal.sees("✓ The bot is @my_bot.")
    await terminal.sees("Waiting for your message")
    telegram.send(update("hello", from(4242, "Ann")))
    telegram.send(update("hello", from(666, "Mal\u001b[31mlory")))
    await terminal.answer("Message from Mal [31mlory (666). Yours?", "n")
    await terminal.answer("Message from Ann (4242). Yours?", "y")
    await terminal.sees("✓ The bot serves the chat of Ann (4242) and no other.")
    await terminal.answer("Connect the browser extension?", "n")
    await terminal.answer("Which model writes", ENTER)
    await terminal.answer("A file of bookmarks", ENTER)
    await terminal.sees("Done. Your library is at http://localhost:8787/dashboard")
    expect(await terminal.ended()).toBe(0)
    expect(terminal.shown()).not.toContain(TOKEN)
    expect(written()).toBe(`TELEGRAM_BOT_TOKEN=${TOKEN}\nALLOWED_CHAT_ID=4242\n`)
    // The service still gets the messages.
    expect(telegram.updates.waiting()).toHaveLength(2)
    telegram.updates.clear()
  })

  test("ends with 130 at Ctrl+C, and keeps what was done", async () => {
    writeFileSync(join(folder, ".env"), "PORT=9999\n")
    const terminal = converse(folder, ["setup"], environment())
    await terminal.answer("Sign in with a password or a passkey?", "n")
    await terminal.answer("Its token", CTRL_C)
    expect(await terminal.ended()).toBe(130)
    expect(written()).toBe("PORT=9999\n")
  })

  test("hands the bot and its owner's chat to a running service", async () => {
    const world = await makeWorld()
    const {
      ALLOWED_CHAT_ID: _,
      TELEGRAM_BOT_TOKEN: __,
      TELEGRAM_MODE: ___,
      WEBHOOK_SECRET: ____,
      ...settings
    } = world.settings
    const service = await startService(settings, folder)
    try {
      const terminal = converse(folder, ["setup"], {
        ...environment(),
        ...settings,
        TELEGRAM_API_URL: world.telegram.url
      })
      await terminal.answer("Sign in with", "n")
      await terminal.answer("Its token", `${TOKEN}${ENTER}`)
      await terminal.sees("Waiting for your message")
      expect(terminal.shown()).not.toContain("The service is not running.")
      await until(() => service.output().includes("by long polling"))
      world.telegram.send(update("hello", from(4242, "Ann")))
      const code = await until(() => /\d{6}/.exec(world.telegram.texts().join("\n"))?.[0])
      await terminal.answer(`Message from Ann (4242). Yours, with the code ${code}?`, "y")
      await terminal.answer("Replace its token?", CTRL_C)
      expect(await terminal.ended()).toBe(130)
      await until(() => world.telegram.texts().some((text) => text.includes("Connected")))
      expect(world.telegram.problems).toEqual([])
    } finally {
      await service.stop()
      await world.stop()
    }
  })
})
