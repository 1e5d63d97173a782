import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { assertAccessible } from "./support/axe.ts"
import { phone, TEST_TIMEOUT, type View } from "./support/browser.ts"
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
import { type StartedLibrary, startLibrary } from "./support/library.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(120)
})
afterAll(() => library.stop())

const { finished, linkOf, links, look, some } = dashboardOf(() => library)

describe("deleting", () => {
  test("names the link, and is not confirmed by Enter", () =>
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

  test("takes the link away for good, and goes on with the next one", () =>
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

  test("says that it is busy, and puts the link back where the service refuses", () =>
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

  test("wants the number of more than twenty links typed", () =>
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
  test("offer to take a change back", () =>
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

  test("say so where a change is refused, and the change is taken back", () =>
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

  test("stay while they are pointed at or have the focus, and go after that; dismissing gives the focus back", () =>
    look(async (page) => {
      const { id, title } = await some()
      const message = page.locator(".toast", { hasText: title })
      await press(page, id, "Share on the public list")
      await message.hover()
      await page.waitForTimeout(11_000)
      expect(await message.count()).toBe(1)
      await page.mouse.move(900, 300)
      await message.waitFor({ state: "detached" })
      await press(page, id, "Share on the public list")
      await message.getByRole("button", { name: "Dismiss" }).press("Enter")
      await message.waitFor({ state: "detached" })
      expect(await focusedCard(page)).toBe(id)
    }))

  test("lie over no card of a wide screen, and not over the focused one of a phone", async () => {
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
  test("what the menu of a card opens gives the focus back to the card", () =>
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

  test("nothing is cut off on a very small one, and nothing moves where that is not wanted", () =>
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

describe("every dialog is accessible", () => {
  const views: ReadonlyArray<Partial<View>> = [
    { colorScheme: "light" },
    { colorScheme: "dark" },
    { colorScheme: "dark", device: phone }
  ]
  for (const view of views)
    test(`${view.colorScheme}${view.device === phone ? " on a phone" : ""}`, () =>
      look(async (page) => {
        const { id } = await some()
        for (const key of ["e", "c", "m", "#"]) {
          await card(page, id).focus()
          await page.keyboard.press(key)
          await dialogOf(page).waitFor()
          await assertAccessible(page)
          const box = await dialogOf(page).boundingBox()
          const size = page.viewportSize()
          if (view.device === phone) expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(size?.height ?? -1)
          await page.keyboard.press("Escape")
          await gone(page)
        }
        await card(page, id).focus()
        await page.keyboard.press("e")
        await titleIn(page).fill("")
        await page.keyboard.press("Escape")
        await assertAccessible(page)
      }, view))
})
