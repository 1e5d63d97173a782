import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { phone } from "./support/browser.ts"
import {
  card,
  dashboardOf,
  dialogOf,
  FIRST,
  focused,
  focusedCard,
  gone,
  press,
  refuse,
  titleIn
} from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)

const { finished, linkOf, links, look, some } = dashboardOf(library)

describe("deleting", () => {
  test("names the link, and focuses Cancel, so that Enter deletes nothing", () =>
    look(async (page) => {
      const { id, title } = await some()
      await card(page, id).focus()
      await page.keyboard.press("#")
      await dialogOf(page).getByText(title).waitFor()
      expect(await focused(page)).toBe("Cancel")
      await page.keyboard.press("Enter")
      await gone(page)
      expect(await focusedCard(page)).toBe(id)
      expect(await linkOf(id)).toBeDefined()
    }))

  test("deletes the link, and moves the focus to the next one", () =>
    look(async (page) => {
      const [first, second] = await finished()
      await press(page, first?.id ?? 0, "Delete…")
      await dialogOf(page).getByRole("button", { name: "Delete" }).click()
      await gone(page)
      expect(await card(page, first?.id ?? 0).count()).toBe(0)
      expect(await linkOf(first?.id ?? 0)).toBeUndefined()
      expect(await focusedCard(page)).toBe(second?.id ?? 0)
      await page.getByText(`Deleted “${first?.title}”.`).waitFor()
    }))

  test("shows that it is busy, and restores the link if the service rejects the deletion", () =>
    look(async (page, problems) => {
      problems.expect(/status of 503/)
      const { id } = await some()
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route("**/mutate", async (route) => {
        await promise
        await route.fulfill({ status: 503, json: { error: "unavailable", message: "Not at the moment." } })
      })
      await press(page, id, "Delete…")
      await dialogOf(page).getByRole("button", { name: "Delete" }).click()
      await dialogOf(page).getByRole("button", { name: "Deleting…", disabled: true }).waitFor()
      await page.keyboard.press("Escape")
      expect(await dialogOf(page).count()).toBe(1)
      resolve()
      await gone(page)
      await page.getByText("Not deleted. Not at the moment.").waitFor()
      await card(page, id).waitFor()
    }))

  test("requires the number of links to be typed for more than twenty", () =>
    look(async (page) => {
      const before = (await links()).length
      await card(page, (await some()).id).focus()
      await page.keyboard.press("ControlOrMeta+a")
      await page.getByRole("toolbar").getByRole("button", { name: "Delete…" }).click()
      expect(await dialogOf(page).getByRole("listitem").count()).toBe(6)
      await dialogOf(page)
        .getByText(`and ${FIRST - 5} more`)
        .waitFor()
      const remove = dialogOf(page).getByRole("button", { name: "Delete" })
      expect(await remove.isDisabled()).toBe(true)
      await page.getByLabel(`Type ${FIRST} to delete them`).fill("4")
      expect(await remove.isDisabled()).toBe(true)
      await page.getByLabel(`Type ${FIRST} to delete them`).fill(String(FIRST))
      await remove.click()
      await gone(page)
      await page.getByText(`Deleted ${FIRST} links.`).waitFor()
      expect((await links()).length).toBe(before - FIRST)
      expect(await page.getByRole("toolbar").count()).toBe(0)
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("main")
      await card(page, (await some()).id).waitFor()
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
      await page.getByText("Undone.").waitFor()
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
        for (const name of ["Edit title and summary…", "Category…", "Delete…"]) {
          await card(page, id)
            .getByRole("button", { name: `More for ${title}` })
            .click()
          await dialogOf(page).getByRole("button", { name }).click()
          await dialogOf(page)
            .getByRole("heading", { name: /^(Edit|Category|Delete)/ })
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
        for (const key of ["e", "c", "m", "#"]) {
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
        for (const key of ["e", "c", "#"]) {
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
