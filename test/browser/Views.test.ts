import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { overflow, testAccessibility } from "./support/accessibility.ts"
import { assertAccessible } from "./support/axe.ts"
import { desktop, phone } from "./support/browser.ts"
import { countIs, pressKeys, searchField, standsOn } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { shoot } from "./support/shoot.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)

describe("views", () => {
  const { answerTo, counts, fresh, links, look, lookAt } = journeyOf(library)

  const displayButton = (page: Page) => page.getByRole("button", { name: "Display" })
  const menu = (page: Page) => page.getByRole("dialog", { name: "Display" })
  const choice = (page: Page, name: "Group by" | "Sort") => menu(page).getByRole("combobox", { name })
  const layout = (page: Page, name: string) => menu(page).getByRole("radio", { name })
  const titles = (page: Page) => page.locator(".card-title").allTextContents()
  const headings = (page: Page) => page.locator(".links-heading").allTextContents()
  const shows = (page: Page, density: string) =>
    page.locator(`.card[data-density="${density}"]`).first().waitFor()

  const openMenu = async (page: Page) => {
    await displayButton(page).click()
    await layout(page, "Cards").waitFor()
  }
  const choose = async (page: Page, name: string) => {
    // The label covers the radio button, which is visually hidden.
    await menu(page).getByText(name, { exact: true }).click()
  }
  const close = async (page: Page) => {
    await page.keyboard.press("Escape")
    await menu(page).waitFor({ state: "hidden" })
  }

  /** Waits until the list begins with these links. */
  const begins = async (page: Page, params: string) => {
    const expected = (await links(`${params}&limit=5`)).map(({ title }) => title)
    await until(async () => (await titles(page)).slice(0, 5).join("\n") === expected.join("\n"))
  }

  describe("the display menu", () => {
    test("chooses a layout, which is remembered for the kind of view and nowhere else", () =>
      look(async (page) => {
        await openMenu(page)
        expect(await layout(page, "Cards").isChecked()).toBe(true)
        await choose(page, "Grid")
        await shows(page, "grid")
        await close(page)
        await page.reload()
        await shows(page, "grid")
        await page.locator(".sidebar").getByRole("link", { name: "Favorites" }).click()
        await shows(page, "cards")
        await openMenu(page)
        await choose(page, "Rows")
        await shows(page, "rows")
        await close(page)
        await page.goBack()
        await shows(page, "grid")
        await openMenu(page)
        await menu(page).getByRole("button", { name: "Reset" }).click()
        await shows(page, "cards")
        expect(await menu(page).getByRole("button", { name: "Reset" }).count()).toBe(0)
      }))

    long(test)("remembers an order too: it is in the address of every view of that kind", () =>
      look(async (page) => {
        await openMenu(page)
        await choice(page, "Sort").selectOption("Title")
        await page.waitForURL("**/dashboard?sort=title")
        await begins(page, "sort=title")
        await close(page)
        await searchField(page).fill("library")
        await page.waitForURL("**/dashboard?q=library")
        await page.locator(".sidebar").getByRole("link", { name: "All" }).click()
        await page.waitForURL("**/dashboard?sort=title")
        // The service does not know the choice, so the app asks for the list in that order.
        await page.goto("/dashboard")
        await page.waitForURL("**/dashboard?sort=title")
        await begins(page, "sort=title")
        await openMenu(page)
        await choice(page, "Sort").selectOption("Newest")
        await page.waitForURL((url) => url.search === "")
        await begins(page, "sort=newest")
      })
    )

    test("groups links, in an order that keeps groups together", () =>
      look(async (page) => {
        await openMenu(page)
        await choice(page, "Group by").selectOption("Collection")
        await page.waitForURL("**/dashboard?sort=collection")
        const names = (await counts()).collections
          .filter(({ count }) => count > 0)
          .map(({ name }) => name)
          .toSorted((a, b) => a.localeCompare(b, "en", { sensitivity: "base" }))
        await until(async () => (await headings(page)).slice(0, 2).join() === names.slice(0, 2).join())
        await choice(page, "Group by").selectOption("Month saved")
        await page.waitForURL((url) => url.search === "")
        const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" })
        const [first] = await links("limit=1")
        await until(async () => (await headings(page))[0] === month.format(new Date(first?.createdAt ?? 0)))
        await choice(page, "Group by").selectOption("Site")
        await page.waitForURL("**/dashboard?sort=site")
        await begins(page, "sort=site")
        const [site] = await links("sort=site&limit=1")
        await until(async () => (await headings(page))[0] === site?.host.replace(/^www\./, ""))
        // An order that would scatter the groups ends them.
        await choice(page, "Sort").selectOption("Title")
        await until(async () => (await headings(page)).length === 0)
        expect(await choice(page, "Group by").inputValue()).toBe("none")
      }))

    long(test)("shuffles, in an order that a reload keeps and that can be had anew", () =>
      look(async (page) => {
        await openMenu(page)
        await choice(page, "Sort").selectOption("Random")
        await page.waitForURL(/sort=random&seed=\d+/)
        const { search } = new URL(page.url())
        await begins(page, search.slice(1))
        await page.reload()
        await begins(page, search.slice(1))
        await openMenu(page)
        await menu(page).getByRole("button", { name: "Shuffle again" }).click()
        await page.waitForURL((url) => url.search !== search && url.searchParams.has("seed"))
        await begins(page, new URL(page.url()).search.slice(1))
      })
    )

    long(test)("offers the best match only to a search, and no order to similar links", async () => {
      const options = async (page: Page) => choice(page, "Sort").locator("option").allTextContents()
      await look(async (page) => {
        await openMenu(page)
        expect(await options(page)).toEqual([
          "Newest",
          "Oldest",
          "Title",
          "Site",
          "Recently changed",
          "Random"
        ])
        await close(page)
        await searchField(page).fill("library")
        await page.waitForURL("**/dashboard?q=library")
        await openMenu(page)
        expect((await options(page))[0]).toBe("Best match")
        expect(await choice(page, "Sort").inputValue()).toBe("relevance")
      })
      const [link] = (await answerTo("q=library&limit=1")).links
      await lookAt(async (page) => {
        await openMenu(page)
        expect(await choice(page, "Sort").count()).toBe(0)
      }, `/dashboard?like=${link?.id}`)
    })

    long(test)("is operated by keyboard", () =>
      look(async (page) => {
        await displayButton(page).focus()
        await page.keyboard.press("Enter")
        await layout(page, "Cards").focus()
        await page.keyboard.press("ArrowRight")
        await shows(page, "rows")
        await close(page)
        expect(await displayButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
      })
    )

    for (const [name, device] of [
      ["desktop", desktop],
      ["tablet", { viewport: { width: 820, height: 1_180 }, hasTouch: true, isMobile: true }],
      ["phone", phone]
    ] as const)
      (device === desktop ? test : long(test))(`fits a ${name} and has no barriers`, () =>
        look(
          async (page) => {
            await openMenu(page)
            await assertAccessible(page)
            await shoot(page, `display-${name}`)
            const box = await menu(page).boundingBox()
            const { width = 0 } = page.viewportSize() ?? {}
            expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true)
            expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
          },
          { device }
        )
      )
  })

  describe("the grid", () => {
    const showGrid = async (page: Page) => {
      await openMenu(page)
      await choose(page, "Grid")
      await shows(page, "grid")
      await close(page)
    }
    const inFirstRow = (page: Page) => page.locator(".links-cells").first().locator(".card").count()

    long(test)("has columns for its width, and a cover for each link", () =>
      look(async (page) => {
        await showGrid(page)
        expect(await inFirstRow(page)).toBe(5)
        const all = await links("limit=8")
        const covers = page.locator(".cover")
        for (const [at, { image }] of all.entries())
          expect(await covers.nth(at).locator("img").count()).toBe(image === null ? 0 : 1)
        const colours = await covers.evaluateAll((all) =>
          all.map((one) => [one.textContent, getComputedStyle(one).backgroundColor].join(" "))
        )
        expect(new Set(colours).size).toBeGreaterThan(1)
        await page.setViewportSize({ width: 420, height: 800 })
        await until(async () => (await inFirstRow(page)) === 2)
        expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      })
    )

    long(test)("loads more while scrolling, up to the last link, and renders few at a time", () =>
      look(async (page) => {
        await showGrid(page)
        const all = await links()
        const last = page.locator(`#link-${all.at(-1)?.id}`)
        await page.mouse.move(700, 500)
        for (let turn = 0; turn < 60 && (await last.count()) === 0; turn++) {
          await page.mouse.wheel(0, 1_500)
          await page.waitForTimeout(50)
        }
        await last.waitFor()
        expect(await page.locator(".card").count()).toBeLessThan(60)
        expect(await last.locator("xpath=..").getAttribute("aria-posinset")).toBe(String(all.length))
      })
    )

    test("is walked with the arrow keys, in four directions", () =>
      look(async (page) => {
        await showGrid(page)
        const ids = (await links("limit=20")).map(({ id }) => id)
        const columns = await page.locator(".links-cells").first().locator("> li").count()
        for (const [key, at] of [
          ["j", 0],
          ["ArrowRight", 1],
          ["ArrowDown", columns + 1],
          ["ArrowDown", 2 * columns + 1],
          ["ArrowLeft", 2 * columns],
          ["ArrowUp", columns],
          ["j", columns + 1],
          ["ArrowUp", 1],
          ["ArrowUp", 1]
        ] as const) {
          await pressKeys(page, key)
          await standsOn(page, ids[at])
        }
      }))

    long(testAccessibility)(
      (device, check) =>
        look(
          async (page) => {
            await showGrid(page)
            await check(page, "grid")
            await openMenu(page)
            await choice(page, "Group by").selectOption("Collection")
            await page.locator(".links-heading").first().waitFor()
            await close(page)
            await check(page, "grid-groups")
          },
          { device }
        ),
      "with and without groups"
    )
  })

  describe("printing", () => {
    /** Lets the page prepare itself for printing, as the browser does, and shows what would be printed. */
    const print = async (page: Page) => {
      await page.mouse.move(300, 300)
      await page.mouse.move(310, 310)
      await page.emulateMedia({ media: "print" })
      // Once the part that prints is loaded.
      await page.waitForFunction(() => {
        dispatchEvent(new Event("beforeprint"))
        return document.querySelector(".printout") !== null
      })
    }

    test("shows every link of the view, in its groups and without controls", () =>
      look(async (page) => {
        await openMenu(page)
        await choice(page, "Group by").selectOption("Collection")
        await page.locator(".links-heading").first().waitFor()
        await close(page)
        await print(page)
        const all = await links("sort=collection")
        expect(await page.locator(".printed h3").allTextContents()).toEqual(all.map(({ title }) => title))
        expect(await page.locator(".printed-address").first().textContent()).toBe(all[0]?.url ?? "")
        expect(await page.locator(".printout > h2").allTextContents()).toEqual([
          ...new Set(all.map(({ collection }) => collection?.name ?? "Unfiled"))
        ])
        expect(await page.locator("button:visible, input:visible, .card:visible").count()).toBe(0)
        await shoot(page, "print")
        await page.evaluate(() => dispatchEvent(new Event("afterprint")))
        await page.emulateMedia({ media: "screen" })
        await page.locator(".card").first().waitFor()
        expect(await page.locator(".printed").count()).toBe(0)
      }))

    long(test)("is dark on light, whatever the theme", () =>
      look(
        async (page) => {
          await page.evaluate(() => localStorage.setItem("linkbower.theme", "dark"))
          await page.reload()
          await page.locator(".card").first().waitFor()
          await print(page)
          expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(22, 26, 24)")
        },
        { colorScheme: "dark" }
      )
    )

    long(test)("prints what is loaded if the service does not respond", () =>
      fresh(async (page, problems) => {
        problems.expect(/failed|ERR_/i)
        await page.route("**/dashboard/api/links?*", (route) => route.abort())
        await print(page)
        const printed = await page.locator(".printed").count()
        expect(printed).toBeGreaterThan(0)
        expect(await page.getByText(/links could not be loaded/).textContent()).toBe(
          `${120 - printed} links could not be loaded.`
        )
      })
    )
  })

  long(test)("with forced colors, selected links and the chosen layout are outlined", () =>
    look(
      async (page) => {
        await pressKeys(page, "j", "x")
        const outlineOf = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((one) => getComputedStyle(one).outlineStyle)
        expect(await outlineOf('.card[data-selected="true"]')).toBe("solid")
        await openMenu(page)
        expect(await outlineOf(".segment:has(:checked)")).toBe("solid")
        await shoot(page, "forced-colors")
      },
      { forcedColors: true }
    )
  )
})

describe("the library's entries", () => {
  const { answerTo, counts, links, look, lookAt } = journeyOf(library)

  const field = (page: Page) => page.getByLabel("Filter collections, categories and tags")
  const entry = (page: Page, name: string | RegExp) =>
    page.locator(".sidebar").getByRole("link", { name }).first()
  const entries = (page: Page) => page.locator(".sidebar .section .entry > .grow").allTextContents()
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
        await field(page).and(page.locator(":focus")).waitFor()
        await page.keyboard.type("WEB")
        const matching = [...collections, ...categories, ...tags.map(({ name }) => ({ name: `#${name}` }))]
          .map(({ name }) => name)
          .filter((name) => name.toLowerCase().includes("web"))
          .sort()
        await until(async () => (await entries(page)).sort().join("\n") === matching.join("\n"))
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
          page.locator(".section", { hasText: "Tags" }).locator(".entry:not(.entry-more)").count()
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
        await until(async () => (await tags.locator("details").getAttribute("open")) === null)
        await page.reload()
        await page.locator(".card").first().waitFor()
        expect(await tags.locator("details").getAttribute("open")).toBeNull()
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
            await page
              .getByRole("button", { name: device === phone ? "Library" : "Menu", exact: true })
              .click()
          await page.getByPlaceholder("Filter").first().fill("web")
          await page.locator('.library[aria-busy="true"]').waitFor({ state: "detached" })
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
})
