import { beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Link } from "../../web/app/api.ts"
import { until } from "../support/service.ts"
import { byTier, long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { card, confirmTrash, dialogOf, focused, gone, press, pressKeys } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import type { Problems } from "./support/problems.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)
const { act, capture, finished, fresh, linkOf, links, look, lookAt, mutate, pageCalled } = journeyOf(library)

/** Moves links to the trash, and lets the page list them there. */
const putInTrash = async (page: Page, links: ReadonlyArray<Link>) => {
  await mutate({ op: "delete", ids: links.map(({ id }) => id) })
  const gone = new Set<number>()
  await page.route(/\/api\/links\?.*trashed/, (route) => {
    const left = links.filter(({ id }) => !gone.has(id))
    return route.fulfill({
      json: {
        links: left.map((link) => ({ ...link, deletedAt: new Date().toISOString() })),
        total: left.length,
        nextCursor: null,
        notices: []
      }
    })
  })
  return { leave: (id: number) => gone.add(id) }
}

const openTrash = async (page: Page) => {
  await page.getByRole("link", { name: "Trash" }).click()
  await page.getByText("Links stay here for 30 days.").waitFor()
}

const firstTwo = async (): Promise<readonly [Link, Link]> => {
  const [first, second] = await finished()
  if (first === undefined || second === undefined) throw new Error("there are no links")
  return [first, second]
}

describe("the trash", () => {
  long(test)("shows what was deleted, and restores it", () =>
    look(async (page) => {
      const [first, second] = await firstTwo()
      const trash = await putInTrash(page, [first, second])
      await openTrash(page)
      await card(page, first.id).waitFor()
      await card(page, second.id).waitFor()
      trash.leave(first.id)
      await press(page, first.id, "Restore")
      await page.getByText(`Restored “${first.title}”.`).waitFor()
      expect(await card(page, first.id).count()).toBe(0)
      expect((await linkOf(first.id))?.title).toBe(first.title)
      await page.getByRole("link", { name: /^All/ }).click()
      await card(page, first.id).waitFor()
    })
  )

  test("is where a link that has just been deleted is found, with its details", () =>
    fresh(async (page) => {
      const [first] = await firstTwo()
      await press(page, first.id, "Delete")
      await confirmTrash(page)
      await page.getByText(`Moved “${first.title}” to the trash.`).waitFor()
      await page.route(/\/api\/links\?.*trashed/, (route) =>
        route.fulfill({
          json: {
            links: [{ ...first, deletedAt: new Date().toISOString() }],
            total: 1,
            nextCursor: null,
            notices: []
          }
        })
      )
      await openTrash(page)
      await card(page, first.id).focus()
      await pressKeys(page, "Space")
      const pane = page.getByRole("complementary", { name: "Details" })
      await pane.getByText("In the trash since").waitFor()
      expect(await pane.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0)
      await pane.getByRole("button", { name: "Restore" }).click()
      await page.getByText(`Restored “${first.title}”.`).waitFor()
      expect((await linkOf(first.id))?.title).toBe(first.title)
    }))

  test("deletes forever only after a question, whose Enter does nothing", () =>
    look(async (page) => {
      const [first, second] = await firstTwo()
      await putInTrash(page, [first, second])
      await openTrash(page)
      await card(page, first.id).focus()
      await pressKeys(page, "#")
      await dialogOf(page).getByText(first.title).waitFor()
      expect(await focused(page)).toBe("Cancel")
      await pressKeys(page, "Enter")
      await gone(page)
      await page.getByRole("button", { name: "Empty the trash…" }).click()
      await dialogOf(page).getByRole("heading", { name: "Delete these 2 links forever?" }).waitFor()
      const request = page.waitForRequest(/mutate/)
      await dialogOf(page).getByRole("button", { name: "Delete forever" }).click()
      expect((await request).postDataJSON()).toEqual({
        op: "delete",
        ids: [first.id, second.id],
        forever: true
      })
      await page.getByText("Deleted 2 links for good.").waitFor()
      const restored = await mutate({ op: "restore", ids: [first.id] })
      expect(restored.status).toBe(404)
    }))

  long(test)("keeps a link there if the service refuses to delete it", () =>
    look(async (page, problems) => {
      problems.expect(/status of 503/)
      const [first, second] = await firstTwo()
      await putInTrash(page, [first, second])
      await openTrash(page)
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route("**/mutate", async (route) => {
        await promise
        await route.fulfill({ status: 503, json: { error: "unavailable", message: "Not at the moment." } })
      })
      await press(page, first.id, "Delete forever…")
      await dialogOf(page).getByRole("button", { name: "Delete forever" }).click()
      await dialogOf(page).getByRole("button", { name: "Deleting…", disabled: true }).waitFor()
      await pressKeys(page, "Escape")
      expect(await dialogOf(page).count()).toBe(1)
      resolve()
      await gone(page)
      await page.getByText("Not deleted. Not at the moment.").waitFor()
      await card(page, first.id).waitFor()
    })
  )
})

testAccessibility(
  (device, check) =>
    look(
      async (page) => {
        const links = await firstTwo()
        await putInTrash(page, links)
        await page.goto("/dashboard?favorite=true")
        await page.locator(".card, .notice").first().waitFor()
        await page.evaluate(() => history.pushState({}, "", "/dashboard?q=is%3Atrashed"))
        await page.evaluate(() => window.dispatchEvent(new PopStateEvent("popstate", { state: {} })))
        await page.getByText("Links stay here for 30 days.").waitFor()
        await check(page, "trash")
        await mutate({ op: "restore", ids: links.map(({ id }) => id) })
      },
      { device }
    ),
  "the trash"
)

const lookAtDuplicates = (body: (page: Page, problems: Problems) => Promise<void>) =>
  lookAt(body, "/dashboard/duplicates")

const pageOf = (title: string, more = "") => ({ url: pageCalled(title) + more })
/** Another address of a page, which names the first as its canonical one. */
const aliasOf = (title: string) => pageOf(title, `&canonical=${encodeURIComponent(pageCalled(title))}`)
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })

describe("duplicates", () => {
  const called = async (title: string) => (await links()).filter((link) => link.title === title)
  const group = (page: Page, title: string) => page.locator(".duplicate-group", { hasText: title })
  const focusedClass = (page: Page) => page.evaluate(() => document.activeElement?.className ?? "")

  beforeAll(() =>
    capture(
      ...byTier(
        ["How to mend a bicycle tyre", "A cellar for apples and pears"],
        ["How to mend a bicycle tyre", "A cellar for apples and pears", "The rules of a good minute"]
      ).flatMap((title) => [pageOf(title), { ...pageOf(title, "&colour=blue"), note: "Said to be good." }]),
      pageOf("A cellar for apples and pears", "&paper=thick")
    )
  )

  test("are found, shown side by side, merged without losing a note, or moved to the trash and back except the kept one", () =>
    lookAtDuplicates(async (page) => {
      await page.getByRole("button", { name: "Find duplicates" }).click()
      const one = group(page, "How to mend a bicycle tyre")
      await one.waitFor()
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
      expect(await focusedClass(page)).toStartWith("duplicate-group")

      const other = group(page, "A cellar for apples and pears")
      await other.waitFor()
      const ids = (await called("A cellar for apples and pears"))
        .map(({ id }) => id)
        .toSorted((a, b) => a - b)
      await other.getByRole("radio").nth(2).click()
      await other.getByRole("button", { name: "Delete the others (2)" }).click()
      await other.waitFor({ state: "detached" })
      const moved = page.locator(".toast", { hasText: "Moved 2 links to the trash." })
      await moved.waitFor()
      expect((await called("A cellar for apples and pears")).map(({ id }) => id)).toEqual(ids.slice(2))
      await until(async () => (await focusedClass(page)).startsWith("duplicate"))
      await moved.getByRole("button", { name: "Undo" }).click()
      await other.waitFor()
      expect(await called("A cellar for apples and pears")).toHaveLength(3)
    }))

  long(test)("marked as different are hidden, also after a reload; Undo restores them", async () => {
    await act({ action: "dupes" })
    await lookAtDuplicates(async (page) => {
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

  long(test)("deleted elsewhere disappear from the page", async () => {
    await act({ action: "dupes" })
    await lookAtDuplicates(async (page) => {
      const one = group(page, "The rules of a good minute")
      await one.waitFor()
      const [gone] = await called("The rules of a good minute")
      await mutate({ op: "delete", ids: [gone?.id] })
      await one.waitFor({ state: "detached" })
    })
  })
})

describe("exact matches", () => {
  const titles = ["One way to tie a knot", "Two ways to tie a knot"]
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
    lookAtDuplicates(async (page) => {
      const before = (await links()).length
      const chosen = (await called("One way to tie a knot")).toSorted((a, b) => a.id - b.id)[0]
      const one = page.locator(".duplicate-group", { hasText: "One way to tie a knot" })
      // By default the link with the note is kept.
      await one
        .getByRole("radio", { name: chosen?.url ?? "", exact: false })
        .first()
        .click()
      await mergeAll(page).click()
      await dialog(page).getByText("4 links in 2 groups lead to the same page.").waitFor()
      await inDialog(page, "Cancel").click()
      expect((await links()).length).toBe(before)

      await mergeAll(page).click()
      await inDialog(page, "Merge 2 groups").click()
      await dialog(page).getByText("Merged 4 links into 2.").waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Close")
      await inDialog(page, "Close").click()
      await mergeAll(page).waitFor({ state: "detached" })
      expect((await links()).length).toBe(before - 2)
      for (const title of titles) expect(await called(title)).toMatchObject([{ note: `On ${title}.` }])
      expect((await called("One way to tie a knot"))[0]?.id).toBe(chosen?.id)
      expect((await called("Nearly a knot")).length).toBe(2)
    }))

  long(test)("that could not be merged are counted with the reason", async () => {
    await capture(
      ...["A first pair", "A second pair", "A third pair"].flatMap((title) => [pageOf(title), aliasOf(title)])
    )
    await act({ action: "dupes" })
    await lookAtDuplicates(async (page, problems) => {
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

  testAccessibility(
    (device, check) =>
      lookAt(
        async (page) => {
          await page.locator(".copy").first().waitFor()
          await check(page, "duplicates")
        },
        "/dashboard/duplicates",
        { device }
      ),
    "the page of duplicates"
  )
})
