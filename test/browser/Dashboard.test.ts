import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { desktop, phone, TEST_TIMEOUT, visit } from "./support/browser.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { wireTo } from "./support/wire.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(200)
})
afterAll(() => library.stop())

const look = async <A>(body: (page: Page) => Promise<A>, path = "/dashboard", device = desktop) =>
  visit(await library.owner({ device }), async (page) => {
    await page.goto(path)
    await page.locator(".card").first().waitFor()
    return await body(page)
  })

const cards = (page: Page) => page.locator(".card")
const titles = (page: Page) => page.locator(".card-title").allTextContents()
const card = (page: Page, title: string) => page.locator(".card", { hasText: title }).first()
const sidebar = (page: Page, name: string | RegExp) =>
  page.locator(".sidebar").getByRole("link", { name }).first()
const capture = (title: string) =>
  library.client.capture({ url: `${library.world.pages.url}/plain?t=${encodeURIComponent(title)}` })
const linkCalled = async (title: string) =>
  (await library.client.links()).find((link) => link.title === title)

describe("the list", () => {
  test("shows the newest links first, with what is known of each", () =>
    look(async (page) => {
      const links = await library.client.links("?limit=5")
      expect((await titles(page)).slice(0, 5)).toEqual(links.map(({ title }) => title))
      const first = cards(page).first()
      expect(await first.getByRole("link").first().getAttribute("href")).toBe(links[0]?.url ?? "")
      expect(await first.getByRole("link").first().getAttribute("rel")).toBe("noopener noreferrer")
    }))

  test("draws no more than can be seen, and loads on as it is scrolled, to the last link", () =>
    look(async (page) => {
      expect(await cards(page).count()).toBeLessThan(30)
      const all = await library.client.links()
      const last = all.at(-1)?.title ?? ""
      for (let turn = 0; turn < 80 && !(await titles(page)).includes(last); turn++) {
        await page.mouse.move(700, 500)
        await page.mouse.wheel(0, 2_000)
        await page.waitForTimeout(50)
      }
      expect(await titles(page)).toContain(last)
      expect(await cards(page).count()).toBeLessThan(30)
      expect(await page.locator(".links-item").last().getAttribute("aria-setsize")).toBe(String(all.length))
    }))

  test("can be compact, and stays so", () =>
    look(async (page) => {
      const before = await cards(page).count()
      await page.getByRole("button", { name: "Compact rows" }).click()
      await page.locator('.card[data-density="rows"]').first().waitFor()
      await until(async () => (await cards(page).count()) > before)
      await page.reload()
      await page.locator('.card[data-density="rows"]').first().waitFor()
    }))
})

describe("a view", () => {
  test("is an address: following, going back and forward, and reloading keep it", () =>
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

  test("is where it was when one comes back to it", () =>
    look(async (page) => {
      for (let turn = 0; turn < 6; turn++) {
        await page.mouse.move(700, 500)
        await page.mouse.wheel(0, 1_500)
        await page.waitForTimeout(80)
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
    }))

  test("of a category, a tag or a collection is one click on a card away", () =>
    look(async (page) => {
      const first = cards(page).first()
      const category = (await first.locator(".badge[data-kind=category]").textContent()) ?? ""
      await first.locator(".badge[data-kind=category]").click()
      await page.waitForURL("**/dashboard?category=*")
      await until(async () =>
        (await page.locator(".badge[data-kind=category]").allTextContents()).every(
          (name) => name === category
        )
      )
      const total = await page.locator(".links-item").first().getAttribute("aria-setsize")
      expect(total).toBe(
        String((await library.client.links(`?category=${encodeURIComponent(category)}`)).length)
      )
    }))

  test("of what is like a link is there for every link", () =>
    look(async (page) => {
      const first = cards(page).first()
      await first.hover()
      await first.getByRole("button", { name: /^More for/ }).click()
      await page.getByRole("dialog").getByRole("link", { name: "Show similar links" }).click()
      await page.waitForURL("**/dashboard?like=*")
    }))

  test("that holds nothing says so and offers the way out", async () =>
    visit(await library.owner(), async (page) => {
      await page.goto("/dashboard?category=no-such-category")
      await page.getByRole("heading", { name: "Nothing here" }).waitFor()
      await page.getByRole("link", { name: "Clear filters" }).click()
      await page.locator(".card").first().waitFor()
    }))
})

describe("changes", () => {
  test("show at once and are made: favorite, share, and both back again", () =>
    look(async (page) => {
      await capture("A link to change")
      const one = card(page, "A link to change")
      await one.waitFor()
      await one.hover()
      await one.getByRole("button", { name: "Favorite", exact: true }).click()
      await until(async () => (await linkCalled("A link to change"))?.favorite)
      await one.getByRole("button", { name: "Share on the public list" }).click()
      await until(async () => (await fetch(`${library.base}/list/api/links?q=change`)).ok)
      await page.getByText(/Everyone can now see/).waitFor()
      await one.getByRole("button", { name: "Favorite", exact: true }).click()
      await until(async () => (await linkCalled("A link to change"))?.favorite === false)
    }))

  test("that are refused roll back, and say why", async () =>
    visit(await library.owner(), async (page, problems) => {
      problems.expect(/503/)
      await page.goto("/dashboard")
      const first = cards(page).first()
      await page.route("**/dashboard/api/mutate", (route) =>
        route.fulfill({
          status: 503,
          json: { error: "unavailable", message: "The library cannot be written." }
        })
      )
      const star = first.getByRole("button", { name: "Favorite", exact: true })
      const before = await star.getAttribute("aria-pressed")
      await first.hover()
      await star.click()
      await page.getByText("Not changed. The library cannot be written.").waitFor()
      expect(await star.getAttribute("aria-pressed")).toBe(before)
    }))

  test("that are refused put a link back where it stood, among what came meanwhile", async () =>
    visit(await library.owner(), async (page, problems) => {
      problems.expect(/503/)
      await page.goto("/dashboard?favorite=true")
      await cards(page).first().waitFor()
      await page.locator('.live[data-on="true"]').waitFor()
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
      await library.client.owner("POST", "/api/mutate", { op: "favorite", ids: [link.id], favorite: true })
      refuse()
      await page.getByText("Not changed. Not now.").waitFor()
      await card(page, "A favorite from elsewhere").waitFor()
      const after = (await titles(page)).filter((title) => title !== "A favorite from elsewhere")
      expect(after.slice(0, 3)).toEqual(before.slice(0, 3))
    }))

  test("that happened while another view was looked at are seen on the way back", () =>
    look(async (page) => {
      await capture("Gone meanwhile")
      await card(page, "Gone meanwhile").waitFor()
      await sidebar(page, /^Shared/).click()
      await page.waitForURL("**/dashboard?shareable=true")
      const link = await linkCalled("Gone meanwhile")
      await library.client.owner("POST", "/api/mutate", { op: "delete", ids: [link?.id] })
      await capture("Come meanwhile")
      await page.goBack()
      await card(page, "Come meanwhile").waitFor()
      expect(await card(page, "Gone meanwhile").count()).toBe(0)
    }))

  test("made in one tab appear in another by themselves", async () =>
    visit(await library.owner(), async (page) => {
      await page.goto("/dashboard")
      const other = await page.context().newPage()
      await other.goto("/dashboard")
      await page.locator('.live[data-on="true"]').waitFor()
      await other.locator('.live[data-on="true"]').waitFor()
      const title = (await titles(page))[2] ?? ""
      const here = card(page, title).getByRole("button", { name: "Favorite", exact: true })
      const there = card(other, title).getByRole("button", { name: "Favorite", exact: true })
      const before = await there.getAttribute("aria-pressed")
      await card(page, title).hover()
      await here.click()
      await until(async () => (await there.getAttribute("aria-pressed")) !== before)
    }))
})

describe("what happens elsewhere", () => {
  test("is seen without a reload: a saved link, what is found out about it, its end", () =>
    look(async (page) => {
      await page.locator('.live[data-on="true"]').waitFor()
      await capture("Fresh from the bot")
      await card(page, "Fresh from the bot").waitFor()
      await card(page, "Fresh from the bot").getByText("What the page says.").waitFor()
      const link = await linkCalled("Fresh from the bot")
      await library.client.owner("POST", "/api/mutate", { op: "delete", ids: [link?.id] })
      await card(page, "Fresh from the bot").waitFor({ state: "detached" })
    }))

  test("moves nothing under the reader, but waits to be asked for", () =>
    look(async (page) => {
      await page.locator('.live[data-on="true"]').waitFor()
      await page.mouse.move(700, 500)
      await page.mouse.wheel(0, 3_000)
      await page.waitForTimeout(200)
      const before = await titles(page)
      await capture("Came while reading")
      await page.getByRole("button", { name: "1 new" }).waitFor()
      expect(await titles(page)).toEqual(before)
      await page.getByRole("button", { name: "1 new" }).click()
      await card(page, "Came while reading").waitFor()
    }))

  test("is caught up with after the connection was lost", async () => {
    const wire = await wireTo(library.base)
    try {
      // The service worker's script may be on its way when the wire is cut.
      const view = { ...(await library.owner()), base: wire.base }
      await visit(view, async (page, problems) => {
        problems.expect(/net::ERR_/)
        await page.goto("/dashboard")
        await page.locator('.live[data-on="true"]').waitFor()
        wire.cut()
        await page.locator('.live[data-on="false"]').waitFor()
        await capture("Missed meanwhile")
        await until(() => problems.all.length > 0)
        wire.mend()
        await card(page, "Missed meanwhile").waitFor()
        await page.locator('.live[data-on="true"]').waitFor()
      })
    } finally {
      wire.stop()
    }
  })
})

describe("scraped text", () => {
  test("stays text, whatever it looks like", () =>
    look(async (page) => {
      const hostile = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`
      await capture(hostile)
      await card(page, hostile).waitFor()
      expect(await page.evaluate(() => "hit" in window)).toBe(false)
      expect(await page.locator(".card-title img, .card-title script").count()).toBe(0)
    }))
})

describe("on a phone", () => {
  test("the ways into the library are in a drawer, and a card's controls under one button", () =>
    look(
      async (page) => {
        await page.getByRole("button", { name: "Menu" }).tap()
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
        await page
          .getByRole("dialog")
          .getByRole("button", { name: /^(Favorite|No favorite)/ })
          .tap()
        await page
          .getByText(/favorite/)
          .first()
          .waitFor()
      },
      "/dashboard",
      phone
    ))

  test("nothing is wider than the screen, not even at 320 pixels", () =>
    look(
      async (page) => {
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth
        )
        expect(overflow).toBe(0)
      },
      "/dashboard",
      { ...phone, viewport: { width: 320, height: 640 } }
    ))
})
