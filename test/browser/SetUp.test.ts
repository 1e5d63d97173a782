import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { makeWorld, until, update, type World } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import { vitals } from "./support/measure.ts"
import { type NewService, setPassword, signIn, startNew } from "./support/newOwner.ts"

setDefaultTimeout(TEST_TIMEOUT)

const BOT_TOKEN = "123456:a-bot-token"
const OWNER = 4242

let world: World
let service: NewService
const files = makeFiles()
beforeAll(async () => {
  world = await makeWorld()
  const { FETCH_ALLOW = "", TELEGRAM_API_URL = "" } = world.settings
  service = await startNew({ FETCH_ALLOW, TELEGRAM_API_URL })
})
afterAll(async () => {
  await service.stop()
  service.clean()
  await world.stop()
  files.clean()
})

const step = (page: Page, name: string) => page.locator(`#${name}`)
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const written = () => readFileSync(join(service.folder, ".env"), "utf8")

/** What the bot has sent to a chat. */
const sentTo = (chat: number) =>
  world.telegram.calls
    .filter(({ body, method }) => method === "sendMessage" && body["chat_id"] === chat)
    .map(({ body }) => String(body["text"]))

const from = (id: number, first_name: string) => ({
  chat: { id, type: "private", first_name },
  from: { id, is_bot: false, first_name }
})

// In the order of a new owner's first hour: each test goes on where the one before has ended.
describe("the first hour", () => {
  test("leads from an empty folder to a link that was sent to the bot", () =>
    service.look("/", async (page, problems) => {
      problems.expect(/status of 40[03]/)
      await setPassword(page, service)
      await page.getByText("0 of 5 done").waitFor()

      // The bot: a mistake is told by Telegram, the right token at once opens the next step.
      const { telegram } = world
      telegram.answer = ({ method }) =>
        method === "getMe"
          ? Response.json({ ok: false, error_code: 401, description: "Unauthorized" }, { status: 401 })
          : undefined
      await page.getByRole("textbox", { name: "Token" }).fill("123456:revoked")
      await button(page, "Connect the bot").click()
      await page.getByText("Telegram says: Unauthorized.").waitFor()
      telegram.answer = () => undefined
      await page.getByRole("textbox", { name: "Token" }).fill(BOT_TOKEN)
      await button(page, "Connect the bot").click()
      await until(() => page.evaluate(() => document.activeElement?.closest("details")?.id === "chat"))
      expect(written()).toContain(`TELEGRAM_BOT_TOKEN=${BOT_TOKEN}`)

      // The chat: a wrong code, then the one that the bot sends.
      await page.getByRole("textbox", { name: "Code from the bot" }).waitFor()
      telegram.send(update("hello", from(OWNER, "Ann")))
      const code = await until(() => /\d{6}/.exec(sentTo(OWNER).join("\n"))?.[0])
      await page.getByText(`Message from Ann (4242). Is it yours, with the code ${code}?`).waitFor()
      await page.getByRole("textbox", { name: "Code from the bot" }).fill(code === "000000" ? "1" : "000000")
      await button(page, "This is my chat").click()
      await page.getByText("This code is wrong.").waitFor()
      await page.getByRole("textbox", { name: "Code from the bot" }).fill(code)
      await page.keyboard.press("Enter")
      await until(() => page.evaluate(() => document.activeElement?.closest("details")?.id === "extension"))
      expect(written()).toContain(`ALLOWED_CHAT_ID=${OWNER}`)

      // The extension: a token of its own, the link and its code for a camera.
      await button(page, "Set it up").click()
      const connection = page.getByRole("textbox", { name: "Connection" })
      await connection.waitFor()
      const link = await connection.inputValue()
      expect(link).toMatch(new RegExp(`^${service.base}/connect#token=[0-9a-f]{64}$`))
      expect(written()).toContain(`EXTENSION_TOKEN=${link.split("=")[1]}`)
      await page.getByRole("img", { name: /connects the extension/ }).waitFor()
      expect(await page.getByRole("link", { name: "Connect the extension" }).getAttribute("href")).toBe(link)

      // The import.
      await step(page, "import").locator("summary").click()
      const address = `${world.pages.url}/plain?t=A+bookmark`
      await page
        .getByLabel("File")
        .setInputFiles(
          files.write("bookmarks.html", netscapeOf("Tea", [{ url: address, title: "A bookmark" }]))
        )
      await button(page, "Import").click()
      await page.getByText("Imported 1 link.").waitFor()
      await page.getByText("4 of 5 done").waitFor()

      // A link sent to the bot is in the dashboard.
      telegram.send(update(`${world.pages.url}/plain?t=Sent+by+chat`, from(OWNER, "Ann")))
      await until(() => sentTo(OWNER).some((text) => text.includes("Sent by chat")))
      await page.getByRole("link", { name: "Open the dashboard" }).click()
      await page.locator(".card", { hasText: "Sent by chat" }).waitFor()
    }))

  test("says in each step what is wrong with it", () =>
    service.look("/setup", async (page, problems) => {
      problems.expect(/status of 400/)
      await signIn(page)
      await page.getByText("4 of 5 done").waitFor()
      await step(page, "chat").locator("summary").click()
      await page.getByText("ignores everybody else").waitFor()
      await step(page, "model").locator("summary").click()
      await button(page, "Try it and connect").click()
      await page.getByText("Enter the key.").waitFor()
      await page.getByText("Another, or one on this machine").click()
      await page.getByRole("textbox", { name: "Address" }).fill("not an address")
      await button(page, "Try it and connect").click()
      await page.getByText("The model was not saved.").waitFor()
      await step(page, "import").locator("summary").click()
      await button(page, "Import").click()
      await page.getByText("Choose a file.").waitFor()
    }))
})

/** Looks at a page as the owner, signed in. */
const lookAt = (path: string, body: (page: Page) => Promise<void>, view = {}) =>
  service.look(
    path,
    async (page) => {
      await signIn(page)
      await body(page)
    },
    view
  )

describe("the set-up page", () => {
  test("has no layout shift", () =>
    lookAt("/setup", async (page) => {
      await page.getByText("4 of 5 done").waitFor()
      await page.reload()
      await page.getByText("4 of 5 done").waitFor()
      await page.waitForTimeout(400)
      const { cumulativeLayoutShift, shifted } = await vitals(page)
      expect([cumulativeLayoutShift, shifted]).toEqual([0, []])
    }))

  testAccessibility(
    (device, check) =>
      lookAt(
        "/setup",
        async (page) => {
          await page.getByText("4 of 5 done").waitFor()
          await check(page, "setup-model")
          await step(page, "extension").locator("summary").click()
          await button(page, "Connect another browser").click()
          await page.getByRole("textbox", { name: "Connection" }).waitFor()
          await check(page, "setup-extension")
          for (const name of ["bot", "import"]) {
            await step(page, name).locator("summary").click()
            await check(page, `setup-${name}`)
          }
          await page.route("**/dashboard/api/setup", async (route) => {
            const response = await route.fetch()
            const now = await response.json()
            await route.fulfill({
              json: { ...now, chat: { isSet: false, candidates: [{ chatId: OWNER, name: "Ann" }] } }
            })
          })
          await page.goto("/setup#chat")
          await page.getByText("Message from Ann").waitFor()
          await check(page, "setup-chat")
        },
        { device }
      ),
    "the set-up"
  )
})

describe("the page that connects the extension", () => {
  test("says what to do with and without a token, which it does not send", () =>
    lookAt("/connect#token=0123", async (page) => {
      await page.getByText("Stay on this page").waitFor()
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(`${request.url()} ${request.headers()["referer"] ?? ""}`))
      await page.reload()
      await page.getByText("The button does not work?").click()
      expect(await page.getByRole("textbox", { name: "Connection" }).inputValue()).toBe(
        `${service.base}/connect#token=0123`
      )
      await page.goto("/connect")
      await page.getByText("This address has no token.").waitFor()
      expect(
        asked.filter((one) => one.includes("0123") && !one.startsWith(`${service.base}/connect#`))
      ).toEqual([])
    }))

  testAccessibility(
    (device, check) =>
      lookAt(
        "/connect#token=0123",
        async (page) => {
          await page.getByText("The button does not work?").waitFor()
          await check(page, "connect")
          await page.getByText("The button does not work?").click()
          await check(page)
        },
        { device }
      ),
    "the connection"
  )
})

describe("the front page", () => {
  test("shows strangers a plain door", () =>
    service.look("/", async (page) => {
      expect(new URL(page.url()).pathname).toBe("/")
      await page.getByRole("heading", { name: "A private library of links" }).waitFor()
      expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex")
      await page.getByRole("link", { name: "Sign in" }).click()
      await page.waitForURL("**/signin")
    }))

  testAccessibility(
    (device, check) =>
      visit({ base: service.base, device }, async (page) => {
        await page.goto("/")
        await check(page, "door")
      }),
    "the door"
  )

  test("leads strangers to the list once something is shared", async () => {
    await lookAt("/dashboard", async (page) => {
      await page.locator(".card", { hasText: "Sent by chat" }).waitFor()
      await page.evaluate(() =>
        fetch("/dashboard/api/mutate", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: '{"op":"shareable","ids":[1],"shareable":true}'
        })
      )
    })
    await service.look("/", async (page) => {
      expect(new URL(page.url()).pathname).toBe("/list")
      await page.getByRole("heading", { level: 1 }).waitFor()
    })
  })
})
