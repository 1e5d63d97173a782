import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { WEBHOOK_SECRET } from "../support/service.ts"
import { assertAccessible } from "./support/axe.ts"
import { desktop, phone, TEST_TIMEOUT, type View, visit } from "./support/browser.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import type { Problems } from "./support/problems.ts"

setDefaultTimeout(TEST_TIMEOUT)

const nothing = { TELEGRAM_BOT_TOKEN: "", WEBHOOK_SECRET: "", ALLOWED_CHAT_ID: "", EXTENSION_TOKEN: "" }

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(0, nothing)
})
afterAll(() => library.stop())

const look = async <A>(
  body: (page: Page, problems: Problems) => Promise<A>,
  path = "/dashboard",
  view: Partial<View> = {}
) =>
  visit(await library.owner(view), async (page, problems) => {
    await page.goto(path)
    return await body(page, problems)
  })

/** Every test begins with an empty library that nothing is set up for. */
beforeEach(async () => {
  library.service.writeEnv({})
  const ids = (await library.client.links()).map(({ id }) => id)
  if (ids.length > 0) await library.client.owner("POST", "/api/mutate", { op: "delete", ids })
})

const open = (page: Page, title: string) => page.locator(".step > summary", { hasText: title }).click()
const part = (page: Page, text: string) => page.locator(".part", { hasText: text })
const command = (page: Page, text: string) => page.locator(".command", { hasText: text })
const textOf = async (page: Page, text: string) =>
  (await command(page, text).locator("code").textContent()) ?? ""
const pageCalled = (title: string) => `${library.world.pages.url}/plain?t=${encodeURIComponent(title)}`

describe("an empty library", () => {
  test("says how links come in, and ticks off live what is set up", () =>
    look(async (page) => {
      await page.getByRole("heading", { name: "Your library is empty" }).waitFor()
      expect(await page.locator('.part[data-done="true"]').count()).toBe(0)
      library.service.writeEnv({ WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242" })
      await part(page, "WEBHOOK_SECRET=").and(page.locator('[data-done="true"]')).waitFor()
      await part(page, "ALLOWED_CHAT_ID=").and(page.locator('[data-done="true"]')).waitFor()
      expect(await part(page, "TELEGRAM_BOT_TOKEN=").first().getAttribute("data-done")).toBe("false")
      expect(await page.getByText("Ready").count()).toBe(0)
      library.service.writeEnv({ WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242", TELEGRAM_BOT_TOKEN: "1:a" })
      await page.locator(".step-done", { hasText: "Ready" }).waitFor()
      await page.locator("h3").getByText("From a script").waitFor()
    }))

  test("names its own address and only what Telegram has to send in the command that tells it", async () => {
    await look(async (page) => {
      const text = await textOf(page, "setWebhook")
      expect(text).toContain(`url=${library.base}/webhook`)
      expect(text).toContain(
        'allowed_updates=["message","edited_message","channel_post","edited_channel_post"]'
      )
      await page.getByText("Telegram only sends to").waitFor()
      library.service.writeEnv({ PUBLIC_URL: "https://links.example/" })
      await command(page, "url=https://links.example/webhook").waitFor()
      await page.getByText("Telegram only sends to").waitFor({ state: "detached" })
    })
  })

  test.skipIf(Bun.which("curl") === null)(
    "gives commands that work as they are: the token's line and then the capture",
    () =>
      look(
        async (page) => {
          await open(page, "From a script")
          const copied = async (text: string) => {
            await command(page, text).getByRole("button", { name: "Copy" }).click()
            await command(page, text).getByText("Copied").waitFor()
            return page.evaluate(() => navigator.clipboard.readText())
          }
          const line = await copied("EXTENSION_TOKEN=")
          appendFileSync(join(library.service.folder, ".env"), `${line}\n`)
          await page.locator(".step", { hasText: "From a script" }).getByText("Ready").waitFor()
          const curl = await copied("/capture/api/link")
          const { exited } = Bun.spawn(["sh", "-c", curl], {
            cwd: library.service.folder,
            stdout: "ignore",
            stderr: "ignore"
          })
          expect(await exited).toBe(0)
          // The first link takes the place of the steps by itself.
          await page.locator(".card", { hasText: "worth a look" }).waitFor()
        },
        "/dashboard",
        { permissions: ["clipboard-read", "clipboard-write"] }
      )
  )

  test("takes its first link right here", () =>
    look(async (page) => {
      await page.getByRole("textbox", { name: "Address" }).fill(pageCalled("My first page"))
      await page.getByRole("textbox", { name: "Note" }).fill("Why I keep it")
      await page.getByRole("button", { name: "Save" }).click()
      await page.locator(".card", { hasText: "My first page" }).waitFor()
      expect(await library.client.links()).toMatchObject([{ note: "Why I keep it" }])
    }))
})

describe("the page to add a link", () => {
  const address = (page: Page) => page.getByRole("textbox", { name: "Address" })
  const note = (page: Page) => page.getByRole("textbox", { name: "Note" })
  const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true })

  test("takes the address out of what a phone shares, and saves nothing before it is told to", async () => {
    const shared = pageCalled("A shared page")
    await look(
      async (page) => {
        await save(page).waitFor()
        expect(await address(page).inputValue()).toBe(shared)
        expect(await note(page).inputValue()).toBe("look it is good")
        await page.waitForTimeout(300)
        expect(await library.client.links()).toEqual([])
        await save(page).click()
        await page.getByText("Saved “A shared page”.").waitFor()
        expect(await library.client.links()).toMatchObject([{ url: shared, note: "look it is good" }])
        await page.getByRole("link", { name: "Open library" }).click()
        await page.locator(".card", { hasText: "A shared page" }).waitFor()
      },
      `/dashboard/add?${new URLSearchParams({ title: "From the app", text: `look ${shared} it is good` })}`
    )
  })

  test("says what is wrong with an address, and keeps what was typed when saving fails", () =>
    look(async (page, problems) => {
      problems.expect(/503/)
      for (const wrong of [
        "",
        "word",
        "not an address",
        "mailto:a@b.example",
        "javascript:alert(1)",
        "ftp://a.example"
      ]) {
        await address(page).fill(wrong)
        await save(page).click()
        await page.getByText("That is no web address").waitFor()
        await note(page).fill("A long thought")
        await page.getByText("That is no web address").waitFor({ state: "detached" })
      }
      await address(page).fill("example.org/a?b=c")
      await page.route("**/dashboard/api/links", (route) =>
        route.fulfill({ status: 503, json: { error: "unavailable", message: "The disk is full." } })
      )
      await save(page).click()
      await page.getByText("Not saved. The disk is full.").waitFor()
      expect(await note(page).inputValue()).toBe("A long thought")
      await page.unroute("**/dashboard/api/links")
      await save(page).click()
      await page
        .getByText(/Saved|Kept/)
        .first()
        .waitFor()
      expect(await library.client.links()).toMatchObject([
        { url: "https://example.org/a?b=c", note: "A long thought" }
      ])
    }, "/dashboard/add"))

  test("is opened by the bookmarklet with the page's address, title and what is selected", () =>
    look(async (page) => {
      await open(page, "From your browser")
      const mark = page.getByRole("link", { name: "Save to Linkbower" })
      const code = (await mark.getAttribute("href")) ?? ""
      expect(code).toStartWith("javascript:")
      expect(await mark.evaluate((anchor) => anchor instanceof HTMLAnchorElement && anchor.draggable)).toBe(
        true
      )
      await mark.click()
      await page.getByText("Drag it to your bookmarks bar").waitFor()
      await page.goto(`/list?q=${encodeURIComponent('a "quoted" & odd thing')}`)
      await page.evaluate(() =>
        getSelection()?.selectAllChildren(document.querySelector("h1") ?? document.body)
      )
      const heading = await page.evaluate(() => String(getSelection()).trim())
      const opened = page.context().waitForEvent("page")
      await page.evaluate(code.slice("javascript:".length))
      const form = await opened
      await save(form).waitFor()
      expect(await address(form).inputValue()).toBe(page.url())
      expect(await note(form).inputValue()).toBe(heading)
      expect(await form.evaluate(() => window.opener)).toBeNull()
      await save(form).click()
      await form
        .getByText(/Saved|Kept/)
        .first()
        .waitFor()
      const closed = form.waitForEvent("close")
      await form.getByRole("button", { name: "Close" }).click()
      await closed
    }))
})

describe("the dialog to add a link", () => {
  test("saves one after the other, and asks before it throws away what was typed", () =>
    look(async (page) => {
      const dialog = page.getByRole("dialog", { name: "Add a link" })
      await page.getByRole("button", { name: "Add a link" }).click()
      const address = dialog.getByRole("textbox", { name: "Address" })
      await address.fill(pageCalled("One"))
      await page.keyboard.press("Escape")
      await dialog.getByText("Discard what you typed?").waitFor()
      await address.fill(pageCalled("One"))
      await address.press("Enter")
      await dialog.getByText("Saved “One”.").waitFor()
      await dialog.getByRole("button", { name: "Add another" }).click()
      await address.fill(pageCalled("Two"))
      await address.press("Enter")
      await dialog.getByText("Saved “Two”.").waitFor()
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      expect((await library.client.links()).map(({ title }) => title)).toEqual(["Two", "One"])
    }))
})

/** Runs in the page: how much of it lies beside the screen, in pixels. */
const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

describe("everybody can use it", () => {
  for (const colorScheme of ["light", "dark"] as const)
    for (const device of [desktop, phone])
      test(`no barrier is found, ${colorScheme}, ${device === phone ? "phone" : "desktop"}`, () =>
        look(
          async (page) => {
            const fits = async () => {
              await assertAccessible(page)
              if (device !== phone) return
              for (const width of [320, 390]) {
                await page.setViewportSize({ width, height: 844 })
                expect(await page.evaluate(tooWide)).toBe(0)
              }
            }
            await page.locator(".step").first().waitFor()
            await fits()
            for (const title of ["From your browser", "From a script"]) {
              await open(page, title)
              await fits()
            }
            await page.goto("/dashboard/add?text=https://example.org/a&title=A%20page")
            await page.getByRole("textbox", { name: "Address" }).waitFor()
            await fits()
            await page.goto("/dashboard")
            await page.getByRole("button", { name: "Add a link" }).click()
            await page.getByRole("dialog", { name: "Add a link" }).waitFor()
            await fits()
          },
          "/dashboard",
          { colorScheme, device }
        ))
})
