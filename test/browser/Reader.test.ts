import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { articleText } from "../../src/domain/Article.ts"
import { found } from "../support/links.ts"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { linksWithPages, linkWithPage } from "./support/articles.ts"
import { assertAccessible } from "./support/axe.ts"
import { phone, visit } from "./support/browser.ts"
import { card, dashboardOf, pressKeys } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const bare = { ...linkWithPage("Not kept", { html: "" }), found: found({ title: "Not kept" }) }
const { page: _, ...unkept } = bare
const library = useLibrary(() => [...linksWithPages, unkept])
const { links, look, lookAt } = dashboardOf(
  library,
  ".card, .reader-frame[data-shown=true], .reader .notice h2"
)

const idOf = async (title: string) => (await links()).find((link) => link.title === title)?.id ?? 0
const rich = "The harbour in spring"

const read = async (title: string, body: (page: Page) => Promise<unknown>, view = {}) =>
  lookAt(body, `/dashboard/read/${await idOf(title)}`, view)

const dataset = (page: Page) =>
  page.evaluate(() => ({ ...document.querySelector("iframe")?.contentDocument?.documentElement.dataset }))
const article = (page: Page) => page.frameLocator(".reader-frame").locator("#article")

describe("the reader", () => {
  test("shows the article, whose text is what positions count in", async () => {
    for (const { page: kept } of linksWithPages.slice(0, 5))
      await read(kept?.title ?? "", async (page) => {
        expect(await article(page).evaluate((shown) => shown.textContent)).toBe(articleText(kept?.html ?? ""))
      })
  })

  test("colours code without a change of its text", () =>
    read(rich, async (page) => {
      const painted = () =>
        page.evaluate(() => {
          const view = document.querySelector("iframe")?.contentWindow
          const names = ["code-keyword", "code-string", "code-comment"]
          return names.map((name) => view?.document.defaultView?.CSS.highlights.get(name)?.size ?? 0)
        })
      await until(async () => (await painted()).every((size) => size > 0))
      expect(await article(page).locator("pre *:not(code)").count()).toBe(0)
    }))

  test("sets texts as chosen, at once and on the next visit", () =>
    read(rich, async (page) => {
      expect(await dataset(page)).toMatchObject({ size: "3", font: "serif", paper: "system" })
      await page.getByRole("button", { name: "Text", exact: true }).click()
      await page.getByText("Sepia", { exact: true }).click()
      await page.getByText("Sans", { exact: true }).click()
      await page.getByRole("button", { name: "Larger text" }).click()
      await page.getByLabel("Justify and hyphenate").check()
      const chosen = { size: "4", font: "sans", paper: "sepia", justified: "yes" }
      expect(await dataset(page)).toMatchObject(chosen)
      await page.reload()
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      expect(await dataset(page)).toMatchObject(chosen)
    }))

  test("has contents that jump to a heading and mark the one that is read", () =>
    read("Three hundred headings", async (page) => {
      const items = page.getByRole("navigation", { name: "Contents" }).getByRole("button")
      expect(await items.count()).toBe(300)
      await items.nth(150).click()
      await until(async () => (await items.nth(150).getAttribute("aria-current")) === "true")
      await pressKeys(page, "i")
      await page.getByRole("navigation", { name: "Contents" }).waitFor({ state: "detached" })
    }))

  test("has no contents where there is no heading", () =>
    read("Without headings", async (page) => {
      expect(await page.getByRole("button", { name: "Contents" }).count()).toBe(0)
    }))

  test("enlarges a picture, and returns", () =>
    read(rich, async (page) => {
      await page
        .frameLocator(".reader-frame")
        .getByRole("button", { name: /^Enlarge: The harbour/ })
        .click()
      const box = page.getByRole("dialog", { name: "The harbour from the north pier" })
      await box.getByText("a week before the first boats came back").waitFor()
      await box.getByRole("button", { name: "Next picture" }).click()
      await page.getByRole("dialog", { name: "The tower" }).waitFor()
      await pressKeys(page, "Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }))

  test("opens from a card by its key, takes keys within the text, and leads back", () =>
    look(async (page) => {
      const id = await idOf(rich)
      await card(page, id).focus()
      await pressKeys(page, "v")
      await page.locator(".reader-frame[data-shown=true]").waitFor()
      await article(page).click({ position: { x: 2, y: 2 } })
      await pressKeys(page, "+")
      expect((await dataset(page))["size"]).toBe("4")
      await pressKeys(page, "Escape")
      await card(page, id).waitFor()
    }))

  test("says where no page is kept, and offers to read it again", () =>
    read("Not kept", async (page) => {
      await page.getByRole("heading", { name: "No copy of this page is kept" }).waitFor()
      expect(await page.getByRole("button", { name: "Read again" }).count()).toBe(1)
    }))

  test("says that there is no such link", () =>
    lookAt(async (page, problems) => {
      problems.expect(/404/)
      await page.getByRole("heading", { name: "Link #99999 is not in the library" }).waitFor()
    }, "/dashboard/read/99999"))

  test("fits a narrow screen and texts of twice the size", () =>
    read(
      rich,
      async (page) => {
        await page.setViewportSize({ width: 320, height: 640 })
        const overflow = () =>
          page.evaluate(() => {
            const inner = document.querySelector("iframe")?.contentDocument?.documentElement
            return [document.documentElement, inner].map(
              (one) => (one?.scrollWidth ?? 0) - (one?.clientWidth ?? 0)
            )
          })
        expect(await overflow()).toEqual([0, 0])
        for (let at = 0; at < 5; at++) await pressKeys(page, "+")
        expect(await overflow()).toEqual([0, 0])
      },
      { device: phone }
    ))
})

describe("the reader's page", () => {
  testAccessibility(
    (device, check) =>
      read(
        rich,
        async (page) => {
          await check(page, "reader")
          await page.getByRole("button", { name: "Text", exact: true }).click()
          await check(page, "reader-text")
        },
        { device }
      ),
    "with its panels"
  )

  test("has a document that is accessible by itself, in light and dark", async () => {
    const id = await idOf(rich)
    for (const colorScheme of ["light", "dark"] as const)
      await visit(await library().owner({ colorScheme }), async (page) => {
        await page.goto(`/dashboard/read/${id}/document`)
        await assertAccessible(page, { except: ["scrollable-region-focusable"] })
      })
  })
})
