import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { assertAccessible } from "./support/axe.ts"
import { desktop, phone, TEST_TIMEOUT, visit } from "./support/browser.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { vitals } from "./support/measure.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(300)
})
afterAll(() => library.stop())

interface Shared {
  readonly title: string
  readonly url: string
  readonly collection: string | null
}

const shared = async (query = ""): Promise<ReadonlyArray<Shared>> => {
  const response = await fetch(`${library.base}/list/api/links${query}`)
  const { links }: { links: ReadonlyArray<Shared> } = await response.json()
  return links
}

describe("the public list", () => {
  for (const scripts of [false, true])
    test(`shows the shared links by collection, with scripts ${scripts ? "on" : "off"}`, () =>
      visit(library.anybody({ scripts }), async (page) => {
        await page.goto("/list")
        const links = await shared("?sort=collection&limit=50")
        const addresses = await page
          .locator(".card-title a")
          .evaluateAll((all) => all.map((one) => one.getAttribute("href")))
        expect(addresses).toEqual(links.map(({ url }) => url))
        const groups = await page.locator(".public-group > h2").allTextContents()
        expect(groups[0]).toContain(links[0]?.collection ?? "")
      }))

  test("looks the same before the app takes over as after it", async () => {
    const boxes = (takenOver: boolean) =>
      visit(library.anybody(), async (page, problems) => {
        if (!takenOver) {
          problems.expect(/ERR_FAILED/)
          await page.route("**/app/list-*.js", (route) => route.abort())
        }
        await page.goto("/list")
        await page.waitForTimeout(300)
        return page
          .locator(".card-title")
          .evaluateAll((all) => all.slice(0, 5).map((one) => Math.round(one.getBoundingClientRect().top)))
      })
    expect(await boxes(true)).toEqual(await boxes(false))
  })

  /** Opens the list, does `before` while its scripts are held back, and waits until the app has taken over. */
  const takenOver = async (page: Page, before: () => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route("**/app/list-*.js", async (route) => {
      await promise
      await route.continue()
    })
    await page.goto("/list", { waitUntil: "commit" })
    await page.locator(".public-footer").waitFor()
    await before()
    resolve()
    await page.getByRole("button", { name: "More" }).waitFor()
  }

  test("keeps the elements that the service sent, and what was typed meanwhile", () =>
    visit(library.anybody(), async (page) => {
      const sent = page.locator(".card, .card-title > a, .favicon, .preview img, .public-search input")
      await takenOver(page, async () => {
        await page.getByRole("searchbox").fill("half a wor")
        await sent.evaluateAll((all) => all.map((one) => Object.assign(one, { sent: true })))
      })
      expect(await sent.evaluateAll((all) => all.filter((one) => !("sent" in one)).length)).toBe(0)
      expect(await page.getByRole("searchbox").inputValue()).toBe("half a wor")
      expect(await page.locator(".card time:not([title])").count()).toBe(0)
      expect(await page.locator("noscript").count()).toBe(0)
    }))

  test("shows a letter for an icon that failed before the app took over", () =>
    visit(library.anybody(), async (page, problems) => {
      problems.expect(/ERR_FAILED/)
      await page.route("**/list/favicon?*", (route) => route.abort())
      const icons = page.locator(".card-select > .favicon")
      const tags = () => icons.evaluateAll((all) => all.map(({ localName }) => localName))
      let place = -1
      await takenOver(page, async () => {
        place = (await tags()).indexOf("img")
        await until(() => icons.nth(place).evaluate((one) => one instanceof HTMLImageElement && one.complete))
      })
      expect(place).toBeGreaterThanOrEqual(0)
      await until(async () => (await tags())[place] === "span")
    }))

  test("can be paged and searched with scripts off", () =>
    visit(library.anybody({ scripts: false }), async (page) => {
      const all = await shared()
      await page.goto("/list")
      const first = await page.locator(".card-title").allTextContents()
      await page.locator('a[rel="next"]').first().click()
      const second = await page.locator(".card-title").allTextContents()
      expect(second.length).toBeGreaterThan(0)
      expect(first.filter((title) => second.includes(title)).length).toBeLessThan(3)
      const word = all[0]?.title.split(" ")[0] ?? ""
      await page.goto("/list")
      await page.locator('input[name="q"]').fill(word)
      await page.locator('input[name="q"]').press("Enter")
      await page.waitForURL(`**/list?q=${encodeURIComponent(word)}*`)
      expect(await page.locator(".card-title").allTextContents()).toContain(all[0]?.title ?? "")
    }))

  test("is searched as one types, and loads on", () =>
    visit(library.anybody(), async (page) => {
      const [link] = await shared()
      const word = link?.title.split(" ")[0] ?? ""
      await page.goto("/list")
      await page.getByRole("button", { name: "More" }).click()
      await until(async () => (await page.locator(".card").count()) > 50)
      await page.getByRole("searchbox").pressSequentially(word, { delay: 20 })
      await until(() => new URL(page.url()).searchParams.get("q") === word)
      await until(async () => (await page.locator(".public-group > h2").allTextContents()).join() === "Found")
      expect((await page.locator(".card-title").allTextContents())[0]).toContain(word)
      await page.goBack()
      await until(async () => new URL(page.url()).searchParams.get("q") === null)
    }))

  test("follows categories and tags without a new page, and back again", () =>
    visit(library.anybody(), async (page) => {
      await page.goto("/list")
      await page.evaluate(() => Object.assign(window, { same: true }))
      const badge = page.locator(".badge[data-kind=category]").first()
      const name = (await badge.textContent()) ?? ""
      await badge.click()
      await page.waitForURL("**/list?category=*")
      await until(async () =>
        (await page.locator(".badge[data-kind=category]").allTextContents()).every((one) => one === name)
      )
      await page.goBack()
      expect(await page.evaluate(() => "same" in window)).toBe(true)
    }))

  test("offers no control, and nothing that is the owner's", () =>
    visit(library.anybody(), async (page) => {
      await page.goto("/list")
      await page.locator(".card").first().waitFor()
      expect(await page.locator(".card button, .card input").count()).toBe(0)
      const notes = (await library.client.links()).map(({ note }) => note).filter((note) => note.length > 3)
      const html = await page.content()
      expect(notes.filter((note) => html.includes(Bun.escapeHTML(note)))).toEqual([])
      expect(html).not.toMatch(/"(id|note|favorite)":/)
    }))

  test("a link that is made private again is gone with the next look", async () => {
    const [link] = await shared()
    const id = (await library.client.links()).find(({ url }) => url === link?.url)?.id
    const shows = () =>
      visit(library.anybody(), async (page) => {
        await page.goto(`/list?q=${encodeURIComponent(link?.title ?? "")}`)
        return page.getByText(link?.title ?? "", { exact: true }).count()
      })
    expect(await shows()).toBeGreaterThan(0)
    await library.client.owner("POST", "/api/mutate", { op: "shareable", ids: [id], shareable: false })
    expect(await shows()).toBe(0)
  })

  test("moves nothing once it is drawn", () =>
    visit(library.anybody(), async (page) => {
      await page.goto("/list")
      await page.waitForTimeout(500)
      const { cumulativeLayoutShift, shifted } = await vitals(page)
      expect([cumulativeLayoutShift, shifted]).toEqual([0, []])
    }))
})

describe("everybody can use the public list without scripts", () => {
  for (const colorScheme of ["light", "dark"] as const)
    for (const device of [desktop, phone])
      test(`no barrier is found, ${colorScheme}, ${device === phone ? "phone" : "desktop"}`, () =>
        visit(library.anybody({ colorScheme, device, scripts: false }), async (page) => {
          await page.goto("/list")
          await page.locator(".card").first().waitFor()
          await assertAccessible(page)
        }))
})
