import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { type View, visit } from "./support/browser.ts"
import { card, dashboardOf, gone, press } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)
const { finished, linkOf } = dashboardOf(library)

/** A visit in a browser that has never shared a link. */
const lookFirst = async (body: (page: Page) => Promise<void>, view: Partial<View> = {}) =>
  visit(await library().owner(view), async (page) => {
    await page.goto("/dashboard")
    await page.locator(".card").first().waitFor()
    await body(page)
  })

const dialog = (page: Page) => page.getByRole("dialog", { name: "Share on the public list?" })
const button = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true })
const share = (page: Page, id: number) => press(page, id, "Share on the public list")
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
      expect(
        await card(page, one.id)
          .getByRole("button", { name: "Share on the public list" })
          .getAttribute("aria-pressed")
      ).toBe("true")

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

  testAccessibility((device, check) =>
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
