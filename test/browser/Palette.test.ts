import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { dashboardOf, pressKeys, standsOn } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)

const { counts, links, lookAt: look } = dashboardOf(library)

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })

describe("the palette", () => {
  const openPalette = async (page: Page) => {
    await pressKeys(page, "Control+k")
    await dialog(page, "Commands").waitFor()
  }
  const active = (page: Page) =>
    page.locator(".palette-option[aria-selected=true] .palette-name").textContent()
  const activeIs = (page: Page, name: string) => until(async () => (await active(page)) === name)

  test("opens from the search field, shows a command's key and runs the command", () =>
    look(async (page) => {
      await page.getByRole("combobox", { name: "Search" }).focus()
      await openPalette(page)
      await page.keyboard.type("rows")
      await activeIs(page, "Cards or rows")
      expect(await page.locator(".palette-option[aria-selected=true] kbd").allTextContents()).toEqual([
        "Shift",
        "D"
      ])
      await pressKeys(page, "Enter")
      await dialog(page, "Commands").waitFor({ state: "detached" })
      await page.locator('.card[data-density="rows"]').first().waitFor()
    }))

  test("opens another dialog", () =>
    look(async (page) => {
      await openPalette(page)
      await page.keyboard.type("shortc")
      await activeIs(page, "Keyboard shortcuts")
      await pressKeys(page, "Enter")
      await dialog(page, "Keyboard shortcuts").waitFor()
      expect(await page.getByRole("dialog").count()).toBe(1)
    }))

  test("offers commands for the focused link only if a link is focused", () =>
    look(async (page) => {
      await openPalette(page)
      expect(await page.getByRole("option", { name: /^Delete/ }).count()).toBe(0)
      await pressKeys(page, "Escape", "j")
      const [link] = await links("limit=1")
      await standsOn(page, link?.id)
      await openPalette(page)
      await page.keyboard.type("delete")
      await activeIs(page, "Delete")
      await pressKeys(page, "Enter")
      await page.getByText(`Moved “${link?.title}” to the trash.`).waitFor()
    }))

  test("opens a collection and a tag by the beginning of their names", () =>
    look(async (page) => {
      const { collections } = await counts()
      const collection = collections.find(({ name }) => name.includes(" "))
      await openPalette(page)
      await page.keyboard.type(collection?.name.toLowerCase() ?? "")
      await activeIs(page, collection?.name ?? "")
      await pressKeys(page, "Enter")
      await page.waitForURL(`**/dashboard?collection=${collection?.id}`)
      await openPalette(page)
      await page.keyboard.type("open-source")
      await page.locator(".palette-option", { hasText: "#open-source" }).click()
      await page.waitForURL("**/dashboard?tag=open-source")
    }))

  test("finds links while typing, and can continue in the search field", () =>
    look(async (page) => {
      const [link] = await links("q=library&limit=1")
      await openPalette(page)
      await page.keyboard.type("library")
      await page
        .getByRole("group", { name: "Links found" })
        .getByText(link?.title ?? "")
        .first()
        .waitFor()
      expect(await page.getByRole("option").last().textContent()).toBe("Search for “library”")
      await pressKeys(page, "ArrowUp")
      await activeIs(page, "Search for “library”")
      await pressKeys(page, "Enter")
      await page.waitForURL("**/dashboard?q=library")
      expect(await page.getByRole("combobox", { name: "Search" }).inputValue()).toBe("library")
    }))

  test("keeps the active option visible and announced", () =>
    look(async (page) => {
      await openPalette(page)
      for (let n = 0; n < 14; n++) await pressKeys(page, "ArrowDown")
      const id = await page
        .getByRole("combobox", { name: "Commands, places and links" })
        .getAttribute("aria-activedescendant")
      const option = page.locator(`#${id}`)
      expect(await option.getAttribute("aria-selected")).toBe("true")
      const [inner, outer] = [await option.boundingBox(), await page.locator(".palette-list").boundingBox()]
      expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual(
        (outer?.y ?? 0) + (outer?.height ?? 0) + 1
      )
      await pressKeys(page, "Control+k")
      await dialog(page, "Commands").waitFor({ state: "detached" })
    }))

  testAccessibility((device, check) =>
    look(
      async (page) => {
        await pressKeys(page, "j")
        await openPalette(page)
        await check(page)
        await page.keyboard.type("co")
        await page.getByRole("group", { name: "Links found" }).waitFor()
        await check(page)
      },
      "/dashboard",
      { device }
    )
  )
})
