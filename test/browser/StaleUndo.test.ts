import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testAccessibility } from "./support/accessibility.ts"
import {
  card,
  dashboardOf,
  focused,
  focusedCard,
  gone,
  press,
  pressKeys,
  titleIn
} from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { finished, linkOf, look, mutate, some } = dashboardOf(library)

const question = (page: Page) => page.getByRole("dialog", { name: "Undo anyway?" })
const title = (page: Page, id: number) => card(page, id).locator(".card-title")

/** Edits a link's title in the page, then in another tab. */
const editedTwice = async (page: Page) => {
  const link = await some()
  await press(page, link.id, "Edit…")
  await titleIn(page).fill("Mine")
  await page.getByRole("button", { name: "Save" }).click()
  await gone(page)
  await page.locator(".toast", { hasText: "Saved." }).waitFor()
  expect((await mutate({ op: "edit", ids: [link.id], title: "From another tab" })).status).toBe(200)
  await title(page, link.id).filter({ hasText: "From another tab" }).waitFor()
  return link
}

describe("undo of a link that was changed since", () => {
  test("asks, names the changed fields, and changes nothing without a yes", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      const link = await editedTwice(page)
      await pressKeys(page, "z")
      await question(page)
        .getByText("The title has been changed since then. Undoing would overwrite that.")
        .waitFor()
      expect(await focused(page)).toBe("Keep the newer values")
      await pressKeys(page, "Enter")
      await gone(page)
      expect(await focusedCard(page)).toBe(link.id)
      expect((await linkOf(link.id))?.title).toBe("From another tab")
      // The change can still be undone.
      await pressKeys(page, "Control+z")
      await question(page).waitFor()
      await pressKeys(page, "Tab", "Enter")
      await title(page, link.id).filter({ hasText: link.title }).waitFor()
      await page.locator(".toast", { hasText: "Undone: edited the title" }).waitFor()
      expect((await linkOf(link.id))?.title).toBe(link.title)
      expect(await focusedCard(page)).toBe(link.id)
    }))

  test("keeps the focus inside the page when its buttons are pressed", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      const link = await editedTwice(page)
      await page.getByRole("button", { name: "Undo", exact: true }).focus()
      await pressKeys(page, "Enter")
      await question(page).waitFor()
      await page.getByRole("button", { name: "Undo anyway" }).click()
      await title(page, link.id).filter({ hasText: link.title }).waitFor()
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
    }))

  test("says how many of several links have changed", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      const links = (await finished()).slice(0, 4)
      for (const { id } of links) {
        await card(page, id).focus()
        await pressKeys(page, "x")
      }
      await pressKeys(page, "f")
      const done = page.locator(".toast", { hasText: "Added 4 links to favorites." })
      await done.waitFor()
      const [first] = links
      await mutate({ op: "favorite", ids: [first?.id], favorite: false })
      await done.getByRole("button", { name: "Undo" }).click()
      await question(page)
        .getByText("The favorite mark of 1 of 4 links has been changed since then.")
        .waitFor()
      await page.getByRole("button", { name: "Undo anyway" }).click()
      await page.locator(".toast", { hasText: "Undone: added 4 links to favorites." }).waitFor()
      for (const { id } of links) expect((await linkOf(id))?.favorite).toBe(false)
    }))

  testAccessibility((device, check) =>
    look(
      async (page, problems) => {
        problems.expect(/409/)
        const link = await some()
        await card(page, link.id).focus()
        await pressKeys(page, "f")
        const done = page.locator(".toast", { hasText: "to favorites." })
        await done.waitFor()
        await mutate({ op: "favorite", ids: [link.id], favorite: false })
        await done.getByRole("button", { name: "Undo" }).click()
        await question(page).waitFor()
        await check(page, "stale-undo")
      },
      { device }
    )
  )
})
