import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until, WEBHOOK_SECRET } from "../support/service.ts"
import { isLong, long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { dragIn } from "./support/drag.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const nothing = {
  TELEGRAM_BOT_TOKEN: "",
  WEBHOOK_SECRET: "",
  ALLOWED_CHAT_ID: "",
  EXTENSION_TOKEN: "",
  ANTHROPIC_API_KEY: "",
  PUBLIC_URL: ""
}
const bot = { WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242", TELEGRAM_BOT_TOKEN: "1:a" }

const TOKEN = "a1b2".repeat(8)
const SIZE = 60

const files = makeFiles()
const library = useLibrary(SIZE, nothing)
afterAll(files.clean)

const { empty, look, lookAt, pageCalled } = journeyOf(library, ".page, .card, .step")

const settings = (body: (page: Page) => Promise<void>, tab = "general") =>
  lookAt(body, `/dashboard/settings#${tab}`)
const connection = (page: Page, name: string) => page.locator(".thing", { hasText: name })

const tabs = ["Saving", "Reading", "Connections", "Programs", "Sign-in", "Data", "About"]

describe("the settings page", () => {
  beforeAll(() => library().service.writeEnv(bot))

  long(test)("is reached from the sidebar and from the command palette", () =>
    look(async (page) => {
      await page.getByRole("link", { name: "Settings", exact: true }).click()
      await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe("/dashboard/settings")
      expect(await page.title()).toBe("Settings · Linkbower")
      await page.goBack()
      await page.locator(".card").first().waitFor()
      await page.keyboard.press("Control+k")
      await page.getByRole("dialog").waitFor()
      await page.keyboard.type("settings")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor()
    })
  )

  long(test)("says what is connected, what it does and where to set it, and tests it again", () =>
    settings(async (page) => {
      await connection(page, "Telegram bot").getByText(/^@/).waitFor()
      const model = connection(page, "Language model")
      await model.getByText("Not connected").waitFor()
      await model.getByText("Writes summaries").waitFor()
      await model.getByText("Advanced").click()
      await model.getByText("ANTHROPIC_API_KEY").waitFor()
      await connection(page, "Public address").getByText("Not set").waitFor()
      library().service.writeEnv({ ...bot, ANTHROPIC_API_KEY: "a-key" })
      await page.reload()
      await model.getByText("claude-haiku").waitFor()
      await model.getByRole("button", { name: "Test" }).click()
      await model.getByText("Tested just now").waitFor()
    }, "connections").finally(() => library().service.writeEnv(bot))
  )

  long(test)("links pages of the documentation that exist", () =>
    settings(async (page) => {
      const links = page.locator(".page a[href^='/docs/']")
      const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""))
      expect(addresses.length).toBeGreaterThan(8)
      for (const address of new Set(addresses))
        expect([address, (await fetch(`${library().base}${address}`)).status]).toEqual([address, 200])
    }, "about")
  )

  test("sets the theme, the density and the shortcuts of this browser", () =>
    settings(async (page) => {
      await page.locator(".segment", { hasText: "Dark" }).click()
      expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark")
      await page.locator(".segment", { hasText: "Compact rows" }).click()
      await page.getByRole("checkbox", { name: "Single keys are commands" }).uncheck()
      await page.getByRole("heading", { name: "Keyboard", exact: true }).click()
      await page.keyboard.press("?")
      expect(await page.getByRole("dialog").count()).toBe(0)
      await page.reload()
      await page.getByRole("radio", { name: "Dark" }).waitFor()
      expect(await page.getByRole("radio", { name: "Dark" }).isChecked()).toBe(true)
      await page.goto("/dashboard")
      await page.locator('.card[data-density="rows"]').first().waitFor()
    }))

  long(test)("offers the ways to add links, the bookmarklet, import and export", () =>
    settings(async (page) => {
      await page.locator(".step > summary", { hasText: "From any browser" }).click()
      const bookmarklet = page.getByRole("link", { name: "Save to Linkbower" })
      expect(await bookmarklet.getAttribute("href")).toContain("/dashboard/add?")
      await page.locator(".step > summary", { hasText: "with the extension" }).click()
      await page.getByRole("link", { name: "Set up the extension" }).waitFor()
      await page.getByRole("link", { name: "Data", exact: true }).click()
      await page.getByRole("button", { name: "Export…" }).click()
      await page
        .getByRole("dialog", { name: "Export" })
        .getByText(`All ${SIZE} links, in one file.`)
        .waitFor()
      await page.keyboard.press("Escape")
      await until(async () => (await page.evaluate(() => document.activeElement?.textContent)) === "Export…")
      await page.getByRole("button", { name: "Import a file…" }).click()
      await page.getByRole("dialog", { name: "Import a file" }).waitFor()
    }, "saving")
  )

  test("make a token, whose secret is shown once, and revoke it", () =>
    settings(async (page) => {
      await page.getByRole("button", { name: "New token…" }).click()
      await page.getByRole("textbox", { name: "Name of the program" }).fill("A shelf")
      await page.getByRole("checkbox", { name: /^Save links/ }).check()
      await page.getByRole("button", { name: "Make the token" }).click()
      const secret = await page.locator("dialog .command code").textContent()
      expect(secret).toMatch(/^lb_/)
      await page.getByRole("button", { name: "Done" }).click()
      const row = page.locator(".thing", { hasText: "A shelf" })
      await row.getByText("May read your library, save links.").waitFor()
      await row.getByRole("button", { name: "More for A shelf" }).click()
      await row.getByRole("button", { name: "Revoke…" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
      await row.waitFor({ state: "detached" })
      expect(await page.getByText(secret ?? "").count()).toBe(0)
    }, "programs"))

  long(test)("makes the browser explain sharing again", async () =>
    visit(await library().owner(), async (page) => {
      await page.goto("/dashboard/settings")
      await page.getByText("Before the first link is shared").waitFor()
      await page.evaluate(() => localStorage.setItem("linkbower.sharing", "known"))
      await page.reload()
      await page.getByRole("button", { name: "Ask again" }).click()
      await page.getByText("Before the first link is shared").waitFor()
      expect(await page.evaluate(() => localStorage.getItem("linkbower.sharing"))).toBe("ask")
    })
  )

  testAccessibility((device, check) =>
    lookAt(
      async (page) => {
        await page.getByRole("radio", { name: "Dark" }).waitFor()
        await check(page, "settings-general")
        for (const tab of isLong ? tabs : ["Connections", "Programs"]) {
          await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: tab }).click()
          await page.getByRole("region", { name: tab, exact: true }).waitFor()
          await until(async () => (await page.getByText(/Loading…/).count()) === 0)
          await check(page, `settings-${tab.toLowerCase()}`)
        }
      },
      "/dashboard/settings",
      { device }
    )
  )
})

const open = (page: Page, title: string) => page.locator(".step > summary", { hasText: title }).click()
const command = (page: Page, text: string) => page.locator(".command", { hasText: text })
const copied = async (page: Page, text: string) => {
  await command(page, text).getByRole("button", { name: "Copy" }).first().click()
  await command(page, text).getByText("Copied").waitFor()
  return clipboardText(page)
}

describe("an empty library", () => {
  /** Every test begins with an empty library without settings. */
  beforeEach(async () => {
    library().service.writeEnv({})
    await empty()
  })

  long(test)("shows the ways to save links, and ticks off live what is set up", () =>
    look(async (page) => {
      await page.getByRole("heading", { name: "Your library is empty" }).waitFor()
      for (const title of ["From Telegram", "with the extension", "From any browser", "From a script"])
        await page.getByRole("heading", { name: title }).waitFor()
      expect(await page.getByText("Ready").count()).toBe(0)
      library().service.writeEnv(bot)
      await page.locator(".step", { hasText: "From Telegram" }).getByText("Ready").waitFor()
      library().service.writeEnv({ EXTENSION_TOKEN: TOKEN })
      await page.locator(".step", { hasText: "with the extension" }).locator(".step-done").waitFor()
      expect(await page.locator(".step", { hasText: "From Telegram" }).getByText("Ready").count()).toBe(0)
    })
  )

  long(test)("leads to the step of the set-up page for the bot and for the extension", () =>
    look(async (page) => {
      await page.getByRole("link", { name: "Set up the bot", exact: true }).click()
      await page.waitForURL("**/setup#bot")
      await page.locator("#bot[open]").waitFor()
      await page.goBack()
      await open(page, "with the extension")
      await page.getByRole("link", { name: "Set up the extension" }).click()
      await page.locator("#extension[open]").waitFor()
    })
  )

  long(test.skipIf(Bun.which("curl") === null))("gives a command that works unchanged", () =>
    look(async (page) => {
      library().service.writeEnv({ EXTENSION_TOKEN: TOKEN })
      await open(page, "From a script")
      await page.locator(".step", { hasText: "From a script" }).getByText("Ready").waitFor()
      const curl = await copied(page, "/capture/api/link")
      const { exited } = Bun.spawn(["sh", "-c", curl], {
        cwd: library().service.folder,
        stdout: "ignore",
        stderr: "ignore"
      })
      expect(await exited).toBe(0)
      // The first link replaces the steps without a reload.
      await page.locator(".card", { hasText: "worth a look" }).waitFor()
    })
  )

  long(test)("imports a file, by its button and by a drop", () =>
    look(async (page) => {
      const path = files.write(
        "bookmarks.html",
        netscapeOf("Mine", [{ url: pageCalled("From a file"), title: "From a file" }])
      )
      const dialog = page.getByRole("dialog", { name: "Import a file" })
      await page.getByRole("button", { name: "Import a file…" }).click()
      await dialog.waitFor()
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      await (await dragIn(page, { files: [path] })).drop()
      await dialog.getByRole("button", { name: "Import", exact: true }).click()
      await dialog.getByText("1 new link.").waitFor()
      await dialog.getByRole("button", { name: "Close" }).click()
      // The first link replaces the steps without a reload.
      await page.locator(".card", { hasText: "From a file" }).waitFor()
    })
  )

  test("saves the first link from its form", () =>
    look(async (page) => {
      await page.getByRole("textbox", { name: "Address" }).fill(pageCalled("My first page"))
      await page.getByText("Tags, collection, note").click()
      await page.getByRole("textbox", { name: "Note" }).fill("Why I keep it")
      await page.getByRole("button", { name: "Save" }).click()
      await page.locator(".card", { hasText: "My first page" }).waitFor()
      expect(await library().client.links()).toMatchObject([{ note: "Why I keep it" }])
    }))

  testAccessibility(
    (device, check) =>
      look(
        async (page) => {
          await page.locator(".step").first().waitFor()
          if (isLong) await check(page, "first-run")
          for (const title of ["with the extension", "From any browser", "From a script"])
            await open(page, title)
          await check(page)
        },
        { device }
      ),
    "the first run"
  )
})
