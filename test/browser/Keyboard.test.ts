import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { dashboardOf, FIRST, focusedCard, pressKeys, searchedFor, standsOn } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)

const { linkOf, links, lookAt: look } = dashboardOf(library)

const ids = async (count: number) => (await links(`limit=${count}`)).map(({ id }) => id)
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })
const selected = (page: Page) => page.locator(".card[data-selected=true]").count()
const selectedAre = (page: Page, count: number) => until(async () => (await selected(page)) === count)

describe("keys", () => {
  test("j, k and the arrows move the focus along the list", () =>
    look(async (page) => {
      const [first, second, third] = await ids(3)
      await pressKeys(page, "j")
      await standsOn(page, first)
      await pressKeys(page, "j", "ArrowDown")
      await standsOn(page, third)
      await pressKeys(page, "k")
      await standsOn(page, second)
      await pressKeys(page, "ArrowUp", "k")
      await standsOn(page, first)
    }))

  test("search for a link and delete it without a mouse", () =>
    look(async (page) => {
      const [{ id, title } = { id: 0, title: "" }] = (await links()).filter(
        (link) => link.enrichment !== "pending" && /^\w{4,}[^"]*$/.test(link.title)
      )
      await pressKeys(page, "/")
      await page.keyboard.type(`"${title}"`)
      await pressKeys(page, "Enter")
      // The list from before the search may hold the link too, in another place.
      await until(() => searchedFor(page) === `"${title}"`)
      await page.locator('.library[aria-busy="false"]').waitFor()
      await pressKeys(page, "ArrowDown")
      for (let turn = 0; turn < 20 && (await focusedCard(page)) !== id; turn++) await pressKeys(page, "j")
      await standsOn(page, id)
      await pressKeys(page, "#")
      await page.locator(`#link-${id}`).waitFor({ state: "detached" })
      await until(async () => (await linkOf(id)) === undefined)
    }))

  test("g g goes to the first link, G to the last loaded one", () =>
    look(async (page) => {
      const all = await ids(1_000)
      await pressKeys(page, "Shift+G")
      await until(async () => {
        const at = await page.evaluate(() => Number(document.activeElement?.id.replace("link-", "")))
        return all.indexOf(at) >= FIRST - 1
      })
      await pressKeys(page, "g", "g")
      await standsOn(page, all[0])
    }))

  test("o and Enter open the link in a new tab without an opener", () =>
    look(async (page) => {
      const link = (await links("limit=20")).find(({ title }) => title !== "")
      await page.context().route(`${link?.url}**`, (route) => route.abort())
      await page.evaluate(() => {
        window.open = (...given) => {
          document.title = JSON.stringify(given)
          return null
        }
      })
      for (const key of ["o", "Enter"]) {
        await page.evaluate(() => {
          document.title = ""
        })
        await pressKeys(page, ...(key === "o" ? ["j", key] : [key]))
        expect(await page.title()).toBe(JSON.stringify([link?.url, "_blank", "noopener,noreferrer"]))
      }
    }))

  test("Enter on a button presses the button", () =>
    look(async (page) => {
      await page.evaluate(() => {
        window.open = () => {
          document.title = "opened"
          return null
        }
      })
      await pressKeys(page, "j")
      await page.locator(".card").first().getByRole("button", { name: "Edit…" }).focus()
      await pressKeys(page, "Enter")
      await page.getByRole("dialog").waitFor()
      expect(await page.title()).not.toBe("opened")
    }))

  test("f, s and z favorite, share and undo", () =>
    look(async (page) => {
      const id = (await links("limit=10")).findIndex(({ favorite, shareable }) => !favorite && !shareable)
      const link = (await links("limit=10"))[id]
      for (let at = 0; at <= id; at++) await pressKeys(page, "j")
      await standsOn(page, link?.id)
      await pressKeys(page, "f")
      await until(async () => (await linkOf(link?.id ?? 0))?.favorite)
      await page.locator(".toast", { hasText: "favorite" }).waitFor()
      await pressKeys(page, "z")
      await until(async () => (await linkOf(link?.id ?? 0))?.favorite === false)
      await pressKeys(page, "s")
      await until(async () => (await linkOf(link?.id ?? 0))?.shareable)
      await pressKeys(page, "s")
      await until(async () => (await linkOf(link?.id ?? 0))?.shareable === false)
    }))

  test("e, c, m, t, a and ? open their dialogs, and Escape returns the focus", () =>
    look(async (page) => {
      const [first] = await ids(1)
      await pressKeys(page, "j")
      await standsOn(page, first)
      for (const key of ["e", "c", "m", "t", "a", "?"]) {
        await pressKeys(page, key)
        await page.locator("dialog[open]").waitFor()
        // A dialog disables the keys behind it; in a field they are text.
        if (key === "?") await pressKeys(page, "j", "x", "Shift+D")
        expect(await page.locator("dialog[open]").count()).toBe(1)
        expect(await selected(page)).toBe(0)
        await pressKeys(page, "Escape")
        await page.locator("dialog[open]").waitFor({ state: "detached" })
        await standsOn(page, first)
      }
    }))

  test("x selects, Shift+x and Shift+arrow extend the selection, Escape clears it", () =>
    look(async (page) => {
      await pressKeys(page, "j", "x")
      await selectedAre(page, 1)
      await pressKeys(page, "j", "j", "Shift+X")
      await selectedAre(page, 3)
      await pressKeys(page, "Shift+ArrowDown")
      await selectedAre(page, 4)
      await pressKeys(page, "Escape")
      await selectedAre(page, 0)
      await pressKeys(page, "g", "g", "Shift+ArrowDown", "Shift+ArrowDown")
      await selectedAre(page, 3)
    }))

  test("Ctrl+A selects the loaded links if the focus is in the list", () =>
    look(async (page) => {
      await page.getByRole("link", { name: "Linkbower" }).focus()
      await pressKeys(page, "Control+a")
      expect(await selected(page)).toBe(0)
      await pressKeys(page, "j")
      await standsOn(page, (await ids(1))[0])
      await pressKeys(page, "Control+a")
      await page.locator(".bulk-count", { hasText: `${FIRST} selected` }).waitFor()
    }))

  test("g with a letter opens a view, and Shift+D changes the density", () =>
    look(async (page) => {
      for (const [key, search] of [
        ["i", "?collection=none"],
        ["f", "?favorite=true"],
        ["s", "?shareable=true"],
        ["a", ""]
      ] as const) {
        await pressKeys(page, "g", key)
        await page.waitForURL((url) => url.pathname === "/dashboard" && url.search === search)
      }
      await pressKeys(page, "Shift+D")
      await page.locator('.card[data-density="rows"]').first().waitFor()
    }))

  test("/ focuses the search field, where keys are text", () =>
    look(async (page) => {
      await pressKeys(page, "j", "/")
      await page.keyboard.type("fgx#?")
      const field = page.getByRole("combobox", { name: "Search" })
      expect(await field.inputValue()).toBe("fgx#?")
      expect(await page.locator("dialog[open]").count()).toBe(0)
      expect(await selected(page)).toBe(0)
    }))

  test("act on no link on a page without links", () =>
    look(async (page) => {
      await pressKeys(page, "j")
      await standsOn(page, (await ids(1))[0])
      await page.locator(".sidebar").getByRole("link", { name: "Duplicates" }).click()
      await page.waitForURL("**/dashboard/duplicates")
      await pressKeys(page, "#", "e", "x")
      await page.waitForTimeout(100)
      expect(await page.locator("dialog[open]").count()).toBe(0)
      expect(await page.locator(".bulk").count()).toBe(0)
    }))

  test("work by position on a keyboard of another script", () =>
    look(async (page) => {
      await page.evaluate(() =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "о", code: "KeyJ", bubbles: true }))
      )
      await standsOn(page, (await ids(1))[0])
    }))
})

describe("the shortcuts sheet", () => {
  test("lists every key", () =>
    look(async (page) => {
      await pressKeys(page, "?")
      const sheet = dialog(page, "Keyboard shortcuts")
      await sheet.waitFor()
      const text = (await sheet.textContent()) ?? ""
      for (const name of [
        "Next link",
        "Favorite",
        "Category…",
        "Delete",
        "Details",
        "Search",
        "Undo",
        "Commands"
      ])
        expect(text).toContain(name)
      // The reader and the list are never shown together, so they may share keys.
      for (const group of await sheet.locator(".shortcuts-groups section").all()) {
        const keys = await group.locator(".keys").allTextContents()
        expect(new Set(keys).size).toBe(keys.length)
      }
    }))

  testAccessibility((device, check) =>
    look(
      async (page) => {
        await pressKeys(page, "?")
        await dialog(page, "Keyboard shortcuts").waitFor()
        await check(page)
      },
      "/dashboard",
      { device }
    )
  )

  test("turns single keys off permanently, except arrows and Ctrl+K", () =>
    look(async (page) => {
      await pressKeys(page, "?")
      await page.getByRole("checkbox", { name: "Single keys are commands" }).uncheck()
      await pressKeys(page, "Escape")
      await page.reload()
      await page.locator(".card").first().waitFor()
      await pressKeys(page, "?", "j", "/", "a", "Shift+D")
      await page.waitForTimeout(100)
      expect(await page.locator("dialog[open]").count()).toBe(0)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY")
      expect(await page.locator('.card[data-density="rows"]').count()).toBe(0)
      await pressKeys(page, "ArrowDown")
      await standsOn(page, (await ids(1))[0])
      await pressKeys(page, "Control+k")
      await dialog(page, "Commands").waitFor()
    }))
})
