import { beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(20)

const { counts, look, lookAt, mutate, some } = dashboardOf(library)

const NAME = "Left behind"
const found = async () => (await counts()).collections.find(({ name }) => name === NAME)

/** Creates the collection and takes its only link out again. */
beforeEach(async () => {
  const { id } = await some()
  for (const collection of [NAME, null]) await mutate({ op: "collection", ids: [id], collection })
})

const entryOf = (page: Page) =>
  page.getByRole("navigation", { name: "Library" }).getByRole("link", { name: NAME })

describe("an empty collection", () => {
  test("is listed, is deleted from its own page, and is restored by Undo", () =>
    look(async (page) => {
      expect(await found()).toMatchObject({ count: 0 })
      await entryOf(page).click()
      await page.getByRole("heading", { name: "This collection is empty" }).waitFor()
      await page.getByRole("button", { name: "Delete the collection" }).click()
      await page.getByText(`Deleted the collection “${NAME}”.`).waitFor()
      await page.waitForURL((url) => url.search === "")
      await entryOf(page).waitFor({ state: "detached" })
      expect(await found()).toBeUndefined()
      await page.getByRole("button", { name: "Undo" }).click()
      await entryOf(page).waitFor()
      expect(await found()).toMatchObject({ count: 0 })
    }))

  test("is kept if a link was added in the meantime", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      await entryOf(page).click()
      const button = page.getByRole("button", { name: "Delete the collection" })
      await button.waitFor()
      await page.route("**/dashboard/api/collections/*", async (route) => {
        await mutate({ op: "collection", ids: [(await some()).id], collection: NAME })
        await route.continue()
      })
      await button.click()
      await page.getByText(`“${NAME}” holds links. Move them out first.`).waitFor()
      await until(async () => (await found())?.count === 1)
      await page.locator(".card").first().waitFor()
    }))

  testAccessibility(async (device, check) => {
    const { id = 0 } = (await found()) ?? {}
    await lookAt(
      async (page) => {
        await page.getByRole("heading", { name: "This collection is empty" }).waitFor()
        await check(page, "collection-empty")
      },
      `/dashboard?collection=${id}`,
      { device }
    )
  })
})
