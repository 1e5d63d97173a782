import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testAccessibility } from "./support/accessibility.ts"
import { card, dashboardOf, focused, focusedCard, gone, press, titleIn } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { finished, linkOf, look, mutate, some } = dashboardOf(library)

const refusal = (page: Page) => page.locator(".toast", { hasText: "Not undone." })
const title = (page: Page, id: number) => card(page, id).locator(".card-title")

/** Edits a link's title in the page, then in another tab. */
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

describe("undo of a link that was changed since", () => {
  test("is rejected by the keyboard with the changed fields, and done on the second press", () =>
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

  test("keeps the focus inside the page when its buttons are pressed", () =>
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

  test("says how many of several links have changed", () =>
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

  testAccessibility((device, check) =>
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
        const button = await page.getByRole("button", { name: "Undo anyway" }).boundingBox()
        expect(button?.height).toBeGreaterThanOrEqual(24)
        expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(device.viewport?.width ?? 0)
        await check(page, "stale-undo")
      },
      { device }
    )
  )
})
