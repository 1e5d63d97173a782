import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { overflow } from "./support/accessibility.ts"
import { phone, visit } from "./support/browser.ts"
import { isLive, scrollDown } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"
import { wireTo } from "./support/wire.ts"

const library = useLibrary(120)

const { links, look, lookAt, mutate, pageCalled } = journeyOf(library)

const cards = (page: Page) => page.locator(".card")
const titles = (page: Page) => page.locator(".card-title").allTextContents()
const card = (page: Page, title: string) => page.locator(".card", { hasText: title }).first()
const sidebar = (page: Page, name: string | RegExp) =>
  page.locator(".sidebar").getByRole("link", { name }).first()
const capture = (title: string) => library().client.capture({ url: pageCalled(title) })
const linkCalled = async (title: string) => (await links()).find((link) => link.title === title)

describe("the list", () => {
  test("shows the newest links first, each with its address", () =>
    look(async (page) => {
      const newest = await links("limit=5")
      expect((await titles(page)).slice(0, 5)).toEqual(newest.map(({ title }) => title))
      const first = cards(page).first()
      expect(await first.getByRole("link").first().getAttribute("href")).toBe(newest[0]?.url ?? "")
      expect(await first.getByRole("link").first().getAttribute("rel")).toBe("noopener noreferrer")
    }))

  long(test)("renders visible cards only, and loads more while scrolling, up to the last link", () =>
    look(async (page) => {
      expect(await cards(page).count()).toBeLessThan(30)
      const all = await links()
      const last = all.at(-1)?.title ?? ""
      for (let turn = 0; turn < 80 && !(await titles(page)).includes(last); turn++) {
        await page.mouse.move(700, 500)
        await page.mouse.wheel(0, 2_000)
        await page.waitForTimeout(50)
      }
      expect(await titles(page)).toContain(last)
      expect(await cards(page).count()).toBeLessThan(30)
      expect(await page.locator(".links-item").last().getAttribute("aria-setsize")).toBe(String(all.length))
    })
  )

  long(test)(
    "does not jump when the cards above, which were never shown, turn out higher or lower than assumed",
    () =>
      look(async (page) => {
        await page.mouse.move(700, 500)
        for (let turn = 0; turn < 6; turn++) {
          await page.mouse.wheel(0, 1_500)
          await page.waitForTimeout(100)
        }
        await page.reload()
        await cards(page).first().waitFor()
        await until(() => page.evaluate(() => scrollY > 3_000))
        await page.waitForTimeout(500)
        const moved = await page.evaluate(async () => {
          // A task after the frame, in which all its callbacks have run.
          const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
          const found: Array<number> = []
          while (scrollY > 200) {
            const card = document.elementFromPoint(700, 400)?.closest(".card")
            const before = card?.getBoundingClientRect().top ?? Number.NaN
            scrollBy({ top: -100, behavior: "instant" })
            for (let wait = 0; wait < 3; wait++) await frame()
            found.push(Math.round((card?.getBoundingClientRect().top ?? Number.NaN) - before))
          }
          // The scroll position is corrected once scrolling rests, without anything moving on the screen.
          const card = document.elementFromPoint(700, 400)?.closest(".card")
          const before = card?.getBoundingClientRect().top ?? Number.NaN
          await new Promise((resolve) => setTimeout(resolve, 600))
          return [...found, Math.round((card?.getBoundingClientRect().top ?? Number.NaN) - before)]
        })
        expect(moved.length).toBeGreaterThan(25)
        expect(moved).toEqual([...Array.from({ length: moved.length - 1 }, () => 100), 0])
      })
  )

  long(test)("switches to compact rows, and remembers that", () =>
    look(async (page) => {
      const before = await cards(page).count()
      await page.getByRole("button", { name: "Compact rows" }).click()
      await page.locator('.card[data-density="rows"]').first().waitFor()
      await until(async () => (await cards(page).count()) > before)
      await page.reload()
      await page.locator('.card[data-density="rows"]').first().waitFor()
    })
  )
})

describe("a view", () => {
  test("has an address that survives Back, Forward and a reload", () =>
    look(async (page) => {
      const all = await titles(page)
      await sidebar(page, /^Favorites/).click()
      await page.waitForURL("**/dashboard?favorite=true")
      await until(
        async () =>
          (await page.locator(".card").count()) ===
          (await page.locator(".card-state[data-kind=favorite]").count())
      )
      const favorites = await titles(page)
      expect(await sidebar(page, /^Favorites/).getAttribute("aria-current")).toBe("page")
      expect(await page.title()).toBe("Favorites · Linkbower")
      await page.reload()
      await page.locator(".card").first().waitFor()
      expect(await titles(page)).toEqual(favorites)
      await page.goBack()
      await until(async () => (await titles(page))[0] === all[0])
      expect(await page.title()).toBe("Linkbower")
      await page.goForward()
      await until(async () => (await titles(page))[0] === favorites[0])
      expect(await titles(page)).toEqual(favorites)
    }))

  long(test)("keeps its scroll position on Back and on a reload", () =>
    look(async (page) => {
      await page.mouse.move(700, 500)
      for (let turn = 0; turn < 6; turn++) {
        await page.mouse.wheel(0, 1_500)
        await page.waitForTimeout(100)
      }
      const seen = () =>
        page.evaluate(() =>
          document.elementFromPoint(700, 300)?.closest(".links-item")?.getAttribute("data-index")
        )
      const index = Number(await until(seen))
      expect(index).toBeGreaterThan(20)
      await sidebar(page, /^Shared/).click()
      await page.waitForURL("**/dashboard?shareable=true")
      await until(async () => (await page.evaluate(() => scrollY)) === 0)
      await page.goBack()
      await until(async () => Math.abs(Number(await seen()) - index) <= 2)
      await page.reload()
      await until(async () => Math.abs(Number(await seen()) - index) <= 2)
    })
  )

  long(test)("opens for a category when the category on a card is clicked", () =>
    look(async (page) => {
      const label = page.locator(".badge[data-kind=category]").first()
      const category = (await label.textContent()) ?? ""
      await label.click()
      await page.waitForURL("**/dashboard?category=*")
      await until(async () =>
        (await page.locator(".badge[data-kind=category]").allTextContents()).every(
          (name) => name === category
        )
      )
      const total = await page.locator(".links-item").first().getAttribute("aria-setsize")
      expect(total).toBe(String((await links(`category=${encodeURIComponent(category)}`)).length))
    })
  )

  long(test)("shows links similar to a card's link", () =>
    look(async (page) => {
      const first = cards(page).first()
      await first.hover()
      await first.getByRole("button", { name: /^More for/ }).click()
      await page.getByRole("menuitem", { name: "Show similar links" }).click()
      await page.waitForURL("**/dashboard?like=*")
    })
  )

  long(test)("says that it is empty, and offers to clear the filters", () =>
    lookAt(async (page) => {
      await page.getByRole("heading", { name: "Nothing here" }).waitFor()
      await page.getByRole("link", { name: "Clear filters" }).click()
      await page.locator(".card").first().waitFor()
    }, "/dashboard?category=no-such-category")
  )
})

describe("changes", () => {
  long(test)("are shown and saved: favorite, share, no favorite", () =>
    look(async (page) => {
      await capture("A link to change")
      const one = card(page, "A link to change")
      await one.waitFor()
      await one.hover()
      await one.getByRole("button", { name: "Favorite", exact: true }).click()
      await until(async () => (await linkCalled("A link to change"))?.favorite)
      await one.getByRole("button", { name: "Share on the public list" }).click()
      await until(async () => (await fetch(`${library().base}/list/api/links?q=change`)).ok)
      await page.getByText(/Everyone can now see/).waitFor()
      await one.getByRole("button", { name: "Favorite", exact: true }).click()
      await until(async () => (await linkCalled("A link to change"))?.favorite === false)
    })
  )

  long(test)("that are rejected put a link back in its place among newer links", () =>
    lookAt(async (page, problems) => {
      problems.expect(/503/)
      await isLive(page)
      const before = await titles(page)
      const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
      await page.route("**/dashboard/api/mutate", async (route) => {
        await refused
        await route.fulfill({ status: 503, json: { error: "unavailable", message: "Not now." } })
      })
      await cards(page).nth(1).hover()
      await cards(page).nth(1).getByRole("button", { name: "Favorite", exact: true }).click()
      await until(async () => (await titles(page))[1] === before[2])
      await capture("A favorite from elsewhere")
      const link = await until(() => linkCalled("A favorite from elsewhere"))
      await mutate({ op: "favorite", ids: [link.id], favorite: true })
      refuse()
      await page.getByText("Not changed. Not now.").waitFor()
      await card(page, "A favorite from elsewhere").waitFor()
      const after = (await titles(page)).filter((title) => title !== "A favorite from elsewhere")
      expect(after.slice(0, 3)).toEqual(before.slice(0, 3))
    }, "/dashboard?favorite=true")
  )

  long(test)("made while another view is open are shown on Back", () =>
    look(async (page) => {
      await capture("Gone meanwhile")
      await card(page, "Gone meanwhile").waitFor()
      await sidebar(page, /^Shared/).click()
      await page.waitForURL("**/dashboard?shareable=true")
      const link = await linkCalled("Gone meanwhile")
      await mutate({ op: "delete", ids: [link?.id] })
      await capture("Come meanwhile")
      await page.goBack()
      await card(page, "Come meanwhile").waitFor()
      expect(await card(page, "Gone meanwhile").count()).toBe(0)
    })
  )

  test("made in one tab appear in another", () =>
    look(async (page) => {
      const other = await page.context().newPage()
      await other.goto("/dashboard")
      await isLive(page)
      await isLive(other)
      const title = (await titles(page))[2] ?? ""
      const here = card(page, title).getByRole("button", { name: "Favorite", exact: true })
      const isFavorite = () => card(other, title).locator(".card-state[data-kind=favorite]").isVisible()
      const before = await isFavorite()
      await card(page, title).hover()
      await here.click()
      await until(async () => (await isFavorite()) !== before)
    }))
})

describe("changes made elsewhere", () => {
  long(test)("appear without a reload: a saved link, its summary, its deletion", () =>
    look(async (page) => {
      await isLive(page)
      await capture("Fresh from the bot")
      await card(page, "Fresh from the bot").waitFor()
      await card(page, "Fresh from the bot").getByText("What the page says.").waitFor()
      const link = await linkCalled("Fresh from the bot")
      await mutate({ op: "delete", ids: [link?.id] })
      await card(page, "Fresh from the bot").waitFor({ state: "detached" })
    })
  )

  test("move nothing in a scrolled list, but wait behind a button", () =>
    look(async (page) => {
      await isLive(page)
      await scrollDown(page, 1_000)
      const before = await titles(page)
      await capture("Came while reading")
      await page.getByRole("button", { name: "1 new" }).waitFor()
      expect(await titles(page)).toEqual(before)
      await page.getByRole("button", { name: "1 new" }).click()
      await card(page, "Came while reading").waitFor()
    }))

  long(test)("are loaded after a lost connection", async () => {
    const wire = await wireTo(library().base)
    try {
      // A script may be loading when the wire is cut.
      const view = { ...(await library().owner()), base: wire.base }
      await visit(view, async (page, problems) => {
        problems.expect(/net::ERR_/)
        await page.goto("/dashboard")
        await isLive(page)
        wire.cut()
        await page.locator('.live[data-on="false"]').waitFor()
        await capture("Missed meanwhile")
        await until(() => problems.all.length > 0)
        wire.restore()
        await card(page, "Missed meanwhile").waitFor()
        await isLive(page)
      })
    } finally {
      wire.stop()
    }
  })
})

describe("scraped text", () => {
  test("is shown as text, even if it looks like HTML", () =>
    look(async (page) => {
      const hostile = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`
      await capture(hostile)
      await card(page, hostile).waitFor()
      expect(await page.evaluate(() => "hit" in window)).toBe(false)
      expect(await page.locator(".card-title img, .card-title script").count()).toBe(0)
    }))
})

describe("on a phone", () => {
  long(test)("puts the sidebar in a drawer, and a card's controls behind one button", () =>
    look(
      async (page) => {
        await page.getByRole("button", { name: "Library" }).tap()
        await page
          .getByRole("dialog", { name: "Library" })
          .getByRole("link", { name: /^Unfiled/ })
          .tap()
        await page.waitForURL("**/dashboard?collection=none")
        expect(await page.getByRole("dialog").count()).toBe(0)
        await page.locator(".card").first().waitFor()
        const title = (await titles(page))[0] ?? ""
        await card(page, title)
          .getByRole("button", { name: /^More for/ })
          .tap()
        await page.getByRole("menuitem", { name: /^(Favorite|Remove from favorites)/ }).tap()
        await page
          .getByText(/favorite/)
          .first()
          .waitFor()
      },
      { device: phone }
    )
  )

  long(test)("fits a screen of 320 pixels", () =>
    look(
      async (page) => {
        expect(await page.evaluate(overflow)).toBe(0)
      },
      { device: { ...phone, viewport: { width: 320, height: 640 } } }
    )
  )
})
