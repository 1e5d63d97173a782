import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { overflow, testAccessibility } from "./support/accessibility.ts"
import { phone } from "./support/browser.ts"
import { card, countIs, dialogOf, focused, gone, searchedFor, searchField } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { shoot } from "./support/shoot.ts"
import { drawFinger } from "./support/touch.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(60)

describe("finding", () => {
  const journey = journeyOf(library)

  describe("search", () => {
    const { answerTo, counts, lookAt: look } = journey
    const totalOf = async (q: string) => (await answerTo(new URLSearchParams({ q }).toString())).total

    const options = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
    const type = async (page: Page, text: string) => {
      await searchField(page).focus()
      await page.keyboard.type(text)
    }
    const historyLength = (page: Page) => page.evaluate(() => history.length)
    const isFocused = (page: Page) => page.evaluate(() => document.activeElement?.id === "search")

    describe("searching", () => {
      long(test)("searches while typing, marks the words and shows the count", () =>
        look(async (page) => {
          await type(page, "library")
          await countIs(page, await totalOf("library"))
          expect(searchedFor(page)).toBe("library")
          expect((await page.locator(".card mark").first().textContent())?.toLowerCase()).toContain("librar")
        })
      )

      long(test)("creates one history entry for continuous typing", () =>
        look(async (page) => {
          const before = await historyLength(page)
          for (const letter of "library") {
            await type(page, letter)
            await page.waitForTimeout(70)
          }
          await until(() => searchedFor(page) === "library")
          expect(await historyLength(page)).toBe(before + 1)
          await page.keyboard.press("Enter")
          await type(page, " code")
          await until(() => searchedFor(page) === "library code")
          expect(await historyLength(page)).toBe(before + 2)
          await page.goBack()
          await until(async () => (await searchField(page).inputValue()) === "library")
          await page.goBack()
          await until(async () => (await searchField(page).inputValue()) === "")
          await countIs(page, await totalOf(""))
        })
      )

      test("searches at once on Enter, and ignores late responses", () =>
        look(async (page) => {
          await page.route("**/dashboard/api/links?q=l&**", async (route) => {
            await Bun.sleep(600)
            await route.continue().catch(() => undefined)
          })
          await type(page, "l")
          await page.keyboard.press("Enter")
          await until(() => searchedFor(page) === "l")
          await type(page, "ibrary")
          await page.keyboard.press("Enter")
          expect(searchedFor(page)).toBe("library")
          await countIs(page, await totalOf("library"))
          await page.waitForTimeout(800)
          await countIs(page, await totalOf("library"))
        }))

      test("shows what the words find until the meaning is at hand, and keeps the selected link", () =>
        look(async (page) => {
          const whole = Promise.withResolvers<void>()
          await page.route("**/dashboard/api/links?q=library&**", async (route) => {
            const asksAll = !route.request().url().includes("wait=false")
            if (asksAll) await whole.promise
            const response = await route.fetch()
            const body: { links: ReadonlyArray<unknown>; total: number } = await response.json()
            const few = {
              ...body,
              links: body.links.slice(0, 2),
              total: 2,
              nextCursor: null,
              complete: false
            }
            await route.fulfill({ response, json: asksAll ? body : few })
          })
          await type(page, "library")
          await countIs(page, 2)
          await page.keyboard.press("ArrowDown")
          const selected = await page.evaluate(() => document.activeElement?.textContent)
          whole.resolve()
          await countIs(page, await totalOf("library"))
          expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(selected)
        }))

      long(test)("keeps typed spaces and the other filters", () =>
        look(async (page) => {
          await type(page, "go ")
          await until(() => searchedFor(page) === "go ")
          await page.waitForTimeout(150)
          expect(await searchField(page).inputValue()).toBe("go ")
          expect(new URL(page.url()).searchParams.get("favorite")).toBe("true")
        }, "/dashboard?favorite=true")
      )

      test("closes the suggestions, clears the field and leaves it on three Escapes", () =>
        look(async (page) => {
          await type(page, "library ta")
          await options(page).first().waitFor()
          await page.keyboard.press("Escape")
          await options(page).first().waitFor({ state: "detached" })
          expect(await searchField(page).inputValue()).toBe("library ta")
          await page.keyboard.press("Escape")
          expect(await searchField(page).inputValue()).toBe("")
          await until(() => searchedFor(page) === null)
          expect(await isFocused(page)).toBe(true)
          await page.keyboard.press("Escape")
          expect(await isFocused(page)).toBe(false)
        }))

      long(test)("moves the focus from the field to the first result on arrow down", () =>
        look(async (page) => {
          await type(page, "library")
          await countIs(page, await totalOf("library"))
          await page.keyboard.press("ArrowDown")
          const first = (await answerTo("q=library&limit=1")).links[0]
          await until(
            async () => (await page.evaluate(() => document.activeElement?.id)) === `link-${first?.id}`
          )
        })
      )

      long(test)("keeps the focus in the field when the focused link is not among the results", () =>
        look(async (page) => {
          await page.locator(".card").first().focus()
          await type(page, "library")
          await countIs(page, await totalOf("library"))
          await page.waitForTimeout(300)
          expect(await isFocused(page)).toBe(true)
          expect(await searchField(page).inputValue()).toBe("library")
        })
      )

      long(test)("focuses the field if the address asks for it", () =>
        look(async (page) => {
          await page.goto("/dashboard?focus=search")
          await until(() => isFocused(page))
        })
      )

      long(test)("clears the field by its button, and keeps the focus there", () =>
        look(async (page) => {
          await page.getByRole("button", { name: "Clear the search" }).click()
          await until(() => searchedFor(page) === null)
          expect(await isFocused(page)).toBe(true)
        }, "/dashboard?q=library")
      )

      test("says that nothing was found", () =>
        look(async (page) => countIs(page, 0), "/dashboard?q=tag:there-is-no-such-tag"))

      long(testAccessibility)((device, check) =>
        look(
          async (page) => {
            await check(page, "search")
            await type(page, " tag:")
            await options(page).first().waitFor()
            await page.locator('.library[aria-busy="true"]').waitFor({ state: "detached" })
            await check(page)
          },
          "/dashboard?q=is:favorite%20-site:example.org&category=go",
          { device }
        )
      )
    })

    describe("completing an operator", () => {
      test("offers names, then values by count, and searches for complete values only", () =>
        look(async (page) => {
          await type(page, "ta")
          // The first keystroke loads the completions.
          await options(page).first().waitFor()
          expect(await options(page).allTextContents()).toEqual(["tag:with a tag"])
          await until(() => searchedFor(page) === "ta")
          await page.keyboard.press("Tab")
          expect(await searchField(page).inputValue()).toBe("tag:")
          const [first] = (await counts()).tags
          await until(
            async () => (await options(page).first().textContent()) === `${first?.name}${first?.count}`
          )
          await page.keyboard.type(first?.name.slice(0, 3) ?? "")
          await page.waitForTimeout(200)
          expect(searchedFor(page)).toBeNull()
          await page.keyboard.press("Enter")
          expect(await searchField(page).inputValue()).toBe(`tag:${first?.name} `)
          await countIs(page, first?.count ?? 0)
          await page.keyboard.type("zz")
          await until(() => searchedFor(page) === `tag:${first?.name} zz`)
        }))

      long(test)("quotes a collection's name, and accepts it by a click", () =>
        look(async (page) => {
          const spaced = (await counts()).collections.find(({ name }) => name.includes(" "))
          await type(page, `collection:${spaced?.name.slice(0, 4)}`)
          await page
            .getByRole("option", { name: spaced?.name ?? "" })
            .first()
            .click()
          expect(await searchField(page).inputValue()).toBe(`collection:"${spaced?.name}" `)
          expect(await isFocused(page)).toBe(true)
          await countIs(page, spaced?.count ?? 0)
        })
      )

      long(test)("offers sites of the shown links, states, and dates in words", () =>
        look(async (page) => {
          await type(page, "site:git")
          await until(async () => /^github\.com\d+/.test((await options(page).allTextContents()).join()))
          await searchField(page).fill("")
          await type(page, "-is:sh")
          const states = ["sharedon the public list", "shareableshared by itself"]
          await until(async () => (await options(page).allTextContents()).join() === states.join())
          await page.keyboard.press("Enter")
          await countIs(page, await totalOf("-is:shared"))
          await searchField(page).fill("")
          await type(page, "after:mo")
          const date = options(page).filter({ hasText: /^\d{4}-\d\d-\d\da month ago$/ })
          const text = (await date.first().textContent()) ?? ""
          await page.keyboard.press("Enter")
          await countIs(page, await totalOf(`after:${text.slice(0, 10)}`))
        })
      )

      test("follows the arrows, and announces the active option", () =>
        look(async (page) => {
          const active = async () => {
            const id = await searchField(page).getAttribute("aria-activedescendant")
            return id === null ? "" : await page.locator(`#${id}`).textContent()
          }
          await type(page, "co")
          await options(page).first().waitFor()
          expect(await active()).toBe("")
          await page.keyboard.press("ArrowDown")
          expect(await active()).toBe("collection:in a collection")
          await page.keyboard.press("ArrowUp")
          expect(await active()).toBe("collection:in a collection")
          expect(await searchField(page).getAttribute("aria-expanded")).toBe("true")
          await page.keyboard.press("Escape")
          expect(await searchField(page).getAttribute("aria-expanded")).toBe("false")
        }))

      long(test)("searches for a word that only looks like an operator", () =>
        look(async (page) => {
          await type(page, "be")
          await options(page).first().waitFor()
          await page.keyboard.press("Enter")
          await until(() => searchedFor(page) === "be")
          expect(await searchField(page).inputValue()).toBe("be")
        })
      )
    })
  })

  describe("filters", () => {
    const { answerTo, counts, lookAt: look } = journey
    const totalOf = async (q: string) => (await answerTo(new URLSearchParams({ q }).toString())).total

    const chip = (page: Page, label: string) => page.getByRole("button", { name: `Remove filter ${label}` })

    describe("active filters", () => {
      test("are chips, from the address and the search text, and are removed one by one", () =>
        look(async (page) => {
          // The header names the category.
          await page.getByRole("heading", { level: 1, name: "go" }).waitFor()
          expect(await page.locator(".chip-text").allTextContents()).toEqual([
            "favorite",
            "tag: open-source",
            "not site: example.org"
          ])
          await chip(page, "tag: open-source").click()
          await until(() => searchedFor(page) === "the -site:example.org")
          expect(await searchField(page).inputValue()).toBe("the -site:example.org")
          await until(
            async () =>
              (await page.evaluate(() => document.activeElement?.textContent)) ===
              "Remove filter not site: example.org"
          )
          await page.getByRole("button", { name: "Clear all" }).click()
          await page.waitForURL((url) => url.search === "?q=the&category=go")
          await countIs(page, await totalOf("the category:go"))
          expect(await page.locator(".chip").count()).toBe(0)
          expect(await page.getByRole("button", { name: "Clear all" }).count()).toBe(0)
        }, "/dashboard?q=the+tag:open-source+-site:example.org&category=go&favorite=true"))

      long(test)("show a choice as one chip, and say what was not understood", () =>
        look(async (page) => {
          expect(await page.locator(".chip-text").allTextContents()).toEqual([
            "(tag:open-source or is:favorite)"
          ])
          await countIs(page, await totalOf("the (tag:open-source or is:favorite) is:old"))
          expect(await page.locator(".search-notice").allTextContents()).toEqual([
            "unknown operator is:old, searched as words"
          ])
          await shoot(page, "search-notice")
          await chip(page, "(tag:open-source or is:favorite)").click()
          await until(() => searchedFor(page) === "the is:old")
          await searchField(page).fill("the")
          await countIs(page, await totalOf("the"))
          expect(await page.locator(".search-notice").count()).toBe(0)
        }, "/dashboard?q=the+(tag:open-source+or+is:favorite)+is:old")
      )

      long(test)("fit a narrow screen, even with long names", () =>
        look(
          async (page) => {
            const name = "a".repeat(80)
            await chip(page, `collection: ${name}`).waitFor()
            const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
            expect(await widths()).toEqual([320, 320])
            const before = (await searchField(page).boundingBox())?.width ?? 0
            await searchField(page).focus()
            expect((await searchField(page).boundingBox())?.width).toBeGreaterThan(before)
            expect(await widths()).toEqual([320, 320])
          },
          `/dashboard?q=collection:${"a".repeat(80)}+tag:${"b".repeat(30)}`,
          { device: { ...phone, viewport: { width: 320, height: 640 } } }
        )
      )

      long(test)("are not what the header names: a collection, unfiled links, similar links", async () => {
        const [collection] = (await counts()).collections
        const link = (await answerTo("q=library&limit=1")).links[0]
        for (const [filter, name] of [
          [`collection=${collection?.id}`, collection?.name ?? ""],
          ["collection=none", "Unfiled"],
          [`like=${link?.id}`, "Similar links"]
        ] as const)
          await look(async (page) => {
            await page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
            expect(await chip(page, "").count()).toBe(0)
          }, `/dashboard?${filter}`)
      })

      long(test)("return the focus to the list when the last one is removed", () =>
        look(async (page) => {
          await chip(page, "favorite").click()
          await until(() => !page.url().includes("favorite"))
          expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
        }, "/dashboard?q=is:favorite")
      )
    })
  })
})

describe("on a phone", () => {
  const { linkOf, links, look } = journeyOf(library)

  const bar = (page: Page) => page.getByRole("navigation", { name: "Actions" })
  const press = (page: Page, name: string) => bar(page).getByRole("button", { name, exact: true }).tap()
  const lookOnPhone = (body: (page: Page) => Promise<unknown>) => look(body, { device: phone })

  /** The second link of the list, and a finger on the middle of its card. */
  const onCard = async (page: Page) => {
    const [, link] = await links("limit=2")
    if (link === undefined) throw new Error("there is no link")
    // The swipes are part of what the first interaction loads, as dialogs are.
    await press(page, "More")
    await dialogOf(page).waitFor()
    await page.keyboard.press("Escape")
    await gone(page)
    const box = await card(page, link.id).boundingBox()
    return { link, from: { x: 195, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 } }
  }

  describe("the bar at the bottom", () => {
    test("opens the library, the search, the form and the menu", () =>
      lookOnPhone(async (page) => {
        await press(page, "Library")
        await page.getByRole("dialog", { name: "Library" }).waitFor()
        await page.keyboard.press("Escape")
        await gone(page)
        await press(page, "Search")
        expect(await searchField(page).evaluate((field) => field === document.activeElement)).toBe(true)
        await press(page, "Add")
        await page.getByRole("dialog", { name: "Add a link" }).waitFor()
        await page.keyboard.press("Escape")
        await gone(page)
        await press(page, "More")
        await page.getByRole("dialog", { name: "More" }).getByRole("button", { name: "Cards or rows" }).tap()
        await page.locator('.card[data-density="rows"]').first().waitFor()
      }))

    long(test)("is on phones only, and within their safe area", () =>
      look(async (page) => {
        expect(await bar(page).isVisible()).toBe(false)
        await page.setViewportSize({ width: 600, height: 800 })
        await bar(page).waitFor()
        const box = await bar(page).boundingBox()
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(800)
      })
    )

    long(test)("covers no link at the end of the list", () =>
      lookOnPhone(async (page) => {
        const last = (await links()).at(-1)?.id ?? 0
        for (let turn = 0; turn < 60 && (await card(page, last).count()) === 0; turn++) {
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
          await page.waitForTimeout(50)
        }
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        await page.waitForTimeout(300)
        const end = await card(page, last).boundingBox()
        const top = await bar(page).boundingBox()
        expect((end?.y ?? Number.NaN) + (end?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0)
      })
    )
  })

  describe("selecting on a phone", () => {
    long(test)("takes a tap anywhere on a card, until it is ended", () =>
      lookOnPhone(async (page) => {
        const [first, second] = await links("limit=2")
        await press(page, "Select")
        await card(page, first?.id ?? 0)
          .getByRole("link")
          .first()
          .tap()
        await card(page, second?.id ?? 0)
          .locator(".card-source")
          .tap()
        await page.locator(".bulk-count", { hasText: "2 selected" }).waitFor()
        await card(page, second?.id ?? 0)
          .locator(".card-source")
          .tap()
        await page.locator(".bulk-count", { hasText: "1 selected" }).waitFor()
        await page.getByRole("toolbar").getByRole("button", { name: "Clear" }).tap()
        await bar(page).waitFor()
        expect(await page.locator("[data-selecting]").count()).toBe(0)
        await press(page, "Select")
        await press(page, "Cancel")
        expect(await page.locator("[data-selecting]").count()).toBe(0)
      })
    )
  })

  describe("a swipe", () => {
    test("to the right favorites the link, after saying so", () =>
      lookOnPhone(async (page) => {
        const { from, link } = await onCard(page)
        const finger = await drawFinger(page, from, { ...from, x: from.x + 110 })
        const item = page.locator('.card[data-swipe="favorite"][data-acts="true"]')
        await item.waitFor()
        expect(await item.getAttribute("data-hint")).toBe(link.favorite ? "Unfavorite" : "Favorite")
        await finger.lift()
        await until(async () => (await linkOf(link.id))?.favorite === !link.favorite)
        await item.waitFor({ state: "detached" })
      }))

    long(test)("to the left files the link", () =>
      lookOnPhone(async (page) => {
        const { from } = await onCard(page)
        const finger = await drawFinger(page, from, { ...from, x: from.x - 110 })
        await page.locator('.card[data-swipe="file"]').waitFor()
        await finger.lift()
        await page.getByRole("dialog", { name: "File in a collection" }).waitFor()
      })
    )

    long(test)("that is short or goes down does nothing", () =>
      lookOnPhone(async (page) => {
        const { from, link } = await onCard(page)
        for (const to of [
          { ...from, x: from.x + 40 },
          { ...from, y: from.y - 150 }
        ])
          await (await drawFinger(page, from, to)).lift()
        await page.waitForTimeout(150)
        expect(await page.locator("[data-swipe]").count()).toBe(0)
        expect(await dialogOf(page).count()).toBe(0)
        expect((await linkOf(link.id))?.favorite).toBe(link.favorite)
      })
    )
  })

  describe("a phone", () => {
    test("of 320 pixels never scrolls sideways", () =>
      look(
        async (page) => {
          const fits = async () => expect(await page.evaluate(overflow)).toBe(0)
          await fits()
          await press(page, "More")
          await dialogOf(page).waitFor()
          await fits()
          await page.keyboard.press("Escape")
          await gone(page)
          await press(page, "Select")
          await page.locator(".card").first().tap()
          await page.locator(".bulk").waitFor()
          await fits()
          expect(await focused(page)).not.toBeUndefined()
        },
        { device: { ...phone, viewport: { width: 320, height: 640 } } }
      ))

    long(testAccessibility)(
      (device, check) =>
        look(
          async (page) => {
            if (device === phone) {
              await press(page, "More")
              await dialogOf(page).waitFor()
              await check(page, "more")
              await page.keyboard.press("Escape")
            }
            await page.keyboard.press("Control+k")
            await dialogOf(page).waitFor()
            await page.keyboard.type("select links")
            await page.keyboard.press("Enter")
            await page.locator("[data-selecting]").waitFor()
            await check(page, "selecting")
          },
          { device }
        ),
      "while selecting"
    )
  })
})
