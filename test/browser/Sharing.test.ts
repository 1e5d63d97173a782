import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { inDatabase } from "../support/libraryFile.ts"
import { until } from "../support/service.ts"
import { isLong, long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { type View, visit } from "./support/browser.ts"
import { card, gone, menuOf, openMenu, press } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)
const { finished, linkOf, links, mutate } = journeyOf(library)

/** A visit in a browser that has never shared a link. */
const lookFirst = async (body: (page: Page) => Promise<void>, view: Partial<View> = {}) =>
  visit(await library().owner(view), async (page) => {
    await page.goto("/dashboard")
    await page.locator(".card").first().waitFor()
    await body(page)
  })

const dialog = (page: Page) => page.getByRole("dialog", { name: "Share on the public list?" })
const button = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true })
const share = (page: Page, id: number) => press(page, id, /^(Share on the public list|Make private)/)
const isShared = async (id: number) => (await linkOf(id))?.shareable

describe("the first share of a browser", () => {
  test("says who will see the link and where, and shares it only if confirmed", () =>
    lookFirst(async (page) => {
      const [one, other] = (await finished()).filter(({ shareable }) => !shareable)
      if (one === undefined || other === undefined) return expect.unreachable()
      await share(page, one.id)
      await dialog(page).getByText(`Everyone who has the address of your public list can then see`).waitFor()
      await dialog(page).getByText(one.title, { exact: false }).first().waitFor()
      const address = `${library().base}/list`
      expect(await dialog(page).getByRole("link").getAttribute("href")).toBe(address)
      await button(page, "Cancel").click()
      await gone(page)
      expect(await isShared(one.id)).toBe(false)

      await share(page, one.id)
      await button(page, "Share").click()
      await until(async () => await isShared(one.id))
      await openMenu(page, one.id)
      await menuOf(page).getByRole("menuitem", { name: "Make private" }).waitFor()
      await page.keyboard.press("Escape")

      // The answer is remembered, also after a reload.
      await page.reload()
      await page.locator(".card").first().waitFor()
      await share(page, other.id)
      await until(async () => await isShared(other.id))
      expect(await dialog(page).count()).toBe(0)
    }))

  test("asks about many links at once, and never before links become private", () =>
    lookFirst(async (page) => {
      const shared = (await finished()).find(({ shareable }) => shareable)
      if (shared === undefined) return expect.unreachable()
      await share(page, shared.id)
      await until(async () => (await isShared(shared.id)) === false)
      await page.locator(".links").focus()
      await page.keyboard.press("j")
      for (let n = 0; n < 3; n++) {
        await page.keyboard.press("x")
        await page.keyboard.press("j")
      }
      await page.getByRole("toolbar").getByRole("button", { name: "Share", exact: true }).click()
      await dialog(page).getByText("can then see 3 links:").waitFor()
      await button(page, "Share").click()
      await page.getByText("Everyone can now see 3 links on the public list.").waitFor()
    }))

  long(testAccessibility)((device, check) =>
    lookFirst(
      async (page) => {
        const one = (await finished()).find(({ shareable }) => !shareable)
        await card(page, one?.id ?? 0).focus()
        await page.keyboard.press("s")
        await dialog(page).waitFor()
        await check(page, "share")
      },
      { device }
    )
  )
})

interface Shared {
  readonly title: string
  readonly url: string
  readonly collection: string | null
}

const shared = async (query = ""): Promise<ReadonlyArray<Shared>> => {
  const response = await fetch(`${library().base}/list/api/links${query}`)
  const { links }: { links: ReadonlyArray<Shared> } = await response.json()
  return links
}

describe("the public list", () => {
  // Two pages of it.
  beforeAll(async () => {
    await mutate({ op: "shareable", ids: (await links()).map(({ id }) => id), shareable: true })
  })

  const showsAll = async (page: Page) => {
    const first = await shared("?sort=collection&limit=50")
    const addresses = await page
      .locator(".card-title a")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")))
    expect(addresses).toEqual(first.map(({ url }) => url))
    const groups = await page.locator(".public-group > h2").allTextContents()
    expect(groups[0]).toContain(first[0]?.collection ?? "")
  }

  /** The places of the first titles. */
  const boxes = (page: Page) =>
    page
      .locator(".card-title")
      .evaluateAll((all) => all.slice(0, 5).map((one) => Math.round(one.getBoundingClientRect().top)))

  /** Opens the list, runs `before` while its scripts are held back, and waits for hydration. */
  const hydrated = async (page: Page, before: () => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route("**/app/list-*.js", async (route) => {
      await promise
      await route.continue()
    })
    await page.goto("/list", { waitUntil: "commit" })
    await page.locator(".public-footer").waitFor()
    // The document may be there before its stylesheet, but nobody sees it then.
    await until(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length > 0))
    await before()
    resolve()
    await page.getByRole("button", { name: "More" }).waitFor()
  }

  test("looks the same before and after hydration, and keeps the service's elements and the typed text", () =>
    visit(library().anybody(), async (page) => {
      const sent = page.locator(".card, .card-title > a, .favicon, .preview img, .public-search input")
      let before: Array<number> = []
      await hydrated(page, async () => {
        before = await boxes(page)
        await page.getByRole("searchbox").fill("half a wor")
        await sent.evaluateAll((all) => all.map((one) => Object.assign(one, { sent: true })))
      })
      expect(await sent.evaluateAll((all) => all.filter((one) => !("sent" in one)).length)).toBe(0)
      expect(await boxes(page)).toEqual(before)
      expect(await page.getByRole("searchbox").inputValue()).toBe("half a wor")
      expect(await page.locator(".card time:not([title])").count()).toBe(0)
      expect(await page.locator("noscript").count()).toBe(0)
    }))

  long(test)("shows a letter for an icon that failed before hydration", () =>
    visit(library().anybody(), async (page, problems) => {
      problems.expect(/ERR_FAILED/)
      await page.route("**/list/favicon?*", (route) => route.abort())
      const icons = page.locator(".card-select > .favicon")
      const tags = () => icons.evaluateAll((all) => all.map(({ localName }) => localName))
      let place = -1
      await hydrated(page, async () => {
        place = (await tags()).indexOf("img")
        await until(() => icons.nth(place).evaluate((one) => one instanceof HTMLImageElement && one.complete))
      })
      expect(place).toBeGreaterThanOrEqual(0)
      await until(async () => (await tags())[place] === "span")
    })
  )

  long(test)("shows the shared links by collection, and can be paged and searched, without scripts", () =>
    visit(library().anybody({ scripts: false }), async (page) => {
      const all = await shared()
      await page.goto("/list")
      await showsAll(page)
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
    })
  )

  test("shows the shared links by collection, loads more, searches while typing, and opens a category without a page load", () =>
    visit(library().anybody(), async (page) => {
      const [link] = await shared()
      const word = link?.title.split(" ")[0] ?? ""
      await page.goto("/list")
      await page.getByRole("button", { name: "More" }).waitFor()
      await showsAll(page)
      await page.evaluate(() => Object.assign(window, { same: true }))
      await page.getByRole("button", { name: "More" }).click()
      await until(async () => (await page.locator(".card").count()) > 50)
      await page.getByRole("searchbox").pressSequentially(word)
      await until(() => new URL(page.url()).searchParams.get("q") === word)
      await until(async () => (await page.locator(".public-group > h2").allTextContents()).join() === "Found")
      await until(async () => (await page.locator(".card-title").allTextContents())[0]?.includes(word))
      await page.goBack()
      await until(async () => new URL(page.url()).searchParams.get("q") === null)
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

  test("offers no controls and no private fields", () =>
    visit(library().anybody(), async (page) => {
      await page.goto("/list")
      await page.locator(".card").first().waitFor()
      expect(await page.locator(".card button, .card input").count()).toBe(0)
      const notes = (await library().client.links()).map(({ note }) => note).filter((note) => note.length > 3)
      const html = await page.content()
      expect(notes.filter((note) => html.includes(Bun.escapeHTML(note)))).toEqual([])
      expect(html).not.toMatch(/"(id|note|favorite)":/)
    }))

  long(test)("hides a link on the next load after it was made private", async () => {
    const [link] = await shared()
    const id = (await library().client.links()).find(({ url }) => url === link?.url)?.id
    const shows = () =>
      visit(library().anybody(), async (page) => {
        await page.goto(`/list?q=${encodeURIComponent(link?.title ?? "")}`)
        // A search that finds nothing repeats its words.
        return page
          .locator(".card-title")
          .getByText(link?.title ?? "", { exact: true })
          .count()
      })
    expect(await shows()).toBeGreaterThan(0)
    await library().client.owner("POST", "/api/mutate", { op: "shareable", ids: [id], shareable: false })
    expect(await shows()).toBe(0)
  })
})

for (const scripts of isLong ? [false, true] : [true])
  testAccessibility(
    async (device, check) =>
      visit(library().anybody({ device, scripts }), async (page) => {
        await page.goto("/list")
        await page.locator(".card").first().waitFor()
        await check(page, scripts ? "public-list" : undefined)
      }),
    `the public list ${scripts ? "with" : "without"} scripts`
  )

describe("a shared collection", () => {
  /** Shares the largest collection, with the second largest one in it. */
  const shareLargest = () =>
    inDatabase(join(library().service.folder, "data", "library.db"), (database) => {
      const [outer, inner] = database
        .query<{ id: number; name: string }, []>(
          `SELECT c.id, c.name FROM collections c JOIN links l ON l.collection_id = c.id
            GROUP BY c.id ORDER BY count(*) DESC LIMIT 2`
        )
        .all()
      if (outer === undefined || inner === undefined) throw new Error("there are no collections")
      if (inner.name.startsWith(outer.name)) return outer.name
      database.run("UPDATE collections SET parent_id = ?, name = ? WHERE id = ?", [
        outer.id,
        `${outer.name} / ${inner.name}`,
        inner.id
      ])
      database.run("UPDATE collections SET shareable = 1, description = ? WHERE id = ?", [
        "What I keep coming back to.\nMostly long reads, a few tools.",
        outer.id
      ])
      database.run("UPDATE collections SET shared = 1 WHERE id IN (?, ?)", [outer.id, inner.id])
      database.run("UPDATE links SET in_shared = 1 WHERE collection_id IN (?, ?)", [outer.id, inner.id])
      return outer.name
    })

  test("has a page with its description and the collections in it, opened without a page load", () =>
    visit(library().anybody(), async (page) => {
      const name = shareLargest()
      await page.goto("/list")
      await page.getByRole("button", { name: "More" }).waitFor()
      await page.evaluate(() => Object.assign(window, { same: true }))
      const address = `/list?${new URLSearchParams({ collection: name })}`
      const chip = page.locator(`.public-nav a[href="${address}"]`)
      const summary = page.locator(".public-nav summary").first()
      if (!(await chip.isVisible())) await summary.click()
      await chip.click()
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
      expect(await page.title()).toBe(`${name} · Shared links`)
      expect(await page.locator(".public-description").textContent()).toContain("What I keep coming back to.")
      const inside = page.getByRole("navigation", { name: "In this collection" }).getByRole("link")
      const [inner = ""] = (await inside.allTextContents()).map((text) => text.replace(/ [\d,]+$/, ""))
      await inside.click()
      await page.getByRole("heading", { level: 1, name: inner, exact: true }).waitFor()
      await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name }).click()
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
      expect(await page.evaluate(() => "same" in window)).toBe(true)
      // A search stays in the collection, and ends with its text.
      await page.getByRole("searchbox").fill("zebra crossing")
      await until(() => new URL(page.url()).searchParams.get("q") === "zebra crossing")
      expect(new URL(page.url()).searchParams.get("collection")).toBe(name)
      await page.getByRole("searchbox").fill("")
      await until(() => new URL(page.url()).search === new URL(address, library().base).search)
      await page.locator(".card").first().waitFor()
      // What scripts show comes to be what the service renders.
      const another = await page.context().newPage()
      await another.goto(address)
      const rendered = await another.locator(".public-header").textContent()
      await until(async () => (await page.locator(".public-header").textContent()) === rendered)
    }))

  long(testAccessibility)(
    (device, check) =>
      visit(library().anybody({ device }), async (page, problems) => {
        const name = shareLargest()
        await page.goto(`/list?${new URLSearchParams({ collection: name })}`)
        await page.locator(".card").first().waitFor()
        await check(page, "public-collection")
        if (!isLong) return
        problems.expect(/404/)
        await page.goto("/list?collection=Nothing")
        await page.getByText("No shared collection has this name.").waitFor()
        await check(page, "public-missing")
      }),
    "a shared collection"
  )
})
