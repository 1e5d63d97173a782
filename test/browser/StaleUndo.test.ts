import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { desktop, phone, TEST_TIMEOUT } from "./support/browser.ts"
import { card, dashboardOf, focused, focusedCard, gone, press, titleIn } from "./support/dashboard.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { shoot } from "./support/shoot.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(60)
})
afterAll(() => library.stop())

const { finished, linkOf, look, mutate, some } = dashboardOf(() => library)

const refusal = (page: Page) => page.locator(".toast", { hasText: "Not undone." })
const title = (page: Page, id: number) => card(page, id).locator(".card-title")

/** The owner edits a link's title here, and then in another tab. */
const editedTwice = async (page: Page) => {
  const link = await some()
  await press(page, link.id, "Edit title and summary…")
  await titleIn(page).fill("Mine")
  await page.getByRole("button", { name: "Save" }).click()
  await gone(page)
  await page.locator(".toast", { hasText: "Saved." }).waitFor()
  expect((await mutate({ op: "edit", ids: [link.id], title: "From another tab" })).status).toBe(200)
  await title(page, link.id).filter({ hasText: "From another tab" }).waitFor()
  return link
}

describe("an undo of what was changed since", () => {
  test("by the keyboard is refused, says what has changed, and is made when it is asked for again", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      const link = await editedTwice(page)
      await page.keyboard.press("z")
      await refusal(page).waitFor()
      expect(await refusal(page).locator(".toast-text").textContent()).toBe(
        "Not undone. Changed since then: title. Undoing would overwrite that."
      )
      expect(await focusedCard(page)).toBe(link.id)
      expect((await linkOf(link.id))?.title).toBe("From another tab")
      await page.keyboard.press("z")
      await title(page, link.id).filter({ hasText: link.title }).waitFor()
      await refusal(page).waitFor({ state: "detached" })
      expect((await linkOf(link.id))?.title).toBe(link.title)
      expect(await focusedCard(page)).toBe(link.id)
    }))

  test("by its button leaves the focus where a key finds it, and offers its own undo", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      const link = await editedTwice(page)
      await page.getByRole("button", { name: "Undo", exact: true }).focus()
      await page.keyboard.press("Enter")
      await refusal(page).waitFor()
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
      const anyway = page.getByRole("button", { name: "Undo anyway" })
      await anyway.focus()
      expect(await focused(page)).toBe("Undo anyway")
      await page.keyboard.press("Enter")
      await title(page, link.id).filter({ hasText: link.title }).waitFor()
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
    }))

  test("says of many links how many have changed", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      const links = (await finished()).slice(0, 4)
      for (const { id } of links) {
        await card(page, id).focus()
        await page.keyboard.press("x")
      }
      await page.keyboard.press("f")
      const done = page.locator(".toast", { hasText: "Favorites: added 4 links." })
      await done.waitFor()
      const [first] = links
      await mutate({ op: "favorite", ids: [first?.id], favorite: false })
      await done.getByRole("button", { name: "Undo" }).click()
      await refusal(page).waitFor()
      expect(await refusal(page).locator(".toast-text").textContent()).toContain(
        "1 of 4 links have changed since then: favorite."
      )
      await page.getByRole("button", { name: "Undo anyway" }).click()
      await page.locator(".toast", { hasText: "Undone." }).waitFor()
      for (const { id } of links) expect((await linkOf(id))?.favorite).toBe(false)
    }))

  for (const [device, screen] of [
    [desktop, "desktop"],
    [phone, "phone"]
  ] as const)
    for (const colorScheme of ["light", "dark"] as const)
      test(`is readable, and in reach of a finger: ${screen}, ${colorScheme}`, () =>
        look(
          async (page, problems) => {
            problems.expect(/409/)
            const link = await some()
            await card(page, link.id).focus()
            await page.keyboard.press("f")
            const done = page.locator(".toast", { hasText: "to favorites." })
            await done.waitFor()
            await mutate({ op: "favorite", ids: [link.id], favorite: false })
            await done.getByRole("button", { name: "Undo" }).click()
            await refusal(page).waitFor()
            await shoot(page, `stale-undo-${screen}-${colorScheme}`)
            const button = await page.getByRole("button", { name: "Undo anyway" }).boundingBox()
            expect(button?.height).toBeGreaterThanOrEqual(24)
            const width = device.viewport?.width ?? 0
            expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(width)
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
          },
          { device, colorScheme }
        ))
})
