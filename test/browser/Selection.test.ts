import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Link } from "../../web/app/api.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { phone } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { card, confirmTrash, FIRST, focused } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const SIZE = 120
const library = useLibrary(SIZE)

const { fresh, links, look } = journeyOf(library)
const first = async (count: number) => (await links()).slice(0, count)

const box = (page: Page, id: number) => card(page, id).getByRole("checkbox")
const bar = (page: Page) => page.getByRole("toolbar")
const command = (page: Page, name: string | RegExp) => bar(page).getByRole("button", { name, exact: true })
const count = (page: Page, text: string) => page.locator(".bulk-count", { hasText: text }).waitFor()
const selectFirst = async (page: Page, number: number) => {
  const chosen = await first(number)
  for (const { id } of chosen) {
    await card(page, id).focus()
    await page.keyboard.press("x")
  }
  await count(page, `${number} selected`)
  return chosen.map(({ id }) => id)
}

describe("selecting", () => {
  long(test)("toggles with x and ends with Escape, which returns the focus to the list", () =>
    look(async (page) => {
      const [, second = 0] = await selectFirst(page, 2)
      await page.keyboard.press("x")
      await count(page, "1 selected")
      await bar(page).getByRole("button").first().focus()
      await page.keyboard.press("Escape")
      await bar(page).waitFor({ state: "detached" })
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(`link-${second}`)
    })
  )

  test("selects a range with a shift-click", () =>
    look(async (page) => {
      const ids = (await first(5)).map(({ id }) => id)
      await card(page, ids[0] ?? 0).hover()
      await box(page, ids[0] ?? 0).click()
      await card(page, ids[4] ?? 0).hover()
      await box(page, ids[4] ?? 0).click({ modifiers: ["Shift"] })
      await count(page, "5 selected")
      for (const id of ids) expect(await box(page, id).isChecked()).toBe(true)
    }))

  test("extends to all matching links, and undoes a change of all of them", () =>
    fresh(async (page) => {
      await card(page, (await first(1))[0]?.id ?? 0).focus()
      await page.keyboard.press("ControlOrMeta+a")
      await count(page, `${FIRST} selected`)
      await page.getByRole("button", { name: `Select all ${SIZE} matching` }).click()
      await count(page, `${SIZE} selected`)
      const before = (await links()).filter(({ favorite }) => favorite).map(({ id }) => id)
      await command(page, "Favorite").click()
      await until(async () => (await links()).every(({ favorite }) => favorite))
      await command(page, "Unfavorite").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await until(async () => (await links()).filter(({ favorite }) => favorite).length === before.length)
      expect((await links()).filter(({ favorite }) => favorite).map(({ id }) => id)).toEqual(before)
    }))

  long(test)("of all matching links can be stopped, and reports a failure", () =>
    look(async (page, problems) => {
      problems.expect(/status of 503/)
      await card(page, (await first(1))[0]?.id ?? 0).focus()
      await page.keyboard.press("ControlOrMeta+a")
      const all = page.getByRole("button", { name: `Select all ${SIZE} matching` })
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route("**/api/links?*limit=1000*", async (route) => {
        await promise
        await route.fulfill({ status: 503, json: { error: "unavailable", message: "Not at the moment." } })
      })
      await all.click()
      await page.getByRole("progressbar", { name: "Selecting all matching" }).waitFor()
      await page.getByRole("button", { name: "Stop" }).click()
      await all.waitFor()
      resolve()
      await all.click()
      await page.getByText("Could not select all of them. Not at the moment.").waitFor()
      await count(page, `${FIRST} selected`)
    })
  )
})

describe("the selection bar", () => {
  test("files, categorizes and shares the selected links", () =>
    look(async (page) => {
      const ids = await selectFirst(page, 3)
      const all = async (is: (link: Link) => boolean) =>
        until(async () => (await links()).filter(({ id }) => ids.includes(id)).every(is))
      await command(page, "File in…").click()
      await page.keyboard.type("Put together")
      await page.keyboard.press("Enter")
      await all(({ collection }) => collection?.name === "Put together")
      await command(page, "Category…").click()
      await page.keyboard.type("Odds and ends")
      await page.keyboard.press("Enter")
      await all(({ category }) => category === "odds and ends")
      const shared = (await links()).filter(({ id, shareable }) => shareable && ids.includes(id)).length === 3
      await command(page, shared ? "Make private" : "Share").click()
      await all(({ shareable }) => shareable !== shared)
      await command(page, shared ? "Share" : "Make private").click()
      await all(({ shareable }) => shareable === shared)
    }))

  long(test)("moves the selected links to the trash, and moves the focus to the next one", () =>
    look(async (page) => {
      const ids = await selectFirst(page, 2)
      await command(page, "Delete…").click()
      await confirmTrash(page)
      await page.getByText("Moved 2 links to the trash.").waitFor()
      expect((await links()).filter(({ id }) => ids.includes(id))).toEqual([])
      expect(await bar(page).count()).toBe(0)
      expect(await page.evaluate(() => document.activeElement?.className)).toBe("card")
    })
  )

  long(test)("changes the state of the selected links", () =>
    look(async (page) => {
      const ids = await selectFirst(page, 2)
      await command(page, "Mark as…").click()
      await page.getByRole("button", { name: "Mark as read" }).click()
      await page.getByText("Marked 2 links as read.").waitFor()
      expect((await links()).filter(({ id }) => ids.includes(id)).map(({ state }) => state)).toEqual([
        "read",
        "read"
      ])
      expect(
        await card(page, ids[0] ?? 0)
          .getByRole("img", { name: "Unread" })
          .count()
      ).toBe(0)
    })
  )

  long(test)("refreshes up to twenty links, one after another", () =>
    look(async (page) => {
      const ids = await selectFirst(page, 2)
      const asked: Array<unknown> = []
      page.on("request", (request) => {
        if (request.url().endsWith("/action")) asked.push(request.postDataJSON())
      })
      await command(page, "Refresh").click()
      await page.getByText("Read 2 pages again.").waitFor({ timeout: 30_000 })
      expect(asked).toEqual(ids.map((id) => ({ action: "refresh", id })))
      await card(page, ids[0] ?? 0).focus()
      await page.keyboard.press("ControlOrMeta+a")
      await command(page, "Refresh").click()
      await page.getByText("Up to 20 pages can be read again at once.").waitFor()
      expect(asked.length).toBe(2)
    })
  )

  for (const clipboard of ["there", "missing"] as const)
    long(test)(`copies addresses and a Markdown list, clipboard API ${clipboard}`, () =>
      look(
        async (page) => {
          const chosen = await first(2)
          await selectFirst(page, 2)
          if (clipboard === "missing")
            await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }))
          const copy = async (name: string) => {
            await command(page, "Copy").click()
            await page.getByRole("button", { name }).click()
            await page.getByText("Copied 2 links.").last().waitFor()
          }
          await copy("As plain addresses")
          expect(await clipboardText(page)).toBe(chosen.map(({ url }) => `${url}\n`).join(""))
          await copy("As a Markdown list")
          await until(async () => /^- \[.*\n- \[.*\n$/.test(await clipboardText(page)))
        },
        { permissions: ["clipboard-read", "clipboard-write"] }
      )
    )

  long(test)("is one tab stop, with arrow keys inside", () =>
    look(async (page) => {
      await selectFirst(page, 1)
      expect(await bar(page).locator("button[tabindex='0']").count()).toBe(1)
      await bar(page).getByRole("button").first().focus()
      await page.keyboard.press("ArrowLeft")
      expect(await focused(page)).toBe("Clear")
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("ArrowRight")
      expect(await focused(page)).toMatch(/^(Share|Make private)$/)
      await page.keyboard.press("End")
      await page.keyboard.press("Enter")
      await bar(page).waitFor({ state: "detached" })
      expect(await page.evaluate(() => document.activeElement?.className)).toBe("card")
    })
  )

  for (const [where, view] of [
    ["on a wide screen", {}],
    ["on a phone", { device: phone }]
  ] as const)
    long(test)(`covers no card at the end of the list ${where}`, () =>
      look(async (page) => {
        await selectFirst(page, 1)
        const last = (await links()).at(-1)?.id ?? 0
        for (let turn = 0; turn < 60 && (await card(page, last).count()) === 0; turn++) {
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
          await page.waitForTimeout(50)
        }
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        await page.waitForTimeout(300)
        const end = await card(page, last).boundingBox()
        const top = await page.locator(".bulk").boundingBox()
        expect((end?.y ?? Number.NaN) + (end?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0)
      }, view)
    )

  long(testAccessibility)((device, check) =>
    look(
      async (page) => {
        await selectFirst(page, 2)
        await command(page, /^(Favorite|Unfavorite)$/).click()
        await page.locator(".toast").waitFor()
        await command(page, "Copy").click()
        await check(page)
        await page.keyboard.press("Escape")
        await count(page, "2 selected")
      },
      { device }
    )
  )
})
