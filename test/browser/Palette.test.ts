import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { assertAccessible } from "./support/axe.ts"
import { phone, TEST_TIMEOUT } from "./support/browser.ts"
import { dashboardOf, pressKeys, standsOn } from "./support/dashboard.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(150)
})
afterAll(() => library.stop())

const { links, lookAt: look } = dashboardOf(() => library)

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })

describe("the palette", () => {
  const openPalette = async (page: Page) => {
    await pressKeys(page, "Control+k")
    await dialog(page, "Commands").waitFor()
  }
  const active = (page: Page) =>
    page.locator(".palette-option[aria-selected=true] .palette-name").textContent()
  const activeIs = (page: Page, name: string) => until(async () => (await active(page)) === name)

  test("opens from the search field too, does what is chosen, and shows its key", () =>
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

  test("opens another dialog from itself", () =>
    look(async (page) => {
      await openPalette(page)
      await page.keyboard.type("shortc")
      await activeIs(page, "Keyboard shortcuts")
      await pressKeys(page, "Enter")
      await dialog(page, "Keyboard shortcuts").waitFor()
      expect(await page.getByRole("dialog").count()).toBe(1)
    }))

  test("offers what can be done with the link the keyboard stands on, and not without one", () =>
    look(async (page) => {
      await openPalette(page)
      expect(await page.getByRole("option", { name: /^Delete…/ }).count()).toBe(0)
      await pressKeys(page, "Escape", "j")
      const [link] = await links("limit=1")
      await standsOn(page, link?.id)
      await openPalette(page)
      await page.keyboard.type("delete")
      await activeIs(page, "Delete…")
      await pressKeys(page, "Enter")
      await page
        .getByRole("dialog")
        .getByText(link?.title ?? "")
        .first()
        .waitFor()
    }))

  test("goes to a collection, a category and a tag by the beginning of their names", () =>
    look(async (page) => {
      const meta: {
        readonly collections: ReadonlyArray<{ readonly id: number; readonly name: string }>
      } = await (await library.client.owner("GET", "/api/meta")).json()
      const collection = meta.collections.find(({ name }) => name.includes(" "))
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

  test("finds links as one types, and can go on in the search field", () =>
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

  test("keeps what is active in sight and in the field's description", () =>
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

  test("finds nothing wrong with accessibility, on a desktop and a phone", async () => {
    for (const view of [{}, { device: phone, colorScheme: "dark" }] as const)
      await look(
        async (page) => {
          await pressKeys(page, "j")
          await openPalette(page)
          await assertAccessible(page)
          await page.keyboard.type("co")
          await page.getByRole("group", { name: "Links found" }).waitFor()
          await assertAccessible(page)
        },
        "/dashboard",
        view
      )
  })
})
