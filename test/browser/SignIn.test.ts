import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Cookie, Page } from "playwright-core"
import { makeWorld, until, update, type World } from "../support/service.ts"
import { isLong, long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import { vitals } from "./support/measure.ts"
import {
  type Authenticator,
  addAuthenticator,
  type NewService,
  setPassword,
  signIn,
  startNew
} from "./support/newOwner.ts"
import type { Problems } from "./support/problems.ts"

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

const codeField = (page: Page) => page.getByRole("textbox", { name: "One-time code" })
const passkeyButton = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" })
const settings = (page: Page) => page.getByRole("heading", { name: "Settings", level: 1 }).waitFor()
const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

/** Adds a passkey in the settings; returns it. */
const addPasskey = async (page: Page, device: Authenticator) => {
  await click(page, "Add a passkey")
  const credential = await until(async () => (await device.credentials())[0])
  await page.getByText("Passkey added").last().waitFor()
  return credential
}

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

/** The session of the first visit as the owner, for those that follow: to check a password costs much on purpose. */
let session: Array<Cookie> = []

/** Looks at a page as the owner, signed in. */
const lookAt = (path: string, body: (page: Page, problems: Problems) => Promise<void>, view = {}) =>
  visit({ base: service.base, ...view }, async (page, problems) => {
    if (session.length === 0) {
      await page.goto("/signin")
      await signIn(page)
      await page.waitForURL("**/dashboard")
      session = await page.context().cookies()
    } else await page.context().addCookies(session)
    await page.goto(path)
    await body(page, problems)
  })

// In the order of a new owner's first hour: each test goes on where the one before has ended.
describe("the first hour", () => {
  long(testAccessibility)(
    (device, check) =>
      service.look(
        "/signin",
        async (page) => {
          await codeField(page).waitFor()
          if (isLong) await check(page, "signin-new")
          await page.getByText("Where is the code?").click()
          await check(page)
        },
        { device }
      ),
    "the page that asks for the code"
  )

  test("begins with a code: says that one is wrong, and how long one is valid", () =>
    service.look("/signin", async (page, problems) => {
      problems.expect(/status of 403/)
      await page.getByText("It is valid for 15 minutes").waitFor()
      await click(page, "Continue")
      await page.getByText("Enter the code.").waitFor()
      await codeField(page).fill("AAAAA-AAAAA")
      await page.keyboard.press("Enter")
      await page.getByText("This code is wrong or has expired.").waitFor()
    }))

  long(testAccessibility)(
    (device, check) =>
      service.look(
        "/signin",
        async (page) => {
          await page.route("**/signin/api/code", (route) => route.fulfill({ status: 204 }))
          await codeField(page).fill("AAAAA-AAAAA")
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "Choose how to sign in" }).waitFor()
          // The next step is announced.
          await until(() => page.evaluate(() => document.activeElement?.tagName === "H1"))
          await check(page, "signin-choose")
        },
        { device }
      ),
    "the choice of a way to sign in"
  )

  test("leads from an empty folder to a link that was sent to the bot", () =>
    service.look("/", async (page, problems) => {
      problems.expect(/status of 40[03]/)
      expect(new URL(page.url()).pathname).toBe("/signin")
      await page.getByRole("heading", { name: "Set up your library" }).waitFor()
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

      // The extension: a token of its own, and the link.
      await button(page, "Set it up").click()
      const connection = page.getByRole("textbox", { name: "Connection" })
      await connection.waitFor()
      const link = await connection.inputValue()
      expect(link).toMatch(new RegExp(`^${service.base}/connect#token=[0-9a-f]{64}$`))
      expect(written()).toContain(`EXTENSION_TOKEN=${link.split("=")[1]}`)
      // A camera is offered no address of this device alone.
      await page.getByText("Only this device can open this address.").waitFor()
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
      await page.getByText("1 new link.").waitFor()
      await page.getByText("4 of 5 done").waitFor()

      // A link sent to the bot is in the dashboard.
      telegram.send(update(`${world.pages.url}/plain?t=Sent+by+chat`, from(OWNER, "Ann")))
      await until(() => sentTo(OWNER).some((text) => text.includes("Sent by chat")))
      await page.getByRole("link", { name: "Open the dashboard" }).click()
      await page.locator(".card", { hasText: "Sent by chat" }).waitFor()
      await page.goto("/signin")
      await page.getByRole("heading", { name: "You are signed in" }).waitFor()
      await page.goto("/")
      await page.waitForURL("**/dashboard")
    }))

  long(test)("says in each step what is wrong with it", () =>
    lookAt("/setup", async (page, problems) => {
      problems.expect(/status of 400/)
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
    })
  )
})

describe("the page for signing in", () => {
  test("answers at the private address that was asked for, waits for a service that is restarting, says what is wrong, and opens the address after the password", () =>
    service.look("/dashboard/settings#sign-in", async (page, problems) => {
      problems.expect(/ERR_CONNECTION_REFUSED/)
      problems.expect(/status of 503/)
      problems.expect(/status of 429/)
      await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor()
      await signIn(page, "not the password")
      await page.getByText("This password is wrong.").waitFor()
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("password")
      let asked = 0
      await page.route("**/signin/api/password", (route) => {
        asked += 1
        if (asked === 1)
          return route.fulfill({
            status: 429,
            json: {
              error: "too_many_requests",
              message: "There were too many attempts. Try again in 12 minutes."
            }
          })
        if (asked === 2) return route.abort("connectionrefused")
        return asked === 3 ? route.fulfill({ status: 503 }) : route.continue()
      })
      await signIn(page)
      await page.getByText("Try again in 12 minutes.").waitFor()
      await signIn(page)
      await page.getByText("Waiting for the service…").waitFor()
      await settings(page)
      session = await page.context().cookies()
      expect(asked).toBe(4)
      expect(new URL(page.url()).pathname).toBe("/dashboard/settings")
    }))

  long(test)("has no layout shift and takes less than 25 kB", () =>
    visit({ base: service.base, isFirst: true }, async (page) => {
      await page.goto("/signin")
      const { cumulativeLayoutShift, shifted } = await vitals(page)
      expect([cumulativeLayoutShift, shifted]).toEqual([0, []])
      const bytes = await page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
          (sum, entry) => sum + ("transferSize" in entry ? Number(entry.transferSize) : 0),
          0
        )
      )
      expect(bytes).toBeLessThan(25_000)
      expect(bytes).toBeGreaterThan(5_000)
    })
  )

  long(test)("says why passkeys do not work at an IP address, and what to do", async () => {
    await visit({ base: service.base.replace("localhost", "127.0.0.1") }, async (page) => {
      await page.route("**/signin/api/code", (route) => route.fulfill({ status: 204 }))
      await page.goto("/signin")
      await page.getByText("Another way").click()
      await codeField(page).fill("AAAAA-AAAAA")
      await click(page, "Continue")
      await page.getByText("Passkeys need a name").waitFor()
      expect(await page.getByRole("button", { name: "Create a passkey" }).isDisabled()).toBe(true)
    })
  })

  long(test)("says without scripts that it needs them, and sends nothing", () =>
    service.look(
      "/signin",
      async (page) => {
        await page.getByText("This page needs JavaScript.").waitFor()
        expect(await page.locator("form:not([method=post])").count()).toBe(0)
      },
      { scripts: false }
    )
  )
})

/** Shows the page as it is where the bot and an identity provider are set up too. */
const withAllWays = (page: Page) =>
  page.route(/\/(signin|dashboard\/tags|connect)(#.*)?$/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({
      response,
      body: text.replace(/"bot":(true|false),"oidc":null/, '"bot":true,"oidc":"auth.example.org"')
    })
  })

/** Answers the questions about the bot's chat one after the other. */
const botAnswers = async (page: Page, ...states: ReadonlyArray<string>) => {
  const left = [...states]
  await page.route("**/signin/api/bot", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 202, json: { expiresAt: "2030-01-01T00:00:00.000Z" } })
      : route.fulfill({ json: { state: left.shift() ?? "waiting" } })
  )
}

describe("the other ways", () => {
  long(test)("ask in the owner's chat, and say what came of it", () =>
    visit({ base: service.base }, async (page, problems) => {
      // The last answer is made up, so the dashboard refuses the page.
      problems.expect(/status of 403/)
      await withAllWays(page)
      await botAnswers(page, "waiting", "denied", "expired", "allowed")
      await page.goto("/signin")
      const ask = page.getByRole("button", { name: "Ask in the chat with the bot" })
      await ask.click()
      await page.getByText("press Allow there").waitFor()
      await page.getByText("It was denied in the chat.").waitFor()
      await ask.click()
      await page.getByText("Nobody answered in the chat in time.").waitFor()
      await ask.click()
      await page.waitForURL("**/dashboard")
    })
  )

  test("lead to the identity provider and back to the address that was asked for", () =>
    visit({ base: service.base }, async (page, problems) => {
      problems.expect(/status of 403/)
      await withAllWays(page)
      await page.goto("/dashboard/tags")
      const link = page.getByRole("link", { name: "Sign in with auth.example.org" })
      await until(async () => (await link.getAttribute("href")) === "/signin/oidc?to=%2Fdashboard%2Ftags")
      await page.goto("/connect#token=the-extensions-token")
      await until(async () => (await link.getAttribute("href")) === "/signin/oidc?to=%2Fconnect")
      await page.goto("/signin")
      expect(await link.getAttribute("href")).toBe("/signin/oidc")
    }))

  long(testAccessibility)(
    (device, check) =>
      visit({ base: service.base, device }, async (page) => {
        await withAllWays(page)
        await botAnswers(page)
        await page.goto("/signin")
        await page.getByRole("link", { name: "Sign in with auth.example.org" }).waitFor()
        await check(page, "signin-all")
        if (!isLong) return
        await page.getByRole("button", { name: "Ask in the chat with the bot" }).click()
        await page.getByText("press Allow there").waitFor()
        await check(page, "signin-bot")
      }),
    "every way to sign in"
  )
})

describe("passkeys", () => {
  test("are added in the settings, renamed, open the library until they are removed", () =>
    lookAt("/dashboard/settings#sign-in", async (page, problems) => {
      // The last page, and the pictures that the dashboard still asks for when its cookies are cleared.
      problems.expect(/status of 403/)
      const device = await addAuthenticator(page)
      const passkey = await addPasskey(page, device)
      // The same device does not get a second one.
      await click(page, "Add a passkey")
      await page.getByText("This device already has a passkey").waitFor()
      await page.getByRole("button", { name: /^Rename the passkey/ }).click()
      await page.getByRole("textbox", { name: "Name" }).fill("The phone")
      await click(page, "Rename")
      await page.getByText("The phone", { exact: true }).waitFor()

      await click(page, "Sign out")
      await page.waitForURL("**/signin")
      session = []
      await passkeyButton(page).click()
      await page.waitForURL("**/dashboard")

      // No passkey on the device: as if the owner had cancelled.
      await page.context().clearCookies()
      await page.goto("/signin")
      expect(await device.takeAll()).toMatchObject([{ credentialId: passkey.credentialId }])
      await passkeyButton(page).click()
      await page.getByText("the request was cancelled").waitFor()

      await signIn(page)
      await page.waitForURL("**/dashboard")
      await page.goto("/dashboard/settings#sign-in")
      await page.getByRole("button", { name: "Remove the passkey The phone" }).click()
      await click(page, "Remove")
      await page.getByText("Passkey removed").waitFor()
      session = await page.context().cookies()
      await page.context().clearCookies()
      await page.goto("/dashboard")
      await page.getByRole("textbox", { name: "Password", exact: true }).waitFor()
      expect(await passkeyButton(page).count()).toBe(0)
    }))
})

describe("signing out", () => {
  test("leaves nothing private in the browser, nor behind the back button", async () => {
    const inTwoTabs = async (page: Page, problems: Problems) => {
      problems.expect(/status of 403/)
      await page.locator(".card").first().waitFor()
      await page.evaluate(() => {
        localStorage.setItem("linkbower.draft.1", '{"note":"private"}')
        localStorage.setItem("linkbower.theme", "dark")
        sessionStorage.setItem("linkbower.position.1", "[1,2]")
      })
      await until(() => page.evaluate(async () => (await caches.keys()).length > 0))
      await page.goto("/dashboard/settings#sign-in")
      const other = await page.context().newPage()
      await other.goto("/dashboard")
      await other.locator(".card").first().waitFor()
      await click(page, "Sign out")
      await page.waitForURL("**/signin")
      await other.waitForURL("**/signin")
      session = []
      // Two settings of this browser, which say nothing about the library.
      expect(await page.evaluate(() => Object.keys(localStorage).toSorted())).toEqual([
        "linkbower.offline",
        "linkbower.theme"
      ])
      expect(await page.evaluate(async () => [await caches.keys(), Object.keys(sessionStorage)])).toEqual([
        [],
        []
      ])
      await page.goBack()
      await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor()
      expect(await page.content()).not.toContain("Sent by chat")
    }
    await lookAt("/dashboard", inTwoTabs, { serviceWorker: true })
  })
})

describe("a session", () => {
  test("is listed, and ended from another browser while the owner types; the text stays", () =>
    lookAt("/dashboard", async (page, problems) => {
      problems.expect(/status of 403/)
      await page.locator(".card").first().focus()
      await page.keyboard.press("Space")
      const pane = page.getByRole("complementary", { name: "Details" })
      await pane.getByRole("button", { name: /^(Edit the|Add a) note$/ }).click()
      const note = pane.getByRole("textbox", { name: "Note", exact: true })
      await note.fill("half a thou")
      await service.look("/dashboard/settings#sign-in", async (other) => {
        await signIn(other)
        await settings(other)
        await other.getByText(/this browser, .* with password/).waitFor()
        await click(other, "Sign out everywhere else")
        await other.getByText("All other browsers are signed out").waitFor()
        session = await other.context().cookies()
      })
      await note.fill("half a thought")
      await note.press("Control+Enter")
      await page.getByText("Not saved. You are signed out.").first().waitFor()
      expect(await note.inputValue()).toBe("half a thought")
      const [again] = await Promise.all([
        page.waitForEvent("popup"),
        page.getByRole("link", { name: "Sign in again" }).first().click()
      ])
      await signIn(again)
      await again.locator(".card").first().waitFor()
      await again.close()
      await page.bringToFront()
      await page.evaluate(() => window.dispatchEvent(new Event("focus")))
      await until(async () => !(await page.getByText("What you typed stays here").first().isVisible()))
      await note.press("Control+Enter")
      await note.waitFor({ state: "detached" })
    }))
})

describe("a lost password", () => {
  long(test)("is replaced with a one-time code", () =>
    service.look("/signin", async (page) => {
      await page.getByText("Another way").click()
      expect(await page.getByText("linkbower signin reset").first().isVisible()).toBe(true)
    })
  )

  long(testAccessibility)(
    (device, check) =>
      service.look(
        "/signin",
        async (page) => {
          await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor()
          await check(page, "signin")
          await page.getByText("Another way").click()
          await check(page)
        },
        { device }
      ),
    "the page for signing in"
  )
})

describe("the set-up page", () => {
  long(test)("has no layout shift", () =>
    lookAt("/setup", async (page) => {
      await page.getByText("4 of 5 done").waitFor()
      await page.reload()
      await page.getByText("4 of 5 done").waitFor()
      await page.waitForTimeout(400)
      const { cumulativeLayoutShift, shifted } = await vitals(page)
      expect([cumulativeLayoutShift, shifted]).toEqual([0, []])
    })
  )

  testAccessibility(
    (device, check) =>
      lookAt(
        "/setup",
        async (page) => {
          await page.getByText("4 of 5 done").waitFor()
          if (isLong) await check(page, "setup-model")
          await step(page, "extension").locator("summary").click()
          await button(page, "Connect another browser").click()
          await page.getByRole("textbox", { name: "Connection" }).waitFor()
          await check(page, "setup-extension")
          if (!isLong) return
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

  long(testAccessibility)(
    (device, check) =>
      lookAt(
        "/connect#token=0123",
        async (page) => {
          await page.getByText("The button does not work?").waitFor()
          if (isLong) await check(page, "connect")
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

  long(testAccessibility)(
    (device, check) =>
      visit({ base: service.base, device }, async (page) => {
        await page.goto("/")
        await check(page, "door")
      }),
    "the door"
  )

  long(test)("leads strangers to the list once something is shared", async () => {
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
