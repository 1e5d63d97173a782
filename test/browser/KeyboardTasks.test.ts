import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Link } from "../../web/app/api.ts"
import { until } from "../support/service.ts"
import { dashboardOf, dialogOf, gone, pressKeys, searchedFor, standsOn } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

const { counts, linkOf, links, look, pageCalled, some } = dashboardOf(library)

/** A task: what somebody wants, with keys alone. */
interface Task {
  readonly name: string
  readonly run: (page: Page) => Promise<unknown>
}

/** The name of the focused element. */
const focusedName = (page: Page) =>
  page.evaluate(() => {
    const focus = document.activeElement
    return focus?.getAttribute("aria-label") ?? focus?.textContent?.trim()
  })

const type = (page: Page, text: string) => page.keyboard.type(text)

/** Goes down the list to a link. */
const goTo = async (page: Page, { id }: Pick<Link, "id">) => {
  const ids = (await links()).map((link) => link.id)
  for (let at = 0; at <= ids.indexOf(id); at++) await pressKeys(page, "j")
  await standsOn(page, id)
}

const becomes = (id: number, is: (link: Link) => boolean) =>
  until(async () => {
    const link = await linkOf(id)
    return link !== undefined && is(link)
  })

const dialogOpen = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name }).waitFor()

/** Runs a command of the palette. */
const command = async (page: Page, typed: string) => {
  await pressKeys(page, "Control+k")
  await dialogOpen(page, "Commands")
  await type(page, typed)
  await pressKeys(page, "Enter")
}

const params = (page: Page) => new URL(page.url()).searchParams

/** Moves along the buttons and labels of the card with the focus until one has this text. */
const findInCard = async (page: Page, text: string) => {
  for (let turn = 0; turn < 30 && (await focusedName(page)) !== text; turn++)
    await pressKeys(page, "ArrowRight")
  expect(await focusedName(page)).toBe(text)
}

const tasks: ReadonlyArray<Task> = [
  {
    name: "search the library",
    run: async (page) => {
      const { title } = await some()
      await pressKeys(page, "/")
      await type(page, `"${title}"`)
      await pressKeys(page, "Enter")
      await until(() => searchedFor(page) === `"${title}"`)
      await page.locator(".chips-count", { hasText: /^\d+ links?$/ }).waitFor()
    }
  },
  {
    name: "clear a search",
    run: async (page) => {
      await pressKeys(page, "/")
      await type(page, "data")
      await until(() => searchedFor(page) === "data")
      await pressKeys(page, "Escape")
      await until(() => searchedFor(page) === null)
    }
  },
  {
    name: "go from the search field to the first result",
    run: async (page) => {
      const [first] = await links("q=g&limit=1")
      await pressKeys(page, "/")
      await type(page, "g")
      await until(() => searchedFor(page) === "g")
      await page.locator('.library[aria-busy="false"]').waitFor()
      await pressKeys(page, "ArrowDown")
      await standsOn(page, first?.id)
    }
  },
  {
    name: "open a link",
    run: async (page) => {
      const { url } = await some()
      await page.evaluate(() => {
        window.open = (address) => {
          document.title = String(address)
          return null
        }
      })
      await goTo(page, await some())
      await pressKeys(page, "Enter")
      expect(await page.title()).toBe(url)
    }
  },
  {
    name: "favorite a link",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "f")
      await becomes(link.id, ({ favorite }) => favorite !== link.favorite)
    }
  },
  {
    name: "share a link",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "s")
      await becomes(link.id, ({ shareable }) => shareable !== link.shareable)
    }
  },
  {
    name: "file a link in a new collection",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "m")
      await dialogOpen(page, "File in a collection")
      await type(page, "By keyboard")
      await pressKeys(page, "Enter")
      await becomes(link.id, ({ collection }) => collection?.name === "By keyboard")
    }
  },
  {
    name: "change a link's category",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "c")
      await dialogOpen(page, "Category")
      await type(page, "keys")
      await pressKeys(page, "Enter")
      await becomes(link.id, ({ category }) => category === "keys")
    }
  },
  {
    name: "edit a title",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "e")
      await dialogOpen(page, /Edit/)
      await pressKeys(page, "Control+a")
      await type(page, "Another title")
      await pressKeys(page, "Control+Enter")
      await becomes(link.id, ({ title }) => title === "Another title")
      await standsOn(page, link.id)
    }
  },
  {
    name: "read a page again",
    run: async (page) => {
      await goTo(page, await some())
      const asked = page.waitForRequest("**/api/action")
      await pressKeys(page, "r")
      expect((await asked).postDataJSON()).toMatchObject({ action: "refresh" })
    }
  },
  {
    name: "delete a link",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "Delete")
      await until(async () => (await linkOf(link.id)) === undefined)
    }
  },
  {
    name: "undo and redo a change",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "f")
      await becomes(link.id, ({ favorite }) => favorite !== link.favorite)
      await pressKeys(page, "Control+z")
      await becomes(link.id, ({ favorite }) => favorite === link.favorite)
      await pressKeys(page, "Control+Shift+z")
      await becomes(link.id, ({ favorite }) => favorite !== link.favorite)
    }
  },
  {
    name: "undo one change out of the history",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await pressKeys(page, "f", "s", "h")
      await page.locator(".history-step").nth(1).waitFor()
      await becomes(link.id, ({ shareable }) => shareable !== link.shareable)
      // The close button and the latest change come before it.
      await pressKeys(page, "Tab", "Tab", "Tab", "Enter")
      await becomes(
        link.id,
        ({ favorite, shareable }) => favorite === link.favorite && shareable !== link.shareable
      )
    }
  },
  {
    name: "select three links and favorite them",
    run: async (page) => {
      const three = (await links("limit=3")).map(({ id }) => id)
      await pressKeys(page, "j", "x", "j", "x", "j", "x")
      await page.locator(".bulk-count", { hasText: "3 selected" }).waitFor()
      await pressKeys(page, "f")
      await until(async () =>
        (await links("limit=3")).every(({ favorite, id }) => favorite && three.includes(id))
      )
    }
  },
  {
    name: "select a range",
    run: async (page) => {
      await pressKeys(page, "j", "x", "j", "j", "j", "Shift+X")
      await page.locator(".bulk-count", { hasText: "4 selected" }).waitFor()
    }
  },
  {
    name: "share the selection with the bar at the bottom",
    run: async (page) => {
      await pressKeys(page, "j", "x")
      await page.getByRole("toolbar").waitFor()
      // The list is one stop of the Tab key, so the bar is the next one.
      await pressKeys(page, "Tab")
      expect(await focusedName(page)).toMatch(/^(Favorite|Unfavorite)$/)
      const asked = page.waitForRequest("**/mutate")
      await pressKeys(page, "ArrowRight", "Enter")
      expect((await asked).postDataJSON()).toMatchObject({ op: "shareable" })
    }
  },
  {
    name: "select all links of the page",
    run: async (page) => {
      await pressKeys(page, "j", "Control+a")
      await page.locator(".bulk-count", { hasText: /^\d\d selected/ }).waitFor()
      await pressKeys(page, "Escape")
      await page.locator(".bulk").waitFor({ state: "detached" })
    }
  },
  {
    name: "open a link's menu and show similar links",
    run: async (page) => {
      const link = await some()
      await goTo(page, link)
      await findInCard(page, `More for ${link.title}`)
      await pressKeys(page, "Enter")
      await dialogOf(page).waitFor()
      for (let turn = 0; turn < 15 && (await focusedName(page)) !== "Show similar links"; turn++)
        await pressKeys(page, "Tab")
      await pressKeys(page, "Enter")
      await until(() => params(page).get("like") === String(link.id))
    }
  },
  {
    name: "follow a link's label",
    run: async (page) => {
      const link = (await links()).find(({ category }) => category !== "unsorted") ?? (await some())
      await goTo(page, link)
      await findInCard(page, link.category)
      await pressKeys(page, "Enter")
      await until(() => params(page).get("category") === link.category)
    }
  },
  {
    name: "filter the sidebar and narrow the view",
    run: async (page) => {
      const [{ name } = { name: "" }] = (await counts()).tags
      await pressKeys(page, "g", "f")
      await until(() => params(page).get("favorite") === "true")
      await pressKeys(page, "Shift+F")
      await type(page, name)
      await page
        .locator(".sidebar .section .entry", { hasText: `#${name}` })
        .first()
        .waitFor()
      await pressKeys(page, "ArrowDown")
      for (let turn = 0; turn < 20 && !(await focusedName(page))?.startsWith(`#${name}`); turn++)
        await pressKeys(page, "Tab")
      await pressKeys(page, "Enter")
      await until(() => params(page).get("tag") === name && params(page).get("favorite") === "true")
    }
  },
  {
    name: "go to a view",
    run: async (page) => {
      for (const [key, name] of [
        ["f", "favorite"],
        ["s", "shareable"],
        ["i", "collection"]
      ] as const) {
        await pressKeys(page, "g", key)
        await until(() => params(page).has(name))
      }
    }
  },
  {
    name: "show rows instead of cards",
    run: async (page) => {
      await pressKeys(page, "Shift+D")
      await page.locator('.card[data-density="rows"]').first().waitFor()
    }
  },
  {
    name: "change the theme",
    run: async (page) => {
      await command(page, "theme")
      await page.locator("html[data-theme=light]").waitFor()
    }
  },
  {
    name: "add a link",
    run: async (page) => {
      await pressKeys(page, "a")
      await dialogOpen(page, "Add a link")
      await type(page, pageCalled("Added by keyboard"))
      await pressKeys(page, "Enter")
      await until(async () => (await links()).some(({ title }) => title === "Added by keyboard"), 20)
      await gone(page)
    }
  },
  {
    name: "export the library",
    run: async (page) => {
      await command(page, "export")
      await dialogOpen(page, "Export")
      for (let turn = 0; turn < 8 && !(await focusedName(page))?.includes("JSON"); turn++)
        await pressKeys(page, "Tab")
      const download = page.waitForEvent("download")
      await pressKeys(page, "Enter")
      expect((await download).suggestedFilename()).toEndWith(".json")
    }
  },
  {
    name: "find duplicates",
    run: async (page) => {
      await command(page, "duplicates")
      await page.waitForURL("**/dashboard/duplicates")
    }
  },
  {
    name: "open a collection from the palette",
    run: async (page) => {
      const [{ id, name } = { id: 0, name: "" }] = (await counts()).collections
      await command(page, name)
      await until(() => params(page).get("collection") === String(id))
    }
  },
  {
    name: "read the shortcuts and turn single keys off",
    run: async (page) => {
      await pressKeys(page, "?")
      await dialogOpen(page, "Keyboard shortcuts")
      const box = page.getByRole("checkbox", { name: "Single keys are commands" })
      for (let turn = 0; turn < 5 && !(await box.evaluate((it) => it === document.activeElement)); turn++)
        await pressKeys(page, "Tab")
      await pressKeys(page, "Space", "Escape")
      await gone(page)
      await pressKeys(page, "a")
      await page.waitForTimeout(100)
      expect(await dialogOf(page).count()).toBe(0)
    }
  }
]

describe("with the keyboard alone, one can", () => {
  for (const { name, run } of tasks) test(name, () => look((page) => run(page)))
})

describe("the list", () => {
  test("is one stop of the Tab key, at the current link", () =>
    look(async (page) => {
      const stops = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>(".links :is(a, button, input, [tabindex])")]
            .filter(({ tabIndex }) => tabIndex >= 0)
            .map(({ id }) => id)
        )
      const [first, second] = await links("limit=2")
      expect(await stops()).toEqual([`link-${first?.id}`])
      await pressKeys(page, "j", "j")
      await standsOn(page, second?.id)
      expect(await stops()).toEqual([`link-${second?.id}`])
      // Also among the cards that scrolling shows, far from the current one.
      await page.evaluate(() => scrollTo(0, 3_000))
      await page.waitForTimeout(200)
      expect((await stops()).length).toBe(1)
    }))

  test("leads into a card with the arrow keys, and out with Escape", () =>
    look(async (page) => {
      const [, link, next] = await links("limit=3")
      await goTo(page, link ?? { id: 0 })
      await pressKeys(page, "ArrowRight")
      expect(await focusedName(page)).toBe("Favorite")
      await pressKeys(page, "F2")
      expect(await focusedName(page)).toBe("Share on the public list")
      await pressKeys(page, "ArrowLeft", "ArrowLeft", "ArrowRight")
      expect(await focusedName(page)).toBe("Favorite")
      await pressKeys(page, "Escape")
      await standsOn(page, link?.id)
      await pressKeys(page, "ArrowRight", "ArrowDown")
      await standsOn(page, next?.id)
    }))
})
