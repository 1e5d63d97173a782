import { describe, expect, test } from "bun:test"
import type { Page, Route } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { card, isChange, press, pressKeys } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { finished, linkOf, look, some } = journeyOf(library)

const isFavorite = async (id: number) => (await linkOf(id))?.favorite
const star = (page: Page, id: number) => card(page, id).locator('[data-kind="favorite"]')

/** Holds the first change that a page sends until it is released. */
const holdFirst = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const sent: Array<unknown> = []
  let isFirst = true
  await page.route("**/mutate", async (route: Route) => {
    sent.push(route.request().postDataJSON())
    const hold = isFirst
    isFirst = false
    if (hold) await promise
    await route.continue()
  })
  return { sent, release: resolve }
}

describe("changes of one link", () => {
  long(test)("are applied in the order in which they were made, however slow the first one is", () =>
    look(async (page) => {
      const [link, other] = (await finished()).filter(({ favorite }) => !favorite)
      const { id } = link ?? { id: 0 }
      const { release, sent } = await holdFirst(page)
      await card(page, id).focus()
      await pressKeys(page, "f", "f", "f")
      await star(page, id).waitFor()
      // Another link does not wait.
      await press(page, other?.id ?? 0, "Favorite")
      await until(async () => await isFavorite(other?.id ?? 0))
      expect(sent).toEqual([
        { op: "favorite", ids: [id], favorite: true },
        { op: "favorite", ids: [other?.id], favorite: true }
      ])
      release()
      await until(() => sent.length === 4)
      expect(sent.slice(2)).toEqual([
        { op: "favorite", ids: [id], favorite: false },
        { op: "favorite", ids: [id], favorite: true }
      ])
      await until(async () => await isFavorite(id))
      expect(await star(page, id).count()).toBe(1)
    })
  )

  long(test)("wait for a change of many links", () =>
    look(async (page) => {
      const [first, second] = await finished()
      const { release, sent } = await holdFirst(page)
      for (const link of [first, second]) {
        await card(page, link?.id ?? 0).focus()
        await pressKeys(page, "x")
      }
      await pressKeys(page, "s", "Escape")
      await pressKeys(page, "s")
      await until(() => sent.length === 1)
      await page.waitForTimeout(100)
      expect(sent.length).toBe(1)
      release()
      await until(() => sent.length === 2)
      const shared = first?.shareable === true && second?.shareable === true
      await until(async () => (await linkOf(second?.id ?? 0))?.shareable === shared)
      expect((await linkOf(first?.id ?? 0))?.shareable).toBe(!shared)
    })
  )

  test("that are rejected revert only themselves", () =>
    look(async (page, problems) => {
      problems.expect(/503/)
      const link = await some()
      let count = 0
      await page.route("**/mutate", (route) =>
        ++count === 1
          ? route.fulfill({ status: 503, json: { error: "unavailable", message: "The library is busy." } })
          : route.continue()
      )
      await card(page, link.id).focus()
      await pressKeys(page, "f", "s")
      await page.getByText("Not changed. The library is busy.").waitFor()
      await until(async () => (await linkOf(link.id))?.shareable === !link.shareable)
      expect(await isFavorite(link.id)).toBe(link.favorite)
      expect(await star(page, link.id).count()).toBe(link.favorite ? 1 : 0)
    }))

  long(test)("from two tabs end alike in both", () =>
    look(async (page) => {
      const { id } = (await finished()).find(({ favorite }) => !favorite) ?? { id: 0 }
      const other = await page.context().newPage()
      await other.goto("/dashboard")
      await card(other, id).waitFor()
      const { release, sent } = await holdFirst(page)
      await card(page, id).focus()
      await pressKeys(page, "f")
      await until(() => sent.length === 1)
      await card(other, id).focus()
      await pressKeys(other, "f", "f")
      await until(async () => (await other.locator(".toast", { hasText: "Removed" }).count()) === 1)
      release()
      await until(async () => await isFavorite(id))
      for (const tab of [page, other]) await star(tab, id).waitFor()
    })
  )

  test("ask before the page is closed while they have no response", () =>
    look(async (page) => {
      const { id } = await some()
      const { release, sent } = await holdFirst(page)
      await card(page, id).focus()
      await pressKeys(page, "f")
      await until(() => sent.length === 1)
      const asked = page.waitForEvent("dialog")
      await page.close({ runBeforeUnload: true })
      const dialog = await asked
      expect(dialog.type()).toBe("beforeunload")
      await dialog.dismiss()
      const answered = page.waitForResponse((response) => isChange(response.request()))
      release()
      await answered
    }))
})
