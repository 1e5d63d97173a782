import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { assertAccessible } from "./support/axe.ts"
import { desktop, phone, visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { vitals } from "./support/measure.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(0)

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("href") ?? document.activeElement?.tagName)
const field = (page: Page) => page.getByRole("searchbox")
const results = (page: Page) => page.locator(".found a")

/** Types a search and waits for what is found. */
const searchFor = async (page: Page, words: string) => {
  await field(page).fill(words)
  await results(page).first().waitFor()
}

describe("the documentation", () => {
  const testPage = (path: string, name?: string) =>
    testAccessibility(
      (device, check) =>
        visit(library().anybody({ device }), async (page) => {
          await page.goto(path)
          await check(page, name)
        }),
      path
    )
  long(testPage)("/docs", "front")
  testPage("/docs/start", "docs")
  long(testPage)("/docs/settings")
  long(testPage)("/docs/http#get-dashboardapilinks", "docs-reference")
  long(testPage)("/docs/install")

  long(testAccessibility)(
    (device, check) =>
      visit(library().anybody({ device }), async (page) => {
        await page.goto("/docs/bot")
        await searchFor(page, "backup")
        await check(page)
        await page.keyboard.press("Escape")
        if (device !== phone) return
        await page.getByRole("button", { name: "Pages" }).click()
        await check(page)
      }),
    "the search"
  )

  for (const device of [desktop, phone])
    long(test)(`is accessible without scripts on a ${device === phone ? "phone" : "desktop"}`, () =>
      visit(library().anybody({ device, scripts: false }), async (page) => {
        for (const path of ["/docs", "/docs/start"]) {
          await page.goto(path)
          await assertAccessible(page)
        }
      })
    )
})

describe("the search in the documentation", () => {
  test("works with the keyboard alone, and loads its index once, when it is first used", () =>
    visit(library().anybody(), async (page) => {
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(new URL(request.url()).pathname))
      const indexes = () => asked.filter((path) => path.endsWith(".json"))
      await page.goto("/docs/start")
      await page.keyboard.press("Tab")
      expect(await focused(page)).toBe("#content")
      await page.keyboard.press("Enter")
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("content")
      expect(indexes()).toEqual([])
      await page.keyboard.press("/")
      expect(await focused(page)).toBe("INPUT")
      await page.keyboard.type("webhook secret")
      await until(async () => (await results(page).count()) > 1)
      const hrefs = await results(page).evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""))
      await page.keyboard.press("ArrowDown")
      expect(await focused(page)).toBe(hrefs[0] ?? "")
      await page.keyboard.press("ArrowDown")
      expect(await focused(page)).toBe(hrefs[1] ?? "")
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("ArrowUp")
      expect(await focused(page)).toBe("INPUT")
      await page.keyboard.press("Escape")
      expect(await page.locator(".found").isVisible()).toBe(false)
      expect(indexes()).toHaveLength(1)
      await page.keyboard.press("Enter")
      await page.waitForURL("**/docs?q=webhook+secret#pages")
    }))

  long(test)(
    "shows each result's page, marks the words, announces the count, and opens the best one at its heading",
    () =>
      visit(library().anybody(), async (page) => {
        await page.goto("/docs")
        await searchFor(page, "litestream")
        expect(await page.locator(".found-where").allTextContents()).toContainEqual(
          expect.stringContaining("Backup and restore ›")
        )
        expect((await page.locator(".found mark").first().textContent())?.toLowerCase()).toBe("litestream")
        expect(await page.locator("search [role=status]").textContent()).toMatch(/^\d+ results?$/)
        await field(page).fill("xyzzyqvw")
        await until(
          async () => (await page.locator("search [role=status]").textContent()) === "Nothing found"
        )
        expect(await page.locator(".found").textContent()).toContain("xyzzyqvw")
        await searchFor(page, "DATA_DIR")
        await page.keyboard.press("Enter")
        await page.waitForURL("**/docs/settings#data_dir")
        const top = await page.locator("#data_dir").evaluate((one) => one.getBoundingClientRect().top)
        expect(top).toBeGreaterThan(50)
      })
  )

  long(test)("answers an address with ?q=", () =>
    visit(library().anybody(), async (page) => {
      await page.goto("/docs?q=restore")
      await results(page).first().waitFor()
      expect(await field(page).inputValue()).toBe("restore")
      expect(await page.locator(".found-where").first().textContent()).toContain("restore")
    })
  )

  long(test)("reports that the index cannot be loaded, and leads to the list of pages", () =>
    visit(library().anybody(), async (page, problems) => {
      problems.expect(/ERR_FAILED/)
      await page.route("**/search-*.json", (route) => route.abort())
      await page.goto("/docs/start")
      await field(page).fill("backup")
      await until(async () =>
        ((await page.locator("search [role=status]").textContent()) ?? "").includes("cannot be loaded")
      )
      await page.keyboard.press("Enter")
      await page.waitForURL("**/docs?q=backup#pages")
    })
  )

  long(test)("leads to the list of pages without scripts", () =>
    visit(library().anybody({ scripts: false }), async (page) => {
      await page.goto("/docs/start")
      await field(page).fill("backup")
      await field(page).press("Enter")
      await page.waitForURL("**/docs?q=backup#pages")
      await page.locator("main").getByRole("link", { name: "Backup and restore" }).click()
      await page.waitForURL("**/docs/backup")
    })
  )
})

describe("the pages on a phone", () => {
  for (const scripts of [true, false])
    (scripts ? test : long(test))(`are in a drawer, scripts ${scripts ? "on" : "off"}`, () =>
      visit(library().anybody({ device: phone, scripts }), async (page) => {
        await page.goto("/docs/start")
        const drawer = page.getByRole("navigation", { name: "Documentation" })
        expect(await drawer.isVisible()).toBe(false)
        await page.getByRole("button", { name: "Pages" }).click()
        await drawer.waitFor()
        expect(await drawer.locator("[aria-current=page]").textContent()).toBe("The three-minute start")
        await drawer.getByRole("button", { name: "Close" }).click()
        await drawer.waitFor({ state: "hidden" })
        await page.getByRole("button", { name: "Pages" }).click()
        await page.keyboard.press("Escape")
        await drawer.waitFor({ state: "hidden" })
        await page.getByRole("button", { name: "Pages" }).click()
        await drawer.getByRole("link", { name: "Settings" }).click()
        await page.waitForURL("**/docs/settings")
      })
    )
})

describe("a page", () => {
  test("copies a whole block of code and a whole file, which it offers as a download", () =>
    visit(library().anybody(), async (page) => {
      await page.goto("/docs/install")
      const block = page.locator(".code:not(.file *)").first()
      await block.hover()
      await block.getByRole("button", { name: "Copy" }).click()
      await block.getByRole("button", { name: "Copied" }).waitFor()
      expect(await clipboardText(page)).toBe((await block.locator("code").textContent()) ?? "")
      const file = page.locator(".file", { hasText: "compose.yaml" })
      await file.getByRole("button", { name: "Copy" }).click()
      await file.getByRole("button", { name: "Copied" }).waitFor()
      const text = await Bun.file("web/docs/deploy/compose.yaml").text()
      expect(await clipboardText(page)).toBe(text.trimEnd())
      const download = page.waitForEvent("download")
      await file.getByRole("link", { name: "compose.yaml" }).click()
      expect((await download).suggestedFilename()).toBe("compose.yaml")
    }))

  long(test)("has its contents above the text on a phone", () =>
    visit(library().anybody({ device: phone }), async (page) => {
      await page.goto("/docs/install")
      expect(await page.locator("nav.contents").isVisible()).toBe(false)
      await page.locator(".contents-above summary").click()
      await page.locator(".contents-above").getByRole("link", { name: "Uninstall" }).click()
      await page.waitForURL("**/docs/install#uninstall")
    })
  )

  long(test)(
    "uses its width for tables, keeps text to a readable measure, and marks the current section",
    () =>
      visit(library().anybody(), async (page) => {
        await page.goto("/docs/sign-in")
        const widthOf = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((one) => one.getBoundingClientRect().width)
        const [whole, table, text] = await Promise.all([
          widthOf("article.prose"),
          widthOf("article .table"),
          widthOf("article > p")
        ])
        expect(table).toBe(whole)
        expect(text).toBeLessThan(720)
        await page.locator(".contents a").last().click()
        await until(async () => (await page.locator(".contents [aria-current]").count()) === 1)
      })
  )

  long(test)("keeps the chosen theme, also in the app, and shows matching pictures", () =>
    visit(library().anybody({ colorScheme: "light" }), async (page) => {
      await page.goto("/docs")
      const shown = () => page.locator(".opening img").evaluate((one: HTMLImageElement) => one.currentSrc)
      expect(await shown()).toContain("-light-")
      const button = page.getByRole("button", { name: "Theme" })
      await button.click()
      await button.click()
      expect(await button.getAttribute("title")).toBe("Theme: dark")
      await until(async () => (await shown()).includes("-dark-"))
      await page.goto("/list")
      expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark")
    })
  )

  long(test)("has no layout shift", () =>
    visit(library().anybody(), async (page) => {
      for (const path of ["/docs", "/docs/dashboard"]) {
        await page.goto(path)
        await page.waitForTimeout(500)
        const { cumulativeLayoutShift, shifted } = await vitals(page)
        expect([path, cumulativeLayoutShift, shifted]).toEqual([path, 0, []])
      }
    })
  )

  long(test)("that does not exist offers the search", () =>
    visit(library().anybody(), async (page, problems) => {
      problems.expect(/404/)
      await page.goto("/docs/nowhere")
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Page not found")
      await searchFor(page, "backup")
    })
  )
})
