import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import type { Device } from "./support/browser.ts"
import { card, dialogOf, gone, press, pressKeys, titleIn } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { linkOf, look, some } = journeyOf(library)

const banner = (page: Page) => page.locator("#outage")

/** Cuts the page off from the service; the returned function connects it again. */
const cutOff = async (page: Page) => {
  await page.route("**/dashboard/api/**", (route) => route.abort())
  await page.context().setOffline(true)
  await banner(page).filter({ hasText: "You are offline." }).waitFor()
  return async () => {
    await page.context().setOffline(false)
    await page.unroute("**/dashboard/api/**")
    await banner(page).waitFor({ state: "detached" })
  }
}

/** A visit during which requests may fail. */
const lookOffline = (body: (page: Page) => Promise<unknown>, device?: Device) =>
  look(
    async (page, problems) => {
      problems.expect(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
      await body(page)
    },
    device === undefined ? {} : { device }
  )

describe("an outage", () => {
  test("shows a banner and disables changes with its reason, until it ends", () =>
    lookOffline(async (page) => {
      const link = await some()
      await card(page, link.id).hover()
      const reconnect = await cutOff(page)
      const star = card(page, link.id).getByRole("button", { name: "Favorite" })
      expect(await star.getAttribute("aria-disabled")).toBe("true")
      expect(await star.getAttribute("aria-describedby")).toBe("outage")
      await star.click({ force: true })
      await page.waitForTimeout(100)
      expect(await page.locator(".toast").count()).toBe(0)
      const add = page.getByRole("button", { name: "Add a link" })
      await add.click({ force: true })
      expect(await dialogOf(page).count()).toBe(0)
      await reconnect()
      expect(await star.getAttribute("aria-disabled")).toBeNull()
      await press(page, link.id, "Favorite")
      await until(async () => (await linkOf(link.id))?.favorite === !link.favorite)
    }))

  test("of a part of the service is told with what to do", () =>
    look(async (page) => {
      const text = "The disk is full. Free space."
      await page.route("**/dashboard/api/meta", async (route) => {
        const answer = await route.fetch()
        const problems = [{ name: "storage-full", text }]
        await route.fulfill({ response: answer, json: { ...(await answer.json()), problems } })
      })
      await page.evaluate(() => window.dispatchEvent(new Event("online")))
      await page.locator(".outage").filter({ hasText: text }).waitFor()
    }))

  long(test)("by a service that does not answer is told from a missing network", () =>
    lookOffline(async (page) => {
      await page.route("**/dashboard/api/**", (route) => route.abort())
      const { id } = await some()
      await card(page, id).focus()
      await pressKeys(page, "f")
      await banner(page).filter({ hasText: "The service does not answer." }).waitFor()
      await page.unroute("**/dashboard/api/**")
      await banner(page).waitFor({ state: "detached" })
    })
  )

  long(test)("by a proxy without its service is one too", () =>
    look(async (page, problems) => {
      problems.expect(/502/)
      await page.route("**/dashboard/api/**", (route) =>
        route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" })
      )
      const { id } = await some()
      await card(page, id).focus()
      await pressKeys(page, "f")
      await banner(page).filter({ hasText: "The service does not answer." }).waitFor()
    })
  )

  test("reverts a change, says so, and offers to try again", () =>
    lookOffline(async (page) => {
      const link = await some()
      await card(page, link.id).focus()
      const reconnect = await cutOff(page)
      await pressKeys(page, "f")
      const failed = page.locator(".toast", { hasText: "Not changed. You are offline." })
      await failed.waitFor()
      expect(await card(page, link.id).locator('[data-kind="favorite"]').count()).toBe(link.favorite ? 1 : 0)
      await reconnect()
      await failed.getByRole("button", { name: "Try again" }).click()
      await until(async () => (await linkOf(link.id))?.favorite === !link.favorite)
    }))

  long(test)("loses no text that was typed", () =>
    lookOffline(async (page) => {
      const link = await some()
      await card(page, link.id).focus()
      await pressKeys(page, "e")
      await titleIn(page).fill("Typed before the outage")
      const reconnect = await cutOff(page)
      expect(await page.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("true")
      await titleIn(page).press("End")
      await page.keyboard.type(", and during it")
      await pressKeys(page, "Control+Enter")
      await page.getByText("Not saved. You are offline.").waitFor()
      await reconnect()
      await page.getByRole("button", { name: "Save" }).click()
      await gone(page)
      expect((await linkOf(link.id))?.title).toBe("Typed before the outage, and during it")
    })
  )

  long(testAccessibility)((device, check) =>
    lookOffline(async (page) => {
      await page.mouse.move(300, 300)
      await cutOff(page)
      await check(page, "outage")
    }, device)
  )
})
