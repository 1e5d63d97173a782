import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { desktop, phone } from "./support/browser.ts"
import { countIs, pressKeys, searchField } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)

const { answerTo, counts, links, look, lookAt } = journeyOf(library)

const field = (page: Page) => page.getByLabel("Filter collections, categories and tags")
const entry = (page: Page, name: string | RegExp) =>
  page.locator(".sidebar").getByRole("link", { name }).first()
const entries = (page: Page) => page.locator(".sidebar .section .entry-name").allTextContents()
const search = (page: Page) => new URL(page.url()).search

/** A collection that contains a favorite. */
const favoriteCollection = async () => {
  const collection = (await links("favorite=true")).find((link) => link.collection !== null)?.collection
  if (collection == null) throw new Error("no favorite is in a collection")
  return collection
}

describe("the sidebar", () => {
  long(test)("filters its sections while the user types", () =>
    look(async (page) => {
      const { categories, collections, tags } = await counts()
      await pressKeys(page, "Shift+F")
      await page.keyboard.type("WEB")
      const matching = [...collections, ...categories, ...tags.map(({ name }) => ({ name: `#${name}` }))]
        .map(({ name }) => name)
        .filter((name) => name.toLowerCase().includes("web"))
      await until(async () => JSON.stringify(await entries(page)) === JSON.stringify(matching))
      await page.keyboard.type("nothing so")
      await page.locator(".sidebar").getByText("No matches.").waitFor()
      await pressKeys(page, "Escape")
      expect(await field(page).inputValue()).toBe("")
      expect((await entries(page)).length).toBeGreaterThan(matching.length)
    })
  )

  test("shows the beginning of a long section until all of it is asked for", () =>
    look(async (page) => {
      const { tags } = await counts()
      const shown = () =>
        page.locator(".section", { hasText: "Tags" }).locator(".entry:not(.entry-manage)").count()
      expect(await shown()).toBeLessThan(tags.length)
      await page.getByRole("button", { name: `All ${tags.length} tags` }).click()
      expect(await shown()).toBe(tags.length)
      await page.getByRole("button", { name: "Show fewer" }).click()
      expect(await shown()).toBeLessThan(tags.length)
    }))

  long(test)("remembers which sections are closed", () =>
    look(async (page) => {
      const tags = page.locator(".section", { hasText: "Tags" })
      await tags.locator("summary").click()
      await until(async () => (await tags.getAttribute("open")) === null)
      await page.reload()
      await page.locator(".card").first().waitFor()
      expect(await tags.getAttribute("open")).toBeNull()
    })
  )

  test("narrows the view with a click, and widens it with another", () =>
    lookAt(async (page) => {
      const { id, name } = await favoriteCollection()
      await entry(page, new RegExp(`^${name}`)).click()
      await until(() => search(page) === `?collection=${id}&favorite=true`)
      await countIs(page, (await answerTo(`favorite=true&collection=${id}`)).total)
      expect(await entry(page, /^Favorites/).getAttribute("aria-current")).toBe("true")
      await entry(page, new RegExp(`^${name}`)).click()
      await until(() => search(page) === "?favorite=true")
      expect(await entry(page, /^Favorites/).getAttribute("aria-current")).toBe("page")
    }, "/dashboard?favorite=true"))

  long(test)("replaces the view with the Alt key", () =>
    lookAt(async (page) => {
      const { id, name } = await favoriteCollection()
      await entry(page, new RegExp(`^${name}`)).click({ modifiers: ["Alt"] })
      await until(() => search(page) === `?collection=${id}`)
    }, "/dashboard?favorite=true")
  )

  long(test)("narrows by a second tag", () =>
    look(async (page) => {
      const link = (await links()).find(({ tags }) => tags.length > 1)
      const [first, second] = link?.tags ?? []
      await page.getByRole("button", { name: /^All \d+ tags/ }).click()
      await entry(page, new RegExp(`^#${first} `)).click()
      await until(() => search(page) === `?tag=${first}`)
      await entry(page, new RegExp(`^#${second} `)).click()
      await until(() => search(page) === `?q=tag%3A${second}&tag=${first}`)
      await countIs(page, (await answerTo(`q=tag:${second}&tag=${first}`)).total)
    })
  )

  long(test)("narrows a search with alternatives as a whole", () =>
    lookAt(async (page) => {
      const other = (await counts()).tags.find(({ name }) => name !== "open-source")?.name ?? ""
      await field(page).fill(other)
      await entry(page, new RegExp(`^#${other} `)).click()
      await until(() => new URL(page.url()).searchParams.get("q") === `tag:${other} (web or data)`)
    }, "/dashboard?q=web+or+data&tag=open-source")
  )

  long(testAccessibility)((device, check) =>
    look(
      async (page) => {
        if (device !== desktop)
          await page.getByRole("button", { name: device === phone ? "Library" : "Menu", exact: true }).click()
        await page.getByPlaceholder("Filter").first().fill("web")
        await check(page, "sidebar-filter")
      },
      { device }
    )
  )
})

describe("the suggestions of the search field", () => {
  long(test)("count the links of the library, not of the page", () =>
    look(async (page) => {
      const hosts = Map.groupBy(await links(), ({ host }) => host.replace(/^www\./, ""))
      const [[host, all] = ["", []]] = [...hosts].toSorted((a, b) => b[1].length - a[1].length)
      await searchField(page).click()
      await page.keyboard.type(`site:${host.slice(0, 3)}`)
      const option = page.getByRole("option", { name: new RegExp(`^${host}`) })
      await option.waitFor()
      expect(await option.locator(".hint").textContent()).toBe(String(all.length))
    })
  )
})
