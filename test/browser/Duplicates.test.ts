import { beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { dashboardOf } from "./support/dashboard.ts"
import type { Problems } from "./support/problems.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)
const { act, capture, links, lookAt, mutate, pageCalled } = dashboardOf(library, "main")
const look = (body: (page: Page, problems: Problems) => Promise<void>) =>
  lookAt(body, "/dashboard/duplicates")

const pageOf = (title: string, more = "") => ({ url: pageCalled(title) + more })
/** Another address of a page, which names the first as its canonical one. */
const aliasOf = (title: string) => pageOf(title, `&canonical=${encodeURIComponent(pageCalled(title))}`)
/** Waits for every icon: one that is asked for when its link is gone is missing. */
const loadIcons = (page: Page) =>
  page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
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
      ].flatMap((title) => [pageOf(title), { ...pageOf(title, "&colour=blue"), note: "Said to be good." }]),
      pageOf("A cellar for apples and pears", "&paper=thick")
    )
  )

  test("are found, shown side by side, and merged without losing a note", () =>
    look(async (page) => {
      await page.getByRole("button", { name: "Find duplicates" }).click()
      const one = group(page, "How to mend a bicycle tyre")
      await one.waitFor()
      await loadIcons(page)
      expect(await one.locator(".copy").count()).toBe(2)
      expect(await one.locator("mark").allTextContents()).toEqual(["&colour=blue"])
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

  test("except the kept one are moved to the trash and back, and the focus moves on", async () => {
    await act({ action: "dupes" })
    await look(async (page) => {
      const one = group(page, "A cellar for apples and pears")
      await one.waitFor()
      await loadIcons(page)
      const ids = (await called("A cellar for apples and pears"))
        .map(({ id }) => id)
        .toSorted((a, b) => a - b)
      await one.getByRole("radio").nth(2).click()
      await one.getByRole("button", { name: "Delete the others (2)" }).click()
      await one.waitFor({ state: "detached" })
      await page.getByText("Moved 2 links to the trash.").waitFor()
      expect((await called("A cellar for apples and pears")).map(({ id }) => id)).toEqual(ids.slice(2))
      await until(async () => (await focused(page)).startsWith("duplicate"))
      await page.getByRole("button", { name: "Undo" }).click()
      await one.waitFor()
      expect(await called("A cellar for apples and pears")).toHaveLength(3)
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
      await loadIcons(page)
      await mutate({ op: "delete", ids: [gone?.id] })
      await one.waitFor({ state: "detached" })
    })
  })
})

describe("exact matches", () => {
  const titles = ["One way to tie a knot", "Two ways to tie a knot", "Three ways to tie a knot"]
  const called = async (title: string) => (await links()).filter((link) => link.title === title)
  const mergeAll = (page: Page) => page.getByRole("button", { name: "Merge all exact matches…" })
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Merge all exact matches" })

  beforeAll(async () => {
    await capture(
      ...titles.flatMap((title) => [pageOf(title), { ...aliasOf(title), note: `On ${title}.` }]),
      pageOf("Nearly a knot"),
      pageOf("Nearly a knot", "&colour=blue")
    )
    await act({ action: "dupes" })
  })

  test("are all merged after a confirmation that counts them; the others stay", () =>
    look(async (page) => {
      const before = (await links()).length
      const chosen = (await called("One way to tie a knot")).toSorted((a, b) => a.id - b.id)[0]
      const one = page.locator(".duplicate-group", { hasText: "One way to tie a knot" })
      // By default the link with the note is kept.
      await one
        .getByRole("radio", { name: chosen?.url ?? "", exact: false })
        .first()
        .click()
      await loadIcons(page)
      await mergeAll(page).click()
      await dialog(page).getByText("6 links in 3 groups lead to the same page.").waitFor()
      await inDialog(page, "Cancel").click()
      expect((await links()).length).toBe(before)

      await mergeAll(page).click()
      await inDialog(page, "Merge 3 groups").click()
      await dialog(page).getByText("Merged 6 links into 3.").waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Close")
      await inDialog(page, "Close").click()
      await mergeAll(page).waitFor({ state: "detached" })
      expect((await links()).length).toBe(before - 3)
      for (const title of titles) expect(await called(title)).toMatchObject([{ note: `On ${title}.` }])
      expect((await called("One way to tie a knot"))[0]?.id).toBe(chosen?.id)
      expect((await called("Nearly a knot")).length).toBe(2)
    }))

  test("that could not be merged are counted with the reason", async () => {
    await capture(
      ...["A first pair", "A second pair", "A third pair"].flatMap((title) => [pageOf(title), aliasOf(title)])
    )
    await act({ action: "dupes" })
    await look(async (page, problems) => {
      problems.expect(/404|503/)
      let requests = 0
      await page.route("**/dashboard/api/mutate", (route) => {
        requests++
        if (requests === 1)
          return route.fulfill({ status: 404, json: { error: "not_found", message: "There is no link." } })
        return requests === 2
          ? route.continue()
          : route.fulfill({ status: 503, json: { error: "unavailable", message: "The disk is full." } })
      })
      await mergeAll(page).click()
      await inDialog(page, "Merge 3 groups").click()
      const text = dialog(page).getByRole("status")
      await text.getByText("Merged 2 links into 1.").waitFor()
      expect(await text.textContent()).toBe(
        "Merged 2 links into 1. Skipped 1 group whose links were deleted in the meantime. Search again to see what is left. Stopped: The disk is full. 1 group is left as before."
      )
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
