import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { overflow } from "./support/accessibility.ts"
import { linksWithPages } from "./support/articles.ts"
import { phone, type View, visit } from "./support/browser.ts"
import { card, confirmTrash, dialogOf, knowSharing, ownerOf, searchedFor } from "./support/dashboard.ts"
import { describedLinks } from "./support/describedLinks.ts"
import { settle } from "./support/settle.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary((pictures) => [...describedLinks(30, pictures), ...linksWithPages])
const { counts, linkOf, links, some } = ownerOf(library)

/** Visits a path on a phone, and waits until its content stands. */
const look = async (path: string, step: (page: Page) => Promise<unknown>, view: Partial<View> = {}) =>
  visit({ ...(await library().owner({ device: phone, ...view })), isFirst: true }, async (page) => {
    await page.addInitScript(knowSharing)
    await page.goto(path)
    await page.locator(".card, main .page, .reader-frame[data-shown=true]").first().waitFor()
    await step(page)
  })

const bar = (page: Page, name: string) =>
  page
    .getByRole("navigation", { name: "Main" })
    .or(page.locator(".bottom"))
    .getByRole("button", { name })
    .tap()
const menu = async (page: Page, id: number, action: string | RegExp) => {
  await card(page, id)
    .getByRole("button", { name: /^More for/ })
    .tap()
  await page.getByRole("menuitem", { name: action }).first().tap()
}
const becomes = (id: number, is: (link: NonNullable<Awaited<ReturnType<typeof linkOf>>>) => boolean) =>
  until(async () => {
    const link = await linkOf(id)
    return link !== undefined && is(link)
  })

/** What somebody wants, with a finger alone. */
const tasks: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "search the library": async (page) => {
    await bar(page, "Search")
    await page.keyboard.type("data")
    await until(() => searchedFor(page) === "data")
  },
  "open the library's views": async (page) => {
    await bar(page, "Library")
    await dialogOf(page).getByRole("link", { name: "Favorites" }).tap()
    await page.waitForURL("**/dashboard?favorite=true")
  },
  "open a collection": async (page) => {
    const [{ id, name } = { id: 0, name: "" }] = (await counts()).collections.filter(({ count }) => count > 0)
    await bar(page, "Library")
    await dialogOf(page).locator(`.entry[data-collection="${id}"]`, { hasText: name }).tap()
    await page.waitForURL(`**/dashboard?collection=${id}`)
  },
  "favorite a link": async (page) => {
    const { favorite, id } = await some()
    await menu(page, id, favorite ? "Remove from favorites" : "Favorite")
    await becomes(id, (link) => link.favorite !== favorite)
  },
  "take a change back": async (page) => {
    const { favorite, id } = await some()
    await menu(page, id, favorite ? "Remove from favorites" : "Favorite")
    await page.getByRole("button", { name: "Undo" }).tap()
    await becomes(id, (link) => link.favorite === favorite)
  },
  "archive a link": async (page) => {
    const { id } = await some()
    await menu(page, id, "Archive")
    await until(async () => (await card(page, id).count()) === 0)
  },
  "file a link": async (page) => {
    const { id } = await some()
    const [{ name } = { name: "" }] = (await counts()).collections
    await menu(page, id, "File in a collection…")
    await dialogOf(page).getByRole("option", { name }).first().tap()
    await becomes(id, ({ collection }) => collection?.name === name)
  },
  "tag a link": async (page) => {
    const { id } = await some()
    await menu(page, id, "Tags…")
    await page.keyboard.type("by-touch")
    await dialogOf(page).getByRole("button", { name: "Save" }).tap()
    await becomes(id, ({ tags }) => tags.includes("by-touch"))
  },
  "delete a link": async (page) => {
    const { id } = await some()
    await menu(page, id, "Delete…")
    await confirmTrash(page)
    await until(async () => (await linkOf(id)) === undefined)
  },
  "see a link's details and leave them": async (page) => {
    const { id } = await some()
    await menu(page, id, "Details")
    await dialogOf(page).getByRole("button", { name: "Close" }).tap()
    await dialogOf(page).waitFor({ state: "detached" })
  },
  "select two links and clear the selection": async (page) => {
    const [first, second] = await links("limit=2")
    await bar(page, "Select")
    await page.locator("[data-selecting]").waitFor()
    for (const link of [first, second])
      await card(page, link?.id ?? 0)
        .locator(".card-source")
        .tap()
    await page.locator(".bulk-count", { hasText: "2 selected" }).waitFor()
    await page.getByRole("toolbar").getByRole("button", { name: "Clear" }).tap()
    await page.locator(".bulk").waitFor({ state: "detached" })
  },
  "open the form to add a link": async (page) => {
    await bar(page, "Add")
    await page.getByRole("dialog", { name: "Add a link" }).waitFor()
  },
  "show rows": async (page) => {
    await page.getByRole("button", { name: "Display" }).tap()
    await page.locator(".segment", { hasText: "Rows" }).tap()
    await page.locator('.card[data-density="rows"]').first().waitFor()
  },
  "open the settings": async (page) => {
    await bar(page, "Library")
    await dialogOf(page).getByRole("link", { name: "Settings" }).tap()
    await page.waitForURL("**/dashboard/settings")
  },
  "read a kept page": async (page) => {
    const kept = (await links()).find((link) => link.kept)
    await page.goto(`/dashboard?q=${encodeURIComponent(`"${kept?.title}"`)}`)
    await menu(page, kept?.id ?? 0, "Read here")
    await page.locator(".reader-frame[data-shown=true]").waitFor()
  }
}

describe("with a finger on a phone, one can", () => {
  for (const [name, run] of Object.entries(tasks)) test(name, () => look("/dashboard", run))
})

const screens = [
  "/dashboard",
  "/dashboard?q=zzzqqq",
  "/dashboard?q=is:trashed",
  "/dashboard/highlights",
  "/dashboard/duplicates",
  "/dashboard/tags",
  "/dashboard/collections",
  "/dashboard/statistics",
  "/dashboard/settings",
  "/list",
  "/signin"
]

/** The owner's screens as the owner sees them, and the others as strangers do. */
const viewOf = async (path: string, look: Partial<View>): Promise<View> =>
  path.startsWith("/dashboard")
    ? library().owner({ device: phone, ...look })
    : library().anybody({ device: phone, ...look })

/** Runs in the page: writes the texts twice as large, or the page from right to left. */
const circumstances: Readonly<Record<string, { readonly view?: Partial<View>; readonly set?: () => void }>> =
  {
    "with texts of 200 %": {
      set: () => document.documentElement.style.setProperty("font-size", "200%")
    },
    "from right to left": {
      set: () => document.documentElement.setAttribute("dir", "rtl")
    },
    "in forced colours": { view: { forcedColors: true } },
    "without motion": { view: { reducedMotion: true } }
  }

/** Runs in the page: whether the focus shows, by an outline or by that of a part around the focus. */
const isFocusShown = () => {
  let element: Element | null = document.activeElement
  if (element === null || element === document.body) return true
  for (let steps = 0; element !== null && steps < 3; steps++, element = element.parentElement)
    if (getComputedStyle(element).outlineStyle !== "none") return true
  return false
}

describe("a screen scrolls in one direction and shows its focus", () => {
  for (const [name, { set, view = {} }] of Object.entries(circumstances))
    test(name, async () => {
      const wrong: Array<string> = []
      for (const path of screens)
        await visit(await viewOf(path, view), async (page) => {
          await page.goto(path)
          await page.locator(".card, .notice, main .page, main h1").first().waitFor()
          if (set !== undefined) await page.evaluate(set)
          await page.mouse.move(10, 300)
          await settle(page)
          const wide = await page.evaluate(overflow)
          if (wide > 0) wrong.push(`${path} is ${wide} pixels too wide`)
          for (let turn = 0; turn < 6; turn++) {
            await page.keyboard.press("Tab")
            if (!(await page.evaluate(isFocusShown)))
              wrong.push(`${path} hides the focus after ${turn + 1} Tabs`)
          }
        })
      expect(wrong).toEqual([])
    })
})
