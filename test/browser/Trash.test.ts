import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Link } from "../../web/app/api.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { card, dashboardOf, dialogOf, focused, gone, press, pressKeys } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { finished, linkOf, look, mutate } = dashboardOf(library)

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
  test("shows what was deleted, and restores it", () =>
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
    }))

  test("is where a link that has just been deleted is found, with its details", () =>
    look(async (page) => {
      const [first] = await firstTwo()
      await press(page, first.id, "Delete")
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

  test("keeps a link there if the service refuses to delete it", () =>
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
    }))
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
