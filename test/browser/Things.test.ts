import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { isLong, long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { countIs, dialogOf, gone, searchField } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(40)

const { counts, linkOf, links, look, lookAt, mutate } = journeyOf(library, ".page, .card, .notice")

const row = (page: Page, name: string) =>
  page.locator(".thing").filter({ has: page.getByRole("link", { name, exact: true }) })
/** Does something with a thing, from its menu. */
const act = async (page: Page, name: string, action: RegExp | string) => {
  await row(page, name)
    .getByRole("button", { name: `More for ${name}` })
    .click()
  await row(page, name).locator(".popover:popover-open").getByRole("button", { name: action }).click()
}
const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true }).last().click()
const countOf = async (tag: string) => (await counts()).tags.find(({ name }) => name === tag)?.count ?? 0
const pathsOf = async () => (await counts()).collections.map(({ name }) => name).sort()

/** Gives the tags to the first links of the library, one more link to each. */
const tagLinks = async (...tags: ReadonlyArray<string>) => {
  const ids = (await links()).map(({ id }) => id)
  for (const [at, tag] of tags.entries()) await mutate({ op: "tags", ids: ids.slice(0, at + 1), add: [tag] })
  return ids
}

/** Creates a collection for a test. */
const makeCollection = async (name: string) => {
  await library().client.owner("POST", "/api/collections", { name })
  return (await counts()).collections.find((one) => one.name === name)?.id ?? 0
}

describe("the page of tags", () => {
  test("renames a tag on all links, and takes that back", async () => {
    const [id = 0] = await tagLinks("renamed-once")
    await lookAt(async (page) => {
      await act(page, "#renamed-once", /^Rename/)
      const field = page.getByRole("combobox", { name: "New name" })
      await field.fill("renamed-twice")
      await page.keyboard.press("Enter")
      await gone(page)
      await row(page, "#renamed-twice").waitFor()
      expect((await linkOf(id))?.tags).toContain("renamed-twice")
      await page.getByText("Merged names").click()
      await page.getByText("#renamed-once → #renamed-twice").waitFor()
      await page.keyboard.press("Control+z")
      await row(page, "#renamed-once").waitFor()
      expect((await linkOf(id))?.tags).toContain("renamed-once")
    }, "/dashboard/tags")
  })

  long(test)("merges selected tags into the one with the most links", async () => {
    await tagLinks("merge-a", "merge-b", "merge-c")
    await lookAt(async (page) => {
      for (const name of ["merge-a", "merge-b", "merge-c"])
        await page.getByRole("checkbox", { name: `Select #${name}`, exact: true }).check()
      await page.getByRole("button", { name: "Merge into #merge-c" }).click()
      await row(page, "#merge-a").waitFor({ state: "detached" })
      await row(page, "#merge-b").waitFor({ state: "detached" })
      expect([await countOf("merge-a"), await countOf("merge-b"), await countOf("merge-c")]).toEqual([
        0, 0, 3
      ])
    }, "/dashboard/tags")
  })

  test("proposes names that mean the same, and merges them in one click", async () => {
    await tagLinks("selfhosted", "self-hosted")
    await lookAt(async (page) => {
      await page.getByRole("button", { name: /^Alike/ }).click()
      const twins = page.locator(".thing").filter({ hasText: "#selfhosted" })
      await twins.getByRole("button", { name: "Merge into #self-hosted" }).click()
      await twins.waitFor({ state: "detached" })
      expect([await countOf("selfhosted"), await countOf("self-hosted")]).toEqual([0, 2])
    }, "/dashboard/tags")
  })

  long(test)("deletes a tag; the links stay", async () => {
    const [id = 0] = await tagLinks("short-lived")
    const before = (await links()).length
    await lookAt(async (page) => {
      await page.getByRole("searchbox", { name: "Filter the tags" }).fill("short")
      await page.getByRole("button", { name: /^Used once/ }).click()
      await act(page, "#short-lived", /^Delete/)
      await page.getByText("No tag matches.").waitFor()
      expect((await linkOf(id))?.tags).not.toContain("short-lived")
      expect((await links()).length).toBe(before)
      await undo(page)
      await row(page, "#short-lived").waitFor()
    }, "/dashboard/tags")
  })

  long(test)("offers to load again what could not be loaded", () =>
    look(async (page, problems) => {
      problems.expect(/503/)
      await page.route("**/dashboard/api/tags", (route) =>
        route.fulfill({ status: 503, json: { error: "unavailable", message: "The library is busy." } })
      )
      await page.getByRole("link", { name: "Manage tags" }).click()
      await page.getByText("The library is busy.").waitFor()
      await page.unroute("**/dashboard/api/tags")
      await page.getByRole("button", { name: "Try again" }).click()
      await page.locator(".thing").first().waitFor()
    })
  )
})

describe("the page of collections", () => {
  test("creates a collection inside another one, edits it, and takes that back", async () => {
    await makeCollection("Kitchen")
    await lookAt(async (page) => {
      await act(page, "Kitchen", /^New collection inside/)
      await page.getByRole("textbox", { name: "Name" }).fill("Bread")
      await page.getByRole("button", { name: "Create" }).click()
      await gone(page)
      await act(page, "Bread", /^Edit/)
      await page.getByRole("textbox", { name: "Name" }).fill("Loaves")
      await page.getByRole("textbox", { name: "Description" }).fill("Wheat and rye")
      await page.getByRole("radio", { name: "green" }).check()
      await page.getByRole("button", { name: "Save" }).click()
      await gone(page)
      await row(page, "Loaves").getByText("Wheat and rye").waitFor()
      expect(await pathsOf()).toContain("Kitchen / Loaves")
      await page
        .getByRole("navigation", { name: "Library" })
        .getByRole("link", { name: /Loaves/ })
        .waitFor()
      await undo(page)
      await until(async () => (await pathsOf()).includes("Kitchen / Bread"))
    }, "/dashboard/collections")
  })

  test("are nested by a drag and by keys in the sidebar, and take links that are dropped on them", async () => {
    await makeCollection("Alpha")
    await makeCollection("Beta")
    const [link] = await links()
    await lookAt(async (page) => {
      const entry = (name: string) =>
        page
          .getByRole("navigation", { name: "Library" })
          .locator("a.entry[data-collection]", { hasText: name })
      const card = page.locator(`#link-${link?.id}`)
      await card.getByRole("link").first().dragTo(entry("Alpha"))
      await until(async () => (await linkOf(link?.id ?? 0))?.collection?.name === "Alpha")
      await card.getByRole("link").first().dragTo(entry("Unfiled"))
      await until(async () => (await linkOf(link?.id ?? 0))?.collection === null)
      await entry("Beta").dragTo(entry("Alpha"))
      await until(async () => (await pathsOf()).includes("Alpha / Beta"))
      await until(async () => (await entry("Beta").getAttribute("style"))?.includes("--depth") === true)
      await entry("Beta").focus()
      await page.keyboard.press("Alt+Shift+ArrowLeft")
      await until(async () => (await pathsOf()).includes("Beta"))
      await undo(page)
      await until(async () => (await pathsOf()).includes("Alpha / Beta"))
    }, "/dashboard")
  })

  long(test)("orders collections by hand, and keeps that in the sidebar", async () => {
    await makeCollection("Order A")
    await makeCollection("Order B")
    await lookAt(async (page) => {
      const shown = async () =>
        (await page.locator(".thing-name").allTextContents()).filter((name) => name.startsWith("Order"))
      await row(page, "Order B").waitFor()
      expect(await shown()).toEqual(["Order A", "Order B"])
      await act(page, "Order B", "Move up")
      await until(async () => (await shown())[0] === "Order B")
      const inSidebar = page
        .getByRole("navigation", { name: "Library" })
        .getByRole("link", { name: /^Order/ })
      await until(async () => (await inSidebar.allTextContents())[0]?.startsWith("Order B"))
    }, "/dashboard/collections")
  })

  long(test)("deletes a collection with links, which stay, and restores it with its number", async () => {
    const [link] = await links()
    await mutate({ op: "collection", ids: [link?.id], collection: "Doomed" })
    const number = (await counts()).collections.find(({ name }) => name === "Doomed")?.id
    await lookAt(async (page) => {
      await act(page, "Doomed", /^Delete/)
      await row(page, "Doomed").waitFor({ state: "detached" })
      expect((await linkOf(link?.id ?? 0))?.collection).toBeNull()
      await undo(page)
      await row(page, "Doomed").waitFor()
      expect((await linkOf(link?.id ?? 0))?.collection).toEqual({ id: number ?? 0, name: "Doomed" })
    }, "/dashboard/collections")
  })

  test("merges one into another, and shares one as a whole", async () => {
    const [first, second] = await links()
    await mutate({ op: "collection", ids: [first?.id], collection: "Merge from" })
    await mutate({ op: "collection", ids: [second?.id], collection: "Merge to" })
    await lookAt(async (page) => {
      await act(page, "Merge from", /^Merge/)
      await page.getByRole("combobox", { name: "Into" }).selectOption({ label: "Merge to" })
      await dialogOf(page).getByRole("button", { name: "Merge", exact: true }).click()
      await gone(page)
      await row(page, "Merge to").getByText("2 links").waitFor()
      await act(page, "Merge to", /^Edit/)
      await page.getByRole("checkbox", { name: "Share the whole collection" }).check()
      await page.getByRole("button", { name: "Save" }).click()
      await gone(page)
      await row(page, "Merge to")
        .getByText(/shared/)
        .waitFor()
      const shared = await (await page.request.get("/list/api/links")).text()
      expect(shared).toContain(JSON.stringify(first?.url))
    }, "/dashboard/collections")
  })
})

describe("an empty collection", () => {
  test("says so in its view, and is deleted there and restored by Undo", async () => {
    const id = await makeCollection("Left behind")
    await lookAt(async (page) => {
      await page.getByRole("heading", { name: "This collection is empty" }).waitFor()
      await page.getByRole("button", { name: "Delete the collection" }).click()
      await page.waitForURL((url) => url.search === "")
      await until(async () => !(await pathsOf()).includes("Left behind"))
      await undo(page)
      await until(async () => (await pathsOf()).includes("Left behind"))
    }, `/dashboard?collection=${id}`)
  })
})

describe("saved searches", () => {
  test("are saved from a view, shown in the sidebar, edited and deleted", async () => {
    await tagLinks("kept")
    const total = await countOf("kept")
    await lookAt(async (page) => {
      await page.getByRole("button", { name: "Save this search" }).click()
      expect(await page.getByRole("textbox", { name: "Search" }).inputValue()).toBe("tag:kept")
      await page.getByRole("textbox", { name: "Name" }).fill("Kept links")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await gone(page)
      const entry = page
        .getByRole("navigation", { name: "Library" })
        .getByRole("link", { name: "Kept links" })
      await entry.click()
      expect(await searchField(page).inputValue()).toBe("tag:kept")
      await countIs(page, total)
      await page.getByRole("link", { name: "Manage saved searches" }).click()
      await act(page, "Kept links", /^Edit/)
      await page.getByRole("checkbox", { name: "Show it in the sidebar" }).uncheck()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await gone(page)
      await entry.waitFor({ state: "detached" })
      await act(page, "Kept links", "Delete")
      await page.getByText(/^No search is saved yet/).waitFor()
      await undo(page)
      await row(page, "Kept links").waitFor()
    }, "/dashboard?q=tag%3Akept")
  })
})

testAccessibility(async (device, check) => {
  await tagLinks("kubernetes", "k8s", "cooking", "baking")
  await makeCollection("Programming / Effect / Schema")
  await library().client.owner("POST", "/api/searches", { name: "Unread", query: "is:unread" })
  for (const name of isLong ? ["tags", "categories", "collections", "searches"] : ["tags"])
    await lookAt(
      async (page) => {
        await page.locator(".thing").first().waitFor()
        await check(page, name)
      },
      `/dashboard/${name}`,
      { device }
    )
  if (!isLong) return
  await lookAt(
    async (page) => {
      await page.getByRole("button", { name: /^Alike/ }).click()
      await check(page, "tags-alike")
      await page.getByRole("group", { name: "Show" }).getByRole("button", { name: "All" }).click()
      await act(page, "#k8s", /^Rename/)
      await dialogOf(page).waitFor()
      await check(page, "tags-rename")
    },
    "/dashboard/tags",
    { device }
  )
  await lookAt(
    async (page) => {
      await act(page, "Effect", /^Edit/)
      await dialogOf(page).waitFor()
      await check(page, "collection-edit")
    },
    "/dashboard/collections",
    { device }
  )
}, "each page of things")
