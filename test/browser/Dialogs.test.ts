import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { phone } from "./support/browser.ts"
import {
  card,
  dashboardOf,
  dialogOf,
  focusedCard,
  gone,
  press,
  refuse,
  standsOn,
  titleIn
} from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)

const { finished, linkOf, look, some } = dashboardOf(library)

describe("deleting", () => {
  test("moves the link to the trash, moves the focus to the next one, and offers to undo", () =>
    look(async (page) => {
      const [first, second] = await finished()
      const id = first?.id ?? 0
      await press(page, id, "Delete")
      await page.getByText(`Moved “${first?.title}” to the trash.`).waitFor()
      expect(await card(page, id).count()).toBe(0)
      expect(await linkOf(id)).toBeUndefined()
      await standsOn(page, second?.id)
      await page.getByRole("button", { name: "Undo" }).click()
      await card(page, id).waitFor()
      expect((await linkOf(id))?.title).toBe(first?.title)
    }))

  test("restores the link if the service rejects the deletion", () =>
    look(async (page, problems) => {
      problems.expect(/status of 503/)
      const { id } = await some()
      await refuse(page)
      await card(page, id).focus()
      await page.keyboard.press("#")
      await page.getByText("Not deleted. The library is busy.").waitFor()
      await card(page, id).waitFor()
    }))
})

describe("messages", () => {
  test("offer to undo a change", () =>
    look(async (page) => {
      const { id } = (await finished()).find(({ favorite }) => !favorite) ?? (await some())
      const star = card(page, id).getByRole("button", { name: "Favorite", exact: true })
      await press(page, id, /^Favorite$/)
      await until(async () => (await linkOf(id))?.favorite)
      expect(await star.getAttribute("aria-pressed")).toBe("true")
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText(/^Undone: added/).waitFor()
      expect((await linkOf(id))?.favorite).toBe(false)
      expect(await star.getAttribute("aria-pressed")).toBe("false")
    }))

  test("report a rejected change, which is rolled back", () =>
    look(async (page, problems) => {
      problems.expect(/status of 503/)
      const { id } = (await finished()).find(({ shareable }) => !shareable) ?? (await some())
      await refuse(page)
      await press(page, id, "Share on the public list")
      await page.locator("[aria-live=assertive]").getByText("Not changed. The library is busy.").waitFor()
      const share = card(page, id).getByRole("button", { name: "Share on the public list" })
      expect(await share.getAttribute("aria-pressed")).toBe("false")
      expect((await linkOf(id))?.shareable).toBe(false)
    }))

  test("stay while hovered, then disappear; Dismiss returns the focus", () =>
    look(async (page) => {
      await page.clock.install()
      const { id, title } = await some()
      const message = page.locator(".toast", { hasText: title })
      await press(page, id, "Share on the public list")
      await message.hover()
      await page.clock.fastForward("00:11")
      expect(await message.count()).toBe(1)
      await page.mouse.move(900, 300)
      await page.clock.fastForward("00:02")
      await message.waitFor({ state: "detached" })
      await press(page, id, "Share on the public list")
      await message.getByRole("button", { name: "Dismiss" }).press("Enter")
      await message.waitFor({ state: "detached" })
      expect(await focusedCard(page)).toBe(id)
    }))

  test("cover neither a card on a wide screen nor the focused card on a phone", async () => {
    const { id } = await some()
    const covered = (page: Page) =>
      page.evaluate((id) => {
        const card = document.getElementById(`link-${id}`)?.getBoundingClientRect()
        const toast = document.querySelector(".toast")?.getBoundingClientRect()
        if (card === undefined || toast === undefined) throw new Error("one of them is not there")
        return (
          card.top < toast.bottom &&
          toast.top < card.bottom &&
          card.left < toast.right &&
          toast.left < card.right
        )
      }, id)
    for (const view of [{}, { device: phone }])
      await look(async (page) => {
        await card(page, id).focus()
        await page.keyboard.press("f")
        await page.locator(".toast").waitFor()
        expect(await covered(page)).toBe(false)
      }, view)
  })
})

describe("on a phone", () => {
  test("returns the focus to the card from every dialog of its menu", () =>
    look(
      async (page) => {
        const { id, title } = await some()
        for (const name of ["Edit…", "Category…", "Tags…"]) {
          await card(page, id)
            .getByRole("button", { name: `More for ${title}` })
            .click()
          await dialogOf(page).getByRole("button", { name }).click()
          await dialogOf(page)
            .getByRole("heading", { name: /^(Edit|Category|Tags)/ })
            .waitFor()
          await page.keyboard.press("Escape")
          await gone(page)
          expect(await focusedCard(page)).toBe(id)
        }
      },
      { device: phone }
    ))

  test("fits every dialog on a very small screen, without motion if motion is reduced", () =>
    look(
      async (page) => {
        const { id } = await some()
        for (const key of ["e", "c", "m", "t"]) {
          await card(page, id).focus()
          await page.keyboard.press(key)
          await dialogOf(page).waitFor()
          const seen = await dialogOf(page).evaluate((dialog) => {
            const { bottom, left, right, top } = dialog.getBoundingClientRect()
            return {
              inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
              sideways:
                dialog.scrollWidth > dialog.clientWidth || document.documentElement.scrollWidth > innerWidth,
              moves: getComputedStyle(dialog).transitionDuration
            }
          })
          expect(seen).toEqual({ inside: true, sideways: false, moves: "0s, 0s" })
          await page.keyboard.press("Escape")
          await gone(page)
        }
      },
      { device: { ...phone, viewport: { width: 320, height: 480 } }, reducedMotion: true }
    ))
})

describe("every dialog", () => {
  testAccessibility((device, check) =>
    look(
      async (page) => {
        const { id } = await some()
        // The dialogs for a category and for a collection are the same.
        for (const key of ["e", "c", "t"]) {
          await card(page, id).focus()
          await page.keyboard.press(key)
          await dialogOf(page).waitFor()
          await check(page, key === "e" ? "edit" : undefined)
          const box = await dialogOf(page).boundingBox()
          const size = page.viewportSize()
          if (device === phone) expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(size?.height ?? -1)
          await page.keyboard.press("Escape")
          await gone(page)
        }
        await card(page, id).focus()
        await page.keyboard.press("e")
        await titleIn(page).fill("")
        await page.keyboard.press("Escape")
        await check(page)
      },
      { device }
    )
  )
})
