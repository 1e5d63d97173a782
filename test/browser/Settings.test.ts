import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { visit } from "./support/browser.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(40, { ANTHROPIC_API_KEY: "", PUBLIC_URL: "" })
const { look, lookAt } = dashboardOf(library, "main h2, .card")

const settings = (body: (page: Page) => Promise<void>) => lookAt(body, "/dashboard/settings")
const configured = (page: Page, name: string) => page.locator(".configured", { hasText: name })

describe("the settings page", () => {
  test("is reached from the sidebar and from the command palette", () =>
    look(async (page) => {
      await page.getByRole("link", { name: "Settings and help" }).click()
      await page.getByRole("heading", { name: "Settings and help", level: 2 }).waitFor()
      expect(new URL(page.url()).pathname).toBe("/dashboard/settings")
      expect(await page.title()).toBe("Settings and help · Linkbower")
      await page.goBack()
      await page.locator(".card").first().waitFor()
      await page.keyboard.press("Control+k")
      await page.getByRole("dialog").waitFor()
      await page.keyboard.type("settings and")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Settings and help", level: 2 }).waitFor()
    }))

  test("says what is configured, what it does and where to set it, and follows changes", () =>
    settings(async (page) => {
      await configured(page, "Telegram bot").getByText("On", { exact: true }).waitFor()
      const model = configured(page, "Language model")
      await model.getByText("Off", { exact: true }).waitFor()
      await model.getByText("Writes summaries").waitFor()
      await model.getByText("ANTHROPIC_API_KEY").waitFor()
      await configured(page, "Public address").getByText("Not set").waitFor()
      library().service.writeEnv({ PUBLIC_URL: "https://links.example.org", ANTHROPIC_API_KEY: "a-key" })
      await configured(page, "Public address").getByText("https://links.example.org").waitFor()
      await model.getByText("claude-haiku").waitFor()
      await page.getByText("https://links.example.org/list").waitFor()
    }).finally(() => library().service.writeEnv({})))

  test("links pages of the documentation that exist", () =>
    settings(async (page) => {
      const links = page.locator(".settings a[href^='/docs/']")
      const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""))
      expect(addresses.length).toBeGreaterThan(8)
      for (const address of new Set(addresses))
        expect([address, (await fetch(`${library().base}${address}`)).status]).toEqual([address, 200])
    }))

  test("sets the theme, the density and the shortcuts of this browser", () =>
    settings(async (page) => {
      await page.getByRole("radio", { name: "Dark" }).check()
      expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark")
      await page.getByRole("radio", { name: "Compact rows" }).check()
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

  test("offers the ways to add links, the bookmarklet, import and export", () =>
    settings(async (page) => {
      await page.locator(".step > summary", { hasText: "From any browser" }).click()
      const bookmarklet = page.getByRole("link", { name: "Save to Linkbower" })
      expect(await bookmarklet.getAttribute("href")).toContain("/dashboard/add?")
      await page.locator(".step > summary", { hasText: "with the extension" }).click()
      await page.getByRole("link", { name: "Set up the extension" }).waitFor()
      await page.getByRole("button", { name: "Export…" }).click()
      await page.getByRole("dialog", { name: "Export" }).getByText("All 40 links, in one file.").waitFor()
      await page.keyboard.press("Escape")
      await until(async () => (await page.evaluate(() => document.activeElement?.textContent)) === "Export…")
      await page.getByRole("button", { name: "Import a file…" }).click()
      await page.getByRole("dialog", { name: "Import a file" }).waitFor()
    }))

  test("makes the browser explain sharing again", async () =>
    visit(await library().owner(), async (page) => {
      await page.goto("/dashboard/settings")
      await page.getByText("Before the first link is shared").waitFor()
      await page.evaluate(() => localStorage.setItem("linkbower.sharing", "known"))
      await page.reload()
      await page.getByRole("button", { name: "Ask again" }).click()
      await page.getByText("Before the first link is shared").waitFor()
      expect(await page.evaluate(() => localStorage.getItem("linkbower.sharing"))).toBe("ask")
    }))

  testAccessibility((device, check) =>
    lookAt(
      async (page) => {
        await page.locator(".configured").first().waitFor()
        await check(page, "settings")
      },
      "/dashboard/settings",
      { device }
    )
  )
})
