import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { phone, TEST_TIMEOUT } from "./support/browser.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { everybodyCanUse } from "./support/everybody.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import type { Problems } from "./support/problems.ts"
import { shoot } from "./support/shoot.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(20)
})
afterAll(() => library.stop())

const { counts, lookAt, mutate, some } = dashboardOf(() => library)

const NAME = "Left behind"
const found = async () => (await counts()).collections.find(({ name }) => name === NAME)

/** The collection, which the last link has left. */
beforeEach(async () => {
  const { id } = await some()
  for (const collection of [NAME, null]) await mutate({ op: "collection", ids: [id], collection })
})

const entryOf = (page: Page) =>
  page.getByRole("navigation", { name: "Library" }).getByRole("link", { name: NAME })
const look = (body: (page: Page, problems: Problems) => Promise<void>) => lookAt(body, "/dashboard")

describe("a collection without links", () => {
  test("is listed, is deleted from its own page, and comes back when that is undone", () =>
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

  test("is kept where a link came into it meanwhile", () =>
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

  everybodyCanUse(async (device, fitsOf) => {
    const { id = 0 } = (await found()) ?? {}
    await lookAt(
      async (page) => {
        await page.getByRole("heading", { name: "This collection is empty" }).waitFor()
        await fitsOf(page)()
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          await shoot(page, `collection-empty-${device === phone ? "phone" : "desktop"}-${colorScheme}`)
        }
      },
      `/dashboard?collection=${id}`,
      { device }
    )
  })
})
