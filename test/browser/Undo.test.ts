import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import {
  card,
  dialogOf,
  focused,
  focusedCard,
  gone,
  press,
  pressKeys,
  searchField,
  titleIn
} from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(20)
const journey = journeyOf(library)

describe("history", () => {
  const { finished, fresh, linkOf, look, mutate, some } = journey

  const told = (page: Page, text: string) => page.locator(".toast", { hasText: text }).waitFor()
  const step = (page: Page, name: string | RegExp) => page.locator(".history-step", { hasText: name })

  /** Adds a link to the favorites, then shares it, then files it. */
  const threeChanges = async (page: Page) => {
    const link = await some()
    const ids = [link.id]
    await mutate({ op: "favorite", ids, favorite: false })
    await mutate({ op: "shareable", ids, shareable: false })
    await mutate({ op: "collection", ids, collection: null })
    // The page knows of all three: filing a link where it is would be no change.
    await card(page, link.id).locator(".card-state").first().waitFor({ state: "detached" })
    await card(page, link.id).getByText("Undone later").first().waitFor({ state: "detached" })
    await card(page, link.id).focus()
    await pressKeys(page, "f", "s", "m")
    await dialogOf(page).waitFor()
    await page.keyboard.type("Undone later")
    await pressKeys(page, "Enter")
    await gone(page)
    await told(page, "in Undone later.")
    const state = async () => {
      const now = await linkOf(link.id)
      return [now?.favorite, now?.shareable, now?.collection?.name ?? null]
    }
    return { link, state }
  }

  const becomes = (state: () => Promise<ReadonlyArray<unknown>>, wanted: ReadonlyArray<unknown>) =>
    until(async () => JSON.stringify(await state()) === JSON.stringify(wanted))

  describe("undo and redo", () => {
    long(test)("walk back and forth through the changes of the tab", () =>
      fresh(async (page) => {
        const { state } = await threeChanges(page)
        await becomes(state, [true, true, "Undone later"])
        await pressKeys(page, "Control+z")
        await becomes(state, [true, true, null])
        await pressKeys(page, "Control+z", "Control+z")
        await becomes(state, [false, false, null])
        await pressKeys(page, "Control+z")
        await pressKeys(page, "Control+Shift+z")
        await becomes(state, [true, false, null])
        await pressKeys(page, "Control+y", "Control+y")
        await becomes(state, [true, true, "Undone later"])
        await pressKeys(page, "z")
        await becomes(state, [true, true, null])
        // A new change ends what can be redone.
        await pressKeys(page, "f")
        await becomes(state, [false, true, null])
        await pressKeys(page, "Control+y")
        await page.waitForTimeout(100)
        expect(await state()).toEqual([false, true, null])
      })
    )

    long(test)("leave a text field its own undo", () =>
      look(async (page) => {
        const { id } = await some()
        await card(page, id).focus()
        await pressKeys(page, "f")
        await page.locator(".toast").waitFor()
        const before = (await linkOf(id))?.favorite
        await searchField(page).focus()
        await pressKeys(page, "Control+z", "Control+y")
        await page.waitForTimeout(150)
        expect((await linkOf(id))?.favorite).toBe(before)
        await card(page, id).focus()
        await pressKeys(page, "e")
        await titleIn(page).fill("Typed")
        await pressKeys(page, "Control+z")
        expect((await linkOf(id))?.favorite).toBe(before)
      })
    )

    long(test)("wait for the change that they take back", () =>
      look(async (page) => {
        const { id } = (await finished()).find(({ favorite }) => !favorite) ?? { id: 0 }
        const { promise, resolve } = Promise.withResolvers<void>()
        const sent: Array<string> = []
        await page.route("**/mutate", async (route) => {
          sent.push(route.request().postDataJSON().op)
          if (sent.length === 1) await promise
          await route.continue()
        })
        await card(page, id).focus()
        await pressKeys(page, "f", "Control+z")
        await until(() => sent.length > 0)
        await page.waitForTimeout(100)
        expect(sent).toEqual(["favorite"])
        resolve()
        await told(page, "Undone: added")
        expect((await linkOf(id))?.favorite).toBe(false)
      })
    )

    long(test)("forget a change that was rejected", () =>
      fresh(async (page, problems) => {
        problems.expect(/503/)
        const link = await some()
        await page.route("**/mutate", (route) =>
          route.fulfill({ status: 503, json: { error: "unavailable", message: "The library is busy." } })
        )
        await card(page, link.id).focus()
        await pressKeys(page, "f")
        await told(page, "Not changed.")
        await pressKeys(page, "h")
        await dialogOf(page).getByText("Nothing has been changed yet.").waitFor()
      })
    )
  })

  describe("the history", () => {
    test("lists the changes by name, and undoes and redoes any of them", () =>
      fresh(async (page) => {
        const { link, state } = await threeChanges(page)
        await pressKeys(page, "h")
        await dialogOf(page).waitFor()
        const names = await page.locator(".history-step > span:first-child").allTextContents()
        expect(names).toEqual([
          `Filed “${link.title}” in Undone later`,
          `Shared “${link.title}”`,
          `Added “${link.title}” to favorites`
        ])
        await step(page, "to favorites").getByRole("button").click()
        await becomes(state, [false, true, "Undone later"])
        await step(page, "to favorites").getByRole("button", { name: "Redo" }).click()
        await becomes(state, [true, true, "Undone later"])
        await step(page, "to favorites").getByRole("button", { name: "Undo" }).waitFor()
      }))

    long(test)("is in the palette, by name", () =>
      fresh(async (page) => {
        const { state } = await threeChanges(page)
        await pressKeys(page, "Control+k")
        await page.getByRole("dialog", { name: "Commands" }).waitFor()
        await page.keyboard.type("undo shared")
        await page.getByRole("option", { name: /^Undo: Shared/, selected: true }).waitFor()
        await pressKeys(page, "Enter")
        await becomes(state, [true, false, "Undone later"])
      })
    )

    testAccessibility((device, check) =>
      look(
        async (page) => {
          const { id } = await some()
          await card(page, id).focus()
          await pressKeys(page, "f", "f")
          await pressKeys(page, "Control+z")
          await told(page, "Undone")
          await pressKeys(page, "h")
          await step(page, /undone/).waitFor()
          await check(page, "history")
        },
        { device }
      )
    )
  })
})

describe("stale undo", () => {
  const { finished, linkOf, look, mutate, some } = journey

  const question = (page: Page) => page.getByRole("dialog", { name: "Undo anyway?" })
  const title = (page: Page, id: number) => card(page, id).locator(".card-title")

  /** Edits a link's title in the page, then in another tab. */
  const editedTwice = async (page: Page) => {
    const link = await some()
    await press(page, link.id, "Edit")
    await titleIn(page).fill("Mine")
    await titleIn(page).press("Enter")
    await page.locator(".toast", { hasText: "Saved." }).waitFor()
    expect((await mutate({ op: "edit", ids: [link.id], title: "From another tab" })).status).toBe(200)
    await title(page, link.id).filter({ hasText: "From another tab" }).waitFor()
    await card(page, link.id).focus()
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

    long(test)("keeps the focus inside the page when its buttons are pressed", () =>
      look(async (page, problems) => {
        problems.expect(/409/)
        const link = await editedTwice(page)
        await page.getByRole("button", { name: "Undo", exact: true }).focus()
        await pressKeys(page, "Enter")
        await question(page).waitFor()
        await page.getByRole("button", { name: "Undo anyway" }).click()
        await title(page, link.id).filter({ hasText: link.title }).waitFor()
        expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
      })
    )

    long(test)("says how many of several links have changed", () =>
      look(async (page, problems) => {
        problems.expect(/409/)
        const links = (await finished()).filter(({ favorite }) => !favorite).slice(0, 4)
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
      })
    )

    long(testAccessibility)((device, check) =>
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
})
