import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { phone } from "./support/browser.ts"
import { countIs, dashboardOf, searchedFor, searchField } from "./support/dashboard.ts"
import { shoot } from "./support/shoot.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(200)

const { answerTo, counts, lookAt: look } = dashboardOf(library)
const totalOf = async (q: string) => (await answerTo(new URLSearchParams({ q }).toString())).total

const chip = (page: Page, label: string) => page.getByRole("button", { name: `Remove filter ${label}` })

describe("active filters", () => {
  test("are chips, from the address and the search text, and are removed one by one", () =>
    look(async (page) => {
      expect(await page.locator(".chip-text").allTextContents()).toEqual([
        "category: go",
        "favorite",
        "tag: open-source",
        "not site: example.org"
      ])
      await chip(page, "tag: open-source").click()
      await until(() => searchedFor(page) === "the -site:example.org")
      expect(await searchField(page).inputValue()).toBe("the -site:example.org")
      await until(
        async () =>
          (await page.evaluate(() => document.activeElement?.textContent)) ===
          "Remove filter not site: example.org"
      )
      await chip(page, "category: go").click()
      await page.waitForURL((url) => !url.searchParams.has("category"))
      await page.getByRole("button", { name: "Clear all" }).click()
      await page.waitForURL((url) => url.search === "?q=the")
      await countIs(page, await totalOf("the"))
      expect(await page.locator(".chip").count()).toBe(0)
      expect(await page.getByRole("button", { name: "Clear all" }).count()).toBe(0)
    }, "/dashboard?q=the+tag:open-source+-site:example.org&category=go&favorite=true"))

  test("show a choice as one chip, and say what was not understood", () =>
    look(async (page) => {
      expect(await page.locator(".chip-text").allTextContents()).toEqual(["(tag:open-source or is:favorite)"])
      await countIs(page, await totalOf("the (tag:open-source or is:favorite) is:old"))
      expect(await page.locator(".search-notice").allTextContents()).toEqual([
        "unknown operator is:old, searched as words"
      ])
      await shoot(page, "search-notice")
      await chip(page, "(tag:open-source or is:favorite)").click()
      await until(() => searchedFor(page) === "the is:old")
      await searchField(page).fill("the")
      await countIs(page, await totalOf("the"))
      expect(await page.locator(".search-notice").count()).toBe(0)
    }, "/dashboard?q=the+(tag:open-source+or+is:favorite)+is:old"))

  test("fit a narrow screen, even with long names", () =>
    look(
      async (page) => {
        const name = "a".repeat(80)
        await chip(page, `collection: ${name}`).waitFor()
        const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
        expect(await widths()).toEqual([320, 320])
        const before = (await searchField(page).boundingBox())?.width ?? 0
        await searchField(page).focus()
        expect((await searchField(page).boundingBox())?.width).toBeGreaterThan(before)
        expect(await widths()).toEqual([320, 320])
      },
      `/dashboard?q=collection:${"a".repeat(80)}+tag:${"b".repeat(30)}`,
      { device: { ...phone, viewport: { width: 320, height: 640 } } }
    ))

  test("name a collection, unfiled links, and the link of a similarity search", async () => {
    const [collection] = (await counts()).collections
    await look(
      (page) => chip(page, `collection: ${collection?.name}`).waitFor(),
      `/dashboard?collection=${collection?.id}`
    )
    await look((page) => chip(page, "unfiled").waitFor(), "/dashboard?collection=none")
    const link = (await answerTo("q=library&limit=1")).links[0]
    await look((page) => chip(page, "similar to:").waitFor(), `/dashboard?like=${link?.id}`)
  })

  test("return the focus to the list when the last one is removed", () =>
    look(async (page) => {
      await chip(page, "favorite").click()
      await until(() => !page.url().includes("favorite"))
      expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    }, "/dashboard?favorite=true"))
})
