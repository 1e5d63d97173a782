import { beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)
const { act, capture, links, lookAt, mutate, pageCalled } = dashboardOf(library, "main")
const look = (body: (page: Page) => Promise<void>) => lookAt(body, "/dashboard/duplicates")

const pageOf = (title: string, more = "") => ({ url: pageCalled(title) + more })
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })

describe("duplicates", () => {
  const called = async (title: string) => (await links()).filter((link) => link.title === title)
  const group = (page: Page, title: string) => page.locator(".duplicate-group", { hasText: title })
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.className ?? "")

  beforeAll(() =>
    capture(
      ...[
        "How to mend a bicycle tyre",
        "A cellar for apples and pears",
        "The rules of a good minute"
      ].flatMap((title) => [pageOf(title), { ...pageOf(title, "&from=a-friend"), note: "Said to be good." }]),
      pageOf("A cellar for apples and pears", "&page=3")
    )
  )

  test("are found, shown side by side, and merged without losing a note", () =>
    look(async (page) => {
      await page.getByRole("button", { name: "Find duplicates" }).click()
      const one = group(page, "How to mend a bicycle tyre")
      await one.waitFor()
      expect(await one.locator(".copy").count()).toBe(2)
      expect(await one.locator("mark").allTextContents()).toEqual(["&from=a-friend"])
      // The copy with the note.
      expect(await one.locator('.copy[data-kept="true"]').getByText("Said to be good.").count()).toBe(1)
      await one.getByRole("radio").first().click()
      const [kept] = (await called("How to mend a bicycle tyre")).toSorted((a, b) => a.id - b.id)
      const before = await page.locator(".duplicate-group").count()
      await one.getByRole("button", { name: "Merge into it" }).click()
      await one.waitFor({ state: "detached" })
      expect(await called("How to mend a bicycle tyre")).toMatchObject([
        { id: kept?.id, note: "Said to be good." }
      ])
      expect(await page.locator(".duplicate-group").count()).toBe(before - 1)
      expect(await focused(page)).toBe("duplicate-group")
    }))

  test("except the kept one are deleted after a confirmation, and the focus moves on", async () => {
    await act({ action: "dupes" })
    await look(async (page) => {
      const one = group(page, "A cellar for apples and pears")
      await one.waitFor()
      const ids = (await called("A cellar for apples and pears"))
        .map(({ id }) => id)
        .toSorted((a, b) => a - b)
      await one.getByRole("radio").nth(2).click()
      await one.getByRole("button", { name: "Delete the others (2)…" }).click()
      await inDialog(page, "Cancel").click()
      expect((await called("A cellar for apples and pears")).length).toBe(3)
      await one.getByRole("button", { name: "Delete the others (2)…" }).click()
      await inDialog(page, "Delete").click()
      await one.waitFor({ state: "detached" })
      expect((await called("A cellar for apples and pears")).map(({ id }) => id)).toEqual(ids.slice(2))
      await until(async () => (await focused(page)).startsWith("duplicate"))
    })
  })

  test("marked as different are hidden, also after a reload; Undo restores them", async () => {
    await act({ action: "dupes" })
    await look(async (page) => {
      const one = group(page, "The rules of a good minute")
      await one.getByRole("button", { name: "Not duplicates" }).click()
      await one.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).click()
      await one.getByRole("button", { name: "Not duplicates" }).click()
      await page.reload()
      await page.getByRole("button", { name: "Search again" }).waitFor()
      expect(await one.count()).toBe(0)
      expect((await called("The rules of a good minute")).length).toBe(2)
    })
  })

  test("deleted elsewhere disappear from the page", async () => {
    await act({ action: "dupes" })
    await look(async (page) => {
      const one = group(page, "The rules of a good minute")
      await one.waitFor()
      const [gone] = await called("The rules of a good minute")
      await mutate({ op: "delete", ids: [gone?.id] })
      await one.waitFor({ state: "detached" })
    })
  })
})

describe("the page of duplicates", () => {
  beforeAll(async () => {
    await capture(pageOf("Twice the same song"), pageOf("Twice the same song", "&again"))
    await act({ action: "dupes" })
  })

  testAccessibility((device, check) =>
    lookAt(
      async (page) => {
        await page.locator(".copy").first().waitFor()
        await check(page, "duplicates")
      },
      "/dashboard/duplicates",
      { device }
    )
  )
})
