import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { TEST_TIMEOUT, type View, visit } from "./support/browser.ts"
import { everybodyCanUse } from "./support/everybody.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { makeOwner } from "./support/owner.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
let owner: ReturnType<typeof makeOwner>
beforeAll(async () => {
  library = await startLibrary(60)
  owner = makeOwner(library)
})
afterAll(() => library.stop())

const look = async <A>(
  body: (page: Page) => Promise<A>,
  path = "/dashboard/duplicates",
  view: Partial<View> = {}
) =>
  visit(await library.owner(view), async (page) => {
    await page.goto(path)
    return await body(page)
  })

const pageOf = (title: string, more = "") => ({
  url: `${library.world.pages.url}/plain?t=${encodeURIComponent(title)}${more}`
})
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })

describe("duplicates", () => {
  const called = async (title: string) => (await owner.links()).filter((link) => link.title === title)
  const group = (page: Page, title: string) => page.locator(".duplicate-group", { hasText: title })
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.className ?? "")

  beforeAll(() =>
    owner.capture(
      ...[
        "How to mend a bicycle tyre",
        "A cellar for apples and pears",
        "The rules of a good minute"
      ].flatMap((title) => [pageOf(title), { ...pageOf(title, "&from=a-friend"), note: "Said to be good." }]),
      pageOf("A cellar for apples and pears", "&page=3")
    )
  )

  test("are looked for, shown side by side, and merged without losing a note", () =>
    look(async (page) => {
      await page.getByRole("button", { name: "Find duplicates" }).click()
      const one = group(page, "How to mend a bicycle tyre")
      await one.waitFor()
      expect(await one.locator(".copy").count()).toBe(2)
      expect(await one.locator("mark").allTextContents()).toEqual(["&from=a-friend"])
      // The one that something was written about.
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
    }, "/dashboard/duplicates"))

  test("but the one to keep are deleted once that is confirmed, and the focus goes on", async () => {
    await owner.act({ action: "dupes" })
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
    }, "/dashboard/duplicates")
  })

  test("that are none are not shown again, until that is taken back", async () => {
    await owner.act({ action: "dupes" })
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
    }, "/dashboard/duplicates")
  })

  test("that are deleted elsewhere leave the page by themselves", async () => {
    await owner.act({ action: "dupes" })
    await look(async (page) => {
      const one = group(page, "The rules of a good minute")
      await one.waitFor()
      const [gone] = await called("The rules of a good minute")
      await library.client.owner("POST", "/api/mutate", { op: "delete", ids: [gone?.id] })
      await one.waitFor({ state: "detached" })
    }, "/dashboard/duplicates")
  })
})

describe("everybody can use it", () => {
  beforeAll(async () => {
    await owner.capture(pageOf("Twice the same song"), pageOf("Twice the same song", "&again"))
    await owner.act({ action: "dupes" })
  })

  everybodyCanUse(async (device, fitsOf) => {
    await look(
      async (page) => {
        const fits = fitsOf(page)
        await page.locator(".copy").first().waitFor()
        await fits()
      },
      "/dashboard/duplicates",
      { device }
    )
  })
})
