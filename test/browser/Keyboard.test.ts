import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Link } from "../../web/app/api.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { visit } from "./support/browser.ts"
import {
  confirmTrash,
  dialogOf,
  FIRST,
  focusedCard,
  gone,
  menuOf,
  pressKeys,
  searchedFor,
  standsOn
} from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)
const journey = journeyOf(library)

/**
 * Goes to the first link with keys, wherever the page stands. In a page that tests share it may be the current link
 * without having the focus, which `g g` would not change: then a step first moves the focus into the list.
 */
const goToFirst = async (page: Page) => {
  const first = page.locator('.links-item[aria-posinset="1"] .card')
  const isCurrent = () => first.evaluate(({ tabIndex }) => tabIndex === 0)
  const hasFocus = () => first.evaluate((card) => card === document.activeElement)
  if ((await isCurrent()) && !(await hasFocus())) {
    await pressKeys(page, "j")
    await until(async () => (await focusedCard(page)) > 0)
  }
  await pressKeys(page, "g", "g")
  await until(hasFocus)
}

describe("keyboard", () => {
  const { fresh, linkOf, links, lookAt: look } = journey

  const ids = async (count: number) => (await links(`limit=${count}`)).map(({ id }) => id)
  const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })
  const selected = (page: Page) => page.locator(".card[data-selected=true]").count()
  const selectedAre = (page: Page, count: number) => until(async () => (await selected(page)) === count)

  describe("keys", () => {
    test("j, k and the arrows move the focus along the list", () =>
      look(async (page) => {
        const [first, second, third] = await ids(3)
        await goToFirst(page)
        await standsOn(page, first)
        await pressKeys(page, "j", "ArrowDown")
        await standsOn(page, third)
        await pressKeys(page, "k")
        await standsOn(page, second)
        await pressKeys(page, "ArrowUp", "k")
        await standsOn(page, first)
      }))

    long(test)("search for a link and delete it without a mouse", () =>
      look(async (page) => {
        const [{ id, title } = { id: 0, title: "" }] = (await links()).filter(
          (link) => link.enrichment !== "pending" && /^\w{4,}[^"]*$/.test(link.title)
        )
        await pressKeys(page, "/")
        await page.keyboard.type(`"${title}"`)
        await pressKeys(page, "Enter")
        // The list from before the search may hold the link too, in another place.
        await until(() => searchedFor(page) === `"${title}"`)
        await page.locator('.library[aria-busy="false"]').waitFor()
        await pressKeys(page, "ArrowDown")
        for (let turn = 0; turn < 20 && (await focusedCard(page)) !== id; turn++) await pressKeys(page, "j")
        await standsOn(page, id)
        await pressKeys(page, "#")
        await confirmTrash(page)
        await page.locator(`#link-${id}`).waitFor({ state: "detached" })
        await until(async () => (await linkOf(id)) === undefined)
      })
    )

    test("g g goes to the first link, G to the last loaded one", () =>
      look(async (page) => {
        const all = await ids(1_000)
        await pressKeys(page, "Shift+G")
        await until(async () => {
          const at = await page.evaluate(() => Number(document.activeElement?.id.replace("link-", "")))
          return all.indexOf(at) >= FIRST - 1
        })
        await pressKeys(page, "g", "g")
        await standsOn(page, all[0])
      }))

    long(test)("o and Enter open the link in a new tab without an opener", () =>
      fresh(async (page) => {
        const link = (await links("limit=1"))[0]
        await page.context().route(`${link?.url}**`, (route) => route.abort())
        await page.evaluate(() => {
          window.open = (...given) => {
            document.title = JSON.stringify(given)
            return null
          }
        })
        for (const key of ["o", "Enter"]) {
          await page.evaluate(() => {
            document.title = ""
          })
          await pressKeys(page, ...(key === "o" ? ["g", "g", key] : [key]))
          const opened = JSON.stringify([link?.url, "_blank", "noopener,noreferrer"])
          await until(async () => (await page.title()) === opened)
        }
      })
    )

    long(test)("Enter on a button presses the button", () =>
      fresh(async (page) => {
        await page.evaluate(() => {
          window.open = () => {
            document.title = "opened"
            return null
          }
        })
        await pressKeys(page, "j")
        await page.locator(".card").first().getByRole("button", { name: "File in a collection…" }).focus()
        await pressKeys(page, "Enter")
        await page.getByRole("dialog").waitFor()
        expect(await page.title()).not.toBe("opened")
      })
    )

    test("a key acts on the link that was current when it was pressed, if the actions load only then", async () =>
      visit({ ...(await library().owner()), isFirst: true }, async (page) => {
        const [first = 0, second = 0] = await ids(2)
        const loading = Promise.withResolvers<void>()
        await page.route("**/app/later-*.css", async (route) => {
          await loading.promise
          await route.continue()
        })
        await page.goto("/dashboard")
        await page.locator(`#link-${first}`).focus()
        const before = await linkOf(first)
        await pressKeys(page, "f")
        await page.locator(`#link-${second}`).focus()
        await pressKeys(page, "j")
        loading.resolve()
        await until(async () => (await linkOf(first))?.favorite !== before?.favorite)
        await standsOn(page, (await ids(3))[2])
      }))

    test("f, s and z favorite, share and undo", () =>
      fresh(async (page) => {
        const id = (await links("limit=10")).findIndex(({ favorite, shareable }) => !favorite && !shareable)
        const link = (await links("limit=10"))[id]
        await goToFirst(page)
        for (let at = 0; at < id; at++) await pressKeys(page, "j")
        await standsOn(page, link?.id)
        await pressKeys(page, "f")
        await until(async () => (await linkOf(link?.id ?? 0))?.favorite)
        await page.locator(".toast", { hasText: "favorite" }).waitFor()
        await pressKeys(page, "z")
        await until(async () => (await linkOf(link?.id ?? 0))?.favorite === false)
        await page.locator(".toast", { hasText: "Undone" }).waitFor()
        await pressKeys(page, "s")
        await until(async () => (await linkOf(link?.id ?? 0))?.shareable)
        await pressKeys(page, "s")
        await until(async () => (await linkOf(link?.id ?? 0))?.shareable === false)
      }))

    test("c, m, t, a and ? open their dialogs, and Escape returns the focus", () =>
      look(async (page) => {
        const [first] = await ids(1)
        await goToFirst(page)
        await standsOn(page, first)
        for (const key of ["c", "m", "t", "a", "?"]) {
          await pressKeys(page, key)
          await page.locator("dialog[open]").waitFor()
          // A dialog disables the keys behind it; in a field they are text.
          if (key === "?") await pressKeys(page, "j", "x", "Shift+D")
          expect(await page.locator("dialog[open]").count()).toBe(1)
          expect(await selected(page)).toBe(0)
          await pressKeys(page, "Escape")
          await page.locator("dialog[open]").waitFor({ state: "detached" })
          await standsOn(page, first)
        }
      }))

    test("x selects, Shift+x and Shift+arrow extend the selection, Escape clears it", () =>
      look(async (page) => {
        await goToFirst(page)
        await pressKeys(page, "x")
        await selectedAre(page, 1)
        await pressKeys(page, "j", "j", "Shift+X")
        await selectedAre(page, 3)
        await pressKeys(page, "Shift+ArrowDown")
        await selectedAre(page, 4)
        await pressKeys(page, "Escape")
        await selectedAre(page, 0)
        await goToFirst(page)
        await pressKeys(page, "Shift+ArrowDown", "Shift+ArrowDown")
        await selectedAre(page, 3)
      }))

    long(test)("Ctrl+A selects the loaded links if the focus is in the list", () =>
      fresh(async (page) => {
        await page.getByRole("link", { name: "Linkbower" }).focus()
        await pressKeys(page, "Control+a")
        expect(await selected(page)).toBe(0)
        await goToFirst(page)
        await standsOn(page, (await ids(1))[0])
        await pressKeys(page, "Control+a")
        await page.locator(".bulk-count", { hasText: `${FIRST} selected` }).waitFor()
      })
    )

    long(test)("g with a letter opens a view, and Shift+D changes the density", () =>
      look(async (page) => {
        for (const [key, search] of [
          ["i", "?collection=none"],
          ["f", "?favorite=true"],
          ["s", "?shareable=true"],
          ["a", ""]
        ] as const) {
          await pressKeys(page, "g", key)
          await page.waitForURL((url) => url.pathname === "/dashboard" && url.search === search)
        }
        await pressKeys(page, "Shift+D")
        await page.locator('.card[data-density="rows"]').first().waitFor()
      })
    )

    long(test)("/ focuses the search field, where keys are text", () =>
      look(async (page) => {
        await pressKeys(page, "j", "/")
        await page.keyboard.type("fgx#?")
        const field = page.getByRole("combobox", { name: "Search" })
        expect(await field.inputValue()).toBe("fgx#?")
        expect(await page.locator("dialog[open]").count()).toBe(0)
        expect(await selected(page)).toBe(0)
      })
    )

    long(test)("act on no link on a page without links", () =>
      look(async (page) => {
        await page.locator(".card").first().focus()
        await standsOn(page, (await ids(1))[0])
        await page.locator(".sidebar").getByRole("link", { name: "Duplicates" }).click()
        await page.waitForURL("**/dashboard/duplicates")
        await pressKeys(page, "#", "e", "x")
        await page.waitForTimeout(100)
        expect(await page.locator("dialog[open]").count()).toBe(0)
        expect(await page.locator(".bulk").count()).toBe(0)
      })
    )
  })

  describe("the shortcuts sheet", () => {
    test("lists every key", () =>
      look(async (page) => {
        await pressKeys(page, "?")
        const sheet = dialog(page, "Keyboard shortcuts")
        await sheet.waitFor()
        const text = (await sheet.textContent()) ?? ""
        for (const name of [
          "Next link",
          "Favorite",
          "Category…",
          "Delete",
          "Details",
          "Search",
          "Undo",
          "Commands"
        ])
          expect(text).toContain(name)
        // The reader and the list are never shown together, so they may share keys.
        for (const group of await sheet.locator(".shortcuts-groups section").all()) {
          const keys = await group.locator(".keys").allTextContents()
          expect(new Set(keys).size).toBe(keys.length)
        }
      }))

    long(testAccessibility)((device, check) =>
      look(
        async (page) => {
          await pressKeys(page, "?")
          await dialog(page, "Keyboard shortcuts").waitFor()
          await check(page)
        },
        "/dashboard",
        { device }
      )
    )

    long(test)("turns single keys off permanently, except arrows and Ctrl+K", () =>
      look(async (page) => {
        await pressKeys(page, "?")
        await page.getByRole("checkbox", { name: "Single keys are commands" }).uncheck()
        await pressKeys(page, "Escape")
        await page.reload()
        await page.locator(".card").first().waitFor()
        await pressKeys(page, "?", "j", "/", "a", "Shift+D")
        await page.waitForTimeout(100)
        expect(await page.locator("dialog[open]").count()).toBe(0)
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY")
        expect(await page.locator('.card[data-density="rows"]').count()).toBe(0)
        await pressKeys(page, "ArrowDown")
        await standsOn(page, (await ids(1))[0])
        await pressKeys(page, "Control+k")
        await dialog(page, "Commands").waitFor()
      })
    )
  })
})

describe("keyboard tasks", () => {
  const { counts, ended, finished, linkOf, links, look, pageCalled, some } = journey

  /** A task: what somebody wants, with keys alone. */
  interface Task {
    readonly name: string
    /** Whether everyday tests of its part of the app do it too. */
    readonly isElsewhere?: boolean
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
    await goToFirst(page)
    for (let at = 0; at < ids.indexOf(id); at++) await pressKeys(page, "j")
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
      isElsewhere: true,
      run: async (page) => {
        const { title } = await some()
        await pressKeys(page, "/")
        await type(page, `"${title}"`)
        await pressKeys(page, "Enter")
        await until(() => searchedFor(page) === `"${title}"`)
        await page.locator(".view-count", { hasText: /^\d+ links?$/ }).waitFor()
      }
    },
    {
      name: "clear a search",
      isElsewhere: true,
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
      isElsewhere: true,
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
      isElsewhere: true,
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
      isElsewhere: true,
      run: async (page) => {
        const link = await some()
        await goTo(page, link)
        await pressKeys(page, "f")
        await becomes(link.id, ({ favorite }) => favorite !== link.favorite)
      }
    },
    {
      name: "share a link",
      isElsewhere: true,
      run: async (page) => {
        const link = await some()
        await goTo(page, link)
        await pressKeys(page, "s")
        await becomes(link.id, ({ shareable }) => shareable !== link.shareable)
      }
    },
    {
      name: "file a link in a new collection",
      isElsewhere: true,
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
      isElsewhere: true,
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
      isElsewhere: true,
      run: async (page) => {
        const link = await some()
        await goTo(page, link)
        await pressKeys(page, "e")
        await page.getByRole("textbox", { name: "Title" }).waitFor()
        await pressKeys(page, "Control+a")
        await type(page, "Another title")
        await pressKeys(page, "Control+Enter")
        await becomes(link.id, ({ title }) => title === "Another title")
        await standsOn(page, link.id)
      }
    },
    {
      name: "read a page again",
      isElsewhere: true,
      run: async (page) => {
        await goTo(page, await some())
        const answered = page.waitForResponse("**/api/action")
        await pressKeys(page, "r")
        const answer = await answered
        expect(answer.request().postDataJSON()).toMatchObject({ action: "refresh" })
        // What the page says may change the link's labels, which must not happen during a later test.
        await ended((await answer.json()).job.id)
      }
    },
    {
      name: "delete a link",
      isElsewhere: true,
      run: async (page) => {
        const link = await some()
        await goTo(page, link)
        await pressKeys(page, "Delete")
        await dialogOf(page).waitFor()
        await pressKeys(page, "Tab", "Enter")
        await until(async () => (await linkOf(link.id)) === undefined)
      }
    },
    {
      name: "undo and redo a change",
      isElsewhere: true,
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
      isElsewhere: true,
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
      isElsewhere: true,
      run: async (page) => {
        const three = (await links("limit=3")).map(({ id }) => id)
        await goToFirst(page)
        await pressKeys(page, "x", "j", "x", "j", "x")
        await page.locator(".bulk-count", { hasText: "3 selected" }).waitFor()
        await pressKeys(page, "f")
        await until(async () =>
          (await links("limit=3")).every(({ favorite, id }) => favorite && three.includes(id))
        )
      }
    },
    {
      name: "select a range",
      isElsewhere: true,
      run: async (page) => {
        await goToFirst(page)
        await pressKeys(page, "x", "j", "j", "j", "Shift+X")
        await page.locator(".bulk-count", { hasText: "4 selected" }).waitFor()
      }
    },
    {
      name: "share the selection with the bar at the bottom",
      isElsewhere: true,
      run: async (page) => {
        await goToFirst(page)
        await pressKeys(page, "x")
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
      isElsewhere: true,
      run: async (page) => {
        await goToFirst(page)
        await pressKeys(page, "Control+a")
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
        await menuOf(page).waitFor()
        for (let turn = 0; turn < 20 && (await focusedName(page)) !== "Show similar links"; turn++)
          await pressKeys(page, "ArrowDown")
        await pressKeys(page, "Enter")
        await until(() => params(page).get("like") === String(link.id))
      }
    },
    {
      name: "follow a link's label",
      isElsewhere: true,
      run: async (page) => {
        const link = (await finished()).find(({ category }) => category !== "unsorted") ?? (await some())
        await goTo(page, link)
        await findInCard(page, link.category)
        await pressKeys(page, "Enter")
        await until(() => params(page).get("category") === link.category)
      }
    },
    {
      name: "filter the sidebar and narrow the view",
      isElsewhere: true,
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
      isElsewhere: true,
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
      isElsewhere: true,
      run: async (page) => {
        await pressKeys(page, "Shift+D")
        await page.locator('.card[data-density="rows"]').first().waitFor()
      }
    },
    {
      name: "change the theme",
      isElsewhere: true,
      run: async (page) => {
        await command(page, "theme")
        await page.locator("html[data-theme=light]").waitFor()
      }
    },
    {
      name: "add a link",
      isElsewhere: true,
      run: async (page) => {
        await pressKeys(page, "a")
        await dialogOpen(page, "Add a link")
        await type(page, pageCalled("Added by keyboard"))
        await pressKeys(page, "Enter")
        await until(async () => (await links()).some(({ title }) => title === "Added by keyboard"))
        await gone(page)
      }
    },
    {
      name: "export the library",
      isElsewhere: true,
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
      isElsewhere: true,
      run: async (page) => {
        await command(page, "duplicates")
        await page.waitForURL("**/dashboard/duplicates")
      }
    },
    {
      name: "open a collection from the palette",
      isElsewhere: true,
      run: async (page) => {
        const [{ id, name } = { id: 0, name: "" }] = (await counts()).collections
        await command(page, name)
        await until(() => params(page).get("collection") === String(id))
      }
    },
    {
      name: "read the shortcuts and turn single keys off",
      isElsewhere: true,
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
    for (const { isElsewhere = false, name, run } of tasks)
      (isElsewhere ? long(test) : test)(name, () => look((page) => run(page)))
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
        await goToFirst(page)
        expect(await stops()).toEqual([`link-${first?.id}`])
        await pressKeys(page, "j")
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
        expect(await focusedName(page)).toMatch(/favorite/i)
        await pressKeys(page, "F2")
        expect(await focusedName(page)).toMatch(/archive/i)
        await pressKeys(page, "ArrowLeft", "ArrowLeft", "ArrowRight")
        expect(await focusedName(page)).toMatch(/favorite/i)
        await pressKeys(page, "Escape")
        await standsOn(page, link?.id)
        await pressKeys(page, "ArrowRight", "ArrowDown")
        await standsOn(page, next?.id)
      }))
  })
})

describe("palette", () => {
  const { counts, fresh, links, lookAt: look } = journey

  const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })

  describe("the palette", () => {
    const openPalette = async (page: Page) => {
      await pressKeys(page, "Control+k")
      await dialog(page, "Commands").waitFor()
    }
    const active = (page: Page) => page.locator(".palette-option[aria-selected=true] .grow").textContent()
    const activeIs = (page: Page, name: string) => until(async () => (await active(page)) === name)

    test("opens from the search field, shows a command's key and runs the command", () =>
      look(async (page) => {
        await page.getByRole("combobox", { name: "Search" }).focus()
        await openPalette(page)
        await page.keyboard.type("rows")
        await activeIs(page, "Cards or rows")
        expect(await page.locator(".palette-option[aria-selected=true] kbd").allTextContents()).toEqual([
          "Shift",
          "D"
        ])
        await pressKeys(page, "Enter")
        await dialog(page, "Commands").waitFor({ state: "detached" })
        await page.locator('.card[data-density="rows"]').first().waitFor()
      }))

    long(test)("opens another dialog", () =>
      look(async (page) => {
        await openPalette(page)
        await page.keyboard.type("shortc")
        await activeIs(page, "Keyboard shortcuts")
        await pressKeys(page, "Enter")
        await dialog(page, "Keyboard shortcuts").waitFor()
        expect(await page.getByRole("dialog").count()).toBe(1)
      })
    )

    long(test)("offers commands for the focused link only if a link is focused", () =>
      fresh(async (page) => {
        await openPalette(page)
        expect(await page.getByRole("option", { name: /^Delete/ }).count()).toBe(0)
        await pressKeys(page, "Escape")
        await dialog(page, "Commands").waitFor({ state: "detached" })
        await goToFirst(page)
        const [link] = await links("limit=1")
        await standsOn(page, link?.id)
        await openPalette(page)
        await page.keyboard.type("delete")
        await activeIs(page, "Delete…")
        await pressKeys(page, "Enter")
        await confirmTrash(page)
        await page.getByText(`Moved “${link?.title}” to the trash.`).waitFor()
      })
    )

    test("opens a collection and a tag by the beginning of their names", () =>
      look(async (page) => {
        const { collections } = await counts()
        const collection = collections.find(({ name }) => name.includes(" "))
        await openPalette(page)
        await page.keyboard.type(collection?.name.toLowerCase() ?? "")
        await activeIs(page, collection?.name ?? "")
        await pressKeys(page, "Enter")
        await page.waitForURL(`**/dashboard?collection=${collection?.id}`)
        await openPalette(page)
        await page.keyboard.type("open-source")
        await page.locator(".palette-option", { hasText: "#open-source" }).click()
        await page.waitForURL("**/dashboard?tag=open-source")
      }))

    long(test)("finds links while typing, and can continue in the search field", () =>
      look(async (page) => {
        const [link] = await links("q=library&limit=1")
        await openPalette(page)
        await page.keyboard.type("library")
        await page
          .getByRole("group", { name: "Links found" })
          .getByText(link?.title ?? "")
          .first()
          .waitFor()
        expect(await page.getByRole("option").last().textContent()).toBe("Search for “library”")
        await pressKeys(page, "ArrowUp")
        await activeIs(page, "Search for “library”")
        await pressKeys(page, "Enter")
        await page.waitForURL("**/dashboard?q=library")
        expect(await page.getByRole("combobox", { name: "Search" }).inputValue()).toBe("library")
      })
    )

    long(test)("keeps the active option visible and announced", () =>
      look(async (page) => {
        await openPalette(page)
        for (let n = 0; n < 14; n++) await pressKeys(page, "ArrowDown")
        const id = await page
          .getByRole("combobox", { name: "Commands, places and links" })
          .getAttribute("aria-activedescendant")
        const option = page.locator(`#${id}`)
        expect(await option.getAttribute("aria-selected")).toBe("true")
        const [inner, outer] = [await option.boundingBox(), await page.locator(".palette-list").boundingBox()]
        expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual(
          (outer?.y ?? 0) + (outer?.height ?? 0) + 1
        )
        await pressKeys(page, "Control+k")
        await dialog(page, "Commands").waitFor({ state: "detached" })
      })
    )

    testAccessibility((device, check) =>
      look(
        async (page) => {
          await pressKeys(page, "j")
          await openPalette(page)
          await check(page)
          await page.keyboard.type("co")
          await page.getByRole("group", { name: "Links found" }).waitFor()
          await check(page)
        },
        "/dashboard",
        { device }
      )
    )
  })
})
