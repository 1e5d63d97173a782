import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { overflow, testAccessibility } from "./support/accessibility.ts"
import { phone } from "./support/browser.ts"
import { card, dialogOf, focused, gone, searchField } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { drawFinger } from "./support/touch.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { linkOf, links, look } = journeyOf(library)

const bar = (page: Page) => page.getByRole("navigation", { name: "Actions" })
const press = (page: Page, name: string) => bar(page).getByRole("button", { name, exact: true }).tap()
const lookOnPhone = (body: (page: Page) => Promise<unknown>) => look(body, { device: phone })

/** The second link of the list, and a finger on the middle of its card. */
const onCard = async (page: Page) => {
  const [, link] = await links("limit=2")
  if (link === undefined) throw new Error("there is no link")
  // The swipes are part of what the first interaction loads, as dialogs are.
  await press(page, "More")
  await dialogOf(page).waitFor()
  await page.keyboard.press("Escape")
  await gone(page)
  const box = await card(page, link.id).boundingBox()
  return { link, from: { x: 195, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 } }
}

describe("the bar at the bottom", () => {
  test("opens the library, the search, the form and the menu", () =>
    lookOnPhone(async (page) => {
      await press(page, "Library")
      await page.getByRole("dialog", { name: "Library" }).waitFor()
      await page.keyboard.press("Escape")
      await gone(page)
      await press(page, "Search")
      expect(await searchField(page).evaluate((field) => field === document.activeElement)).toBe(true)
      await press(page, "Add")
      await page.getByRole("dialog", { name: "Add a link" }).waitFor()
      await page.keyboard.press("Escape")
      await gone(page)
      await press(page, "More")
      await page.getByRole("dialog", { name: "More" }).getByRole("button", { name: "Cards or rows" }).tap()
      await page.locator('.card[data-density="rows"]').first().waitFor()
    }))

  long(test)("is on phones only, and within their safe area", () =>
    look(async (page) => {
      expect(await bar(page).isVisible()).toBe(false)
      await page.setViewportSize({ width: 600, height: 800 })
      await bar(page).waitFor()
      const box = await bar(page).boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(800)
    })
  )

  long(test)("covers no link at the end of the list", () =>
    lookOnPhone(async (page) => {
      const last = (await links()).at(-1)?.id ?? 0
      for (let turn = 0; turn < 60 && (await card(page, last).count()) === 0; turn++) {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        await page.waitForTimeout(50)
      }
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await page.waitForTimeout(300)
      const end = await card(page, last).boundingBox()
      const top = await bar(page).boundingBox()
      expect((end?.y ?? Number.NaN) + (end?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0)
    })
  )
})

describe("selecting on a phone", () => {
  long(test)("takes a tap anywhere on a card, until it is ended", () =>
    lookOnPhone(async (page) => {
      const [first, second] = await links("limit=2")
      await press(page, "Select")
      await card(page, first?.id ?? 0)
        .getByRole("link")
        .first()
        .tap()
      await card(page, second?.id ?? 0)
        .locator(".card-source")
        .tap()
      await page.locator(".bulk-count", { hasText: "2 selected" }).waitFor()
      await card(page, second?.id ?? 0)
        .locator(".card-source")
        .tap()
      await page.locator(".bulk-count", { hasText: "1 selected" }).waitFor()
      await page.getByRole("toolbar").getByRole("button", { name: "Clear" }).tap()
      await bar(page).waitFor()
      expect(await page.locator("[data-selecting]").count()).toBe(0)
      await press(page, "Select")
      await press(page, "Cancel")
      expect(await page.locator("[data-selecting]").count()).toBe(0)
    })
  )
})

describe("a swipe", () => {
  test("to the right favorites the link, after saying so", () =>
    lookOnPhone(async (page) => {
      const { from, link } = await onCard(page)
      const finger = await drawFinger(page, from, { ...from, x: from.x + 110 })
      const item = page.locator('.card[data-swipe="favorite"][data-acts="true"]')
      await item.waitFor()
      expect(await item.getAttribute("data-hint")).toBe(link.favorite ? "Unfavorite" : "Favorite")
      await finger.lift()
      await until(async () => (await linkOf(link.id))?.favorite === !link.favorite)
      await item.waitFor({ state: "detached" })
    }))

  long(test)("to the left files the link", () =>
    lookOnPhone(async (page) => {
      const { from } = await onCard(page)
      const finger = await drawFinger(page, from, { ...from, x: from.x - 110 })
      await page.locator('.card[data-swipe="file"]').waitFor()
      await finger.lift()
      await page.getByRole("dialog", { name: "File in a collection" }).waitFor()
    })
  )

  long(test)("that is short or goes down does nothing", () =>
    lookOnPhone(async (page) => {
      const { from, link } = await onCard(page)
      for (const to of [
        { ...from, x: from.x + 40 },
        { ...from, y: from.y - 150 }
      ])
        await (await drawFinger(page, from, to)).lift()
      await page.waitForTimeout(150)
      expect(await page.locator("[data-swipe]").count()).toBe(0)
      expect(await dialogOf(page).count()).toBe(0)
      expect((await linkOf(link.id))?.favorite).toBe(link.favorite)
    })
  )
})

describe("a phone", () => {
  test("of 320 pixels never scrolls sideways", () =>
    look(
      async (page) => {
        const fits = async () => expect(await page.evaluate(overflow)).toBe(0)
        await fits()
        await press(page, "More")
        await dialogOf(page).waitFor()
        await fits()
        await page.keyboard.press("Escape")
        await gone(page)
        await press(page, "Select")
        await page.locator(".card").first().tap()
        await page.locator(".bulk").waitFor()
        await fits()
        expect(await focused(page)).not.toBeUndefined()
      },
      { device: { ...phone, viewport: { width: 320, height: 640 } } }
    ))

  long(testAccessibility)(
    (device, check) =>
      look(
        async (page) => {
          if (device === phone) {
            await press(page, "More")
            await dialogOf(page).waitFor()
            await check(page, "more")
            await page.keyboard.press("Escape")
          }
          await page.keyboard.press("Control+k")
          await dialogOf(page).waitFor()
          await page.keyboard.type("select links")
          await page.keyboard.press("Enter")
          await page.locator("[data-selecting]").waitFor()
          await check(page, "selecting")
        },
        { device }
      ),
    "while selecting"
  )
})
