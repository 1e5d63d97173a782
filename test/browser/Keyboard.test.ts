import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { assertAccessible } from "./support/axe.ts"
import { phone, TEST_TIMEOUT } from "./support/browser.ts"
import { dashboardOf, FIRST, pressKeys, standsOn } from "./support/dashboard.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(150)
})
afterAll(() => library.stop())

const { linkOf, links, lookAt: look } = dashboardOf(() => library)

const ids = async (count: number) => (await links(`limit=${count}`)).map(({ id }) => id)
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })
const selected = (page: Page) => page.locator(".card[data-selected=true]").count()
const selectedAre = (page: Page, count: number) => until(async () => (await selected(page)) === count)

describe("keys", () => {
  test("j, k and the arrows move along the list, and the focus goes with them", () =>
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

  test("lead from a search to a deleted link, and nothing else is needed", () =>
    look(async (page) => {
      const [{ id, title } = { id: 0, title: "" }] = (await links()).filter(
        (link) => link.enrichment !== "pending" && /^\w{4,}[^"]*$/.test(link.title)
      )
      await pressKeys(page, "/")
      await page.keyboard.type(`"${title}"`)
      await pressKeys(page, "Enter")
      await page.locator(`#link-${id}`).waitFor()
      await pressKeys(page, "ArrowDown")
      const focused = () => page.evaluate(() => document.activeElement?.id)
      for (let n = 0; n < 50 && (await focused()) !== `link-${id}`; n++) await pressKeys(page, "j")
      expect(await focused()).toBe(`link-${id}`)
      await pressKeys(page, "#")
      await dialog(page, /Delete/).waitFor()
      await pressKeys(page, "Tab", "Enter")
      await page.locator(`#link-${id}`).waitFor({ state: "detached" })
      await until(async () => (await linkOf(id)) === undefined)
    }))

  test("g g goes to the first link and G to the last that is loaded", () =>
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

  test("o and Enter open the link beside the app, which it cannot reach", () =>
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

  test("Enter on a button does what the button does", () =>
    look(async (page) => {
      await page.evaluate(() => {
        window.open = () => {
          document.title = "opened"
          return null
        }
      })
      await pressKeys(page, "j")
      await page.locator(".card").first().getByRole("button", { name: "Edit title and summary…" }).focus()
      await pressKeys(page, "Enter")
      await page.getByRole("dialog").waitFor()
      expect(await page.title()).not.toBe("opened")
    }))

  test("f, s and z: favorite, share, and take it back", () =>
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

  test("e, c, m, # and a open their dialogs, and Escape gives the focus back", () =>
    look(async (page) => {
      const [first] = await ids(1)
      await pressKeys(page, "j")
      await standsOn(page, first)
      for (const key of ["e", "c", "m", "#", "a", "?"]) {
        await pressKeys(page, key)
        await page.locator("dialog[open]").waitFor()
        // Behind a dialog no key is a command; in a field it is text.
        if (key === "#" || key === "?") await pressKeys(page, "j", "x", "Shift+D")
        expect(await page.locator("dialog[open]").count()).toBe(1)
        expect(await selected(page)).toBe(0)
        await pressKeys(page, "Escape")
        await page.locator("dialog[open]").waitFor({ state: "detached" })
        await standsOn(page, first)
      }
    }))

  test("x selects, Shift with x or an arrow selects on, Escape selects nothing", () =>
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

  test("Ctrl+A selects what is shown where the focus is in the list, and is the browser's elsewhere", () =>
    look(async (page) => {
      await page.getByRole("link", { name: "Linkbower" }).focus()
      await pressKeys(page, "Control+a")
      expect(await selected(page)).toBe(0)
      await pressKeys(page, "j")
      await standsOn(page, (await ids(1))[0])
      await pressKeys(page, "Control+a")
      await page.locator(".bulk-count", { hasText: `${FIRST} selected` }).waitFor()
    }))

  test("g with a letter goes to a view, and Shift+D changes the density", () =>
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

  test("/ goes to the search field, in which letters are letters", () =>
    look(async (page) => {
      await pressKeys(page, "j", "/")
      await page.keyboard.type("fgx#?")
      const field = page.getByRole("combobox", { name: "Search" })
      expect(await field.inputValue()).toBe("fgx#?")
      expect(await page.locator("dialog[open]").count()).toBe(0)
      expect(await selected(page)).toBe(0)
    }))

  test("nothing happens to a link that cannot be seen", () =>
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

  test("are found where they are on a keyboard of another script", () =>
    look(async (page) => {
      await page.evaluate(() =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "о", code: "KeyJ", bubbles: true }))
      )
      await standsOn(page, (await ids(1))[0])
    }))
})

describe("the sheet of keys", () => {
  test("? shows every key, and finds nothing wrong with accessibility", async () => {
    for (const view of [{}, { device: phone, colorScheme: "dark" }] as const)
      await look(
        async (page) => {
          await pressKeys(page, "?")
          const sheet = dialog(page, "Keyboard shortcuts")
          await sheet.waitFor()
          const text = (await sheet.textContent()) ?? ""
          for (const name of ["Next link", "Favorite", "Category…", "Delete…", "Search", "Undo", "Commands"])
            expect(text).toContain(name)
          const keys = await sheet.locator(".keys").allTextContents()
          expect(new Set(keys).size).toBe(keys.length)
          await assertAccessible(page)
        },
        "/dashboard",
        view
      )
  })

  test("turns single keys off, for good; arrows and Ctrl+K stay", () =>
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
