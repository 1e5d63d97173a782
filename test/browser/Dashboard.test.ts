import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Link } from "../../web/app/api.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { overflow, testAccessibility } from "./support/accessibility.ts"
import { phone, visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import {
  card,
  confirmTrash,
  FIRST,
  focused,
  isLive,
  pressKeys,
  pressOn,
  scrollDown
} from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"
import { wireTo } from "./support/wire.ts"

const library = useLibrary(120)

describe("selection", () => {
  const SIZE = 120

  const { fresh, links, look } = journeyOf(library)
  const first = async (count: number) => (await links()).slice(0, count)

  const box = (page: Page, id: number) => card(page, id).getByRole("checkbox")
  const bar = (page: Page) => page.getByRole("toolbar")
  const command = (page: Page, name: string | RegExp) => bar(page).getByRole("button", { name, exact: true })
  const count = (page: Page, text: string) => page.locator(".bulk-count", { hasText: text }).waitFor()
  const selectFirst = async (page: Page, number: number) => {
    const chosen = await first(number)
    for (const [at, { id }] of chosen.entries()) {
      await card(page, id).focus()
      await page.keyboard.press("x")
      // The first key loads the action, which is then about the card that has the focus.
      await count(page, `${at + 1} selected`)
    }
    return chosen.map(({ id }) => id)
  }

  describe("selecting", () => {
    long(test)("toggles with x and ends with Escape, which returns the focus to the list", () =>
      look(async (page) => {
        const [, second = 0] = await selectFirst(page, 2)
        await page.keyboard.press("x")
        await count(page, "1 selected")
        await bar(page).getByRole("button").first().focus()
        await page.keyboard.press("Escape")
        await bar(page).waitFor({ state: "detached" })
        expect(await page.evaluate(() => document.activeElement?.id)).toBe(`link-${second}`)
      })
    )

    test("selects a range with a shift-click", () =>
      look(async (page) => {
        const ids = (await first(5)).map(({ id }) => id)
        await card(page, ids[0] ?? 0).hover()
        await box(page, ids[0] ?? 0).click()
        await card(page, ids[4] ?? 0).hover()
        await box(page, ids[4] ?? 0).click({ modifiers: ["Shift"] })
        await count(page, "5 selected")
        for (const id of ids) expect(await box(page, id).isChecked()).toBe(true)
      }))

    test("extends to all matching links, and undoes a change of all of them", () =>
      fresh(async (page) => {
        await card(page, (await first(1))[0]?.id ?? 0).focus()
        await page.keyboard.press("ControlOrMeta+a")
        await count(page, `${FIRST} selected`)
        await page.getByRole("button", { name: `Select all ${SIZE} matching` }).click()
        await count(page, `${SIZE} selected`)
        const before = (await links()).filter(({ favorite }) => favorite).map(({ id }) => id)
        await command(page, "Favorite").click()
        await until(async () => (await links()).every(({ favorite }) => favorite))
        await command(page, "Unfavorite").waitFor()
        await page.getByRole("button", { name: "Undo" }).click()
        await until(async () => (await links()).filter(({ favorite }) => favorite).length === before.length)
        expect((await links()).filter(({ favorite }) => favorite).map(({ id }) => id)).toEqual(before)
      }))

    long(test)("of all matching links can be stopped, and reports a failure", () =>
      look(async (page, problems) => {
        problems.expect(/status of 503/)
        await card(page, (await first(1))[0]?.id ?? 0).focus()
        await page.keyboard.press("ControlOrMeta+a")
        const all = page.getByRole("button", { name: `Select all ${SIZE} matching` })
        const { promise, resolve } = Promise.withResolvers<void>()
        await page.route("**/api/links?*limit=1000*", async (route) => {
          await promise
          await route.fulfill({ status: 503, json: { error: "unavailable", message: "Not at the moment." } })
        })
        await all.waitFor()
        // The links that the page has loaded: an earlier test may have had more of them than the first ones.
        const loaded = (await page.locator(".bulk-count").textContent()) ?? ""
        await all.click()
        await page.getByRole("progressbar", { name: "Selecting all matching" }).waitFor()
        await page.getByRole("button", { name: "Stop" }).click()
        await all.waitFor()
        resolve()
        await all.click()
        await page.getByText("Could not select all of them. Not at the moment.").waitFor()
        await count(page, loaded)
      })
    )
  })

  describe("the selection bar", () => {
    test("files, categorizes and shares the selected links", () =>
      look(async (page) => {
        const ids = await selectFirst(page, 3)
        const all = async (is: (link: Link) => boolean) =>
          until(async () => (await links()).filter(({ id }) => ids.includes(id)).every(is))
        await command(page, "File in…").click()
        await page.keyboard.type("Put together")
        await page.keyboard.press("Enter")
        await all(({ collection }) => collection?.name === "Put together")
        await command(page, "Category…").click()
        await page.keyboard.type("Odds and ends")
        await page.keyboard.press("Enter")
        await all(({ category }) => category === "odds and ends")
        const shared =
          (await links()).filter(({ id, shareable }) => shareable && ids.includes(id)).length === 3
        await command(page, shared ? "Make private" : "Share").click()
        await all(({ shareable }) => shareable !== shared)
        await command(page, shared ? "Share" : "Make private").click()
        await all(({ shareable }) => shareable === shared)
      }))

    long(test)("moves the selected links to the trash, and moves the focus to the next one", () =>
      look(async (page) => {
        const ids = await selectFirst(page, 2)
        await command(page, "Delete…").click()
        await confirmTrash(page)
        await page.getByText("Moved 2 links to the trash.").waitFor()
        expect((await links()).filter(({ id }) => ids.includes(id))).toEqual([])
        expect(await bar(page).count()).toBe(0)
        expect(await page.evaluate(() => document.activeElement?.className)).toBe("card")
      })
    )

    long(test)("changes the state of the selected links", () =>
      look(async (page) => {
        const ids = await selectFirst(page, 2)
        await command(page, "Mark as…").click()
        await page.getByRole("button", { name: "Mark as read" }).click()
        await page.getByText("Marked 2 links as read.").waitFor()
        expect((await links()).filter(({ id }) => ids.includes(id)).map(({ state }) => state)).toEqual([
          "read",
          "read"
        ])
        expect(
          await card(page, ids[0] ?? 0)
            .getByRole("img", { name: "Unread" })
            .count()
        ).toBe(0)
      })
    )

    long(test)("refreshes up to twenty links, one after another", () =>
      look(async (page) => {
        const ids = await selectFirst(page, 2)
        const asked: Array<unknown> = []
        page.on("request", (request) => {
          if (request.url().endsWith("/action")) asked.push(request.postDataJSON())
        })
        await command(page, "Refresh").click()
        await page.getByText("Read 2 pages again.").waitFor({ timeout: 30_000 })
        expect(asked).toEqual(ids.map((id) => ({ action: "refresh", id })))
        await card(page, ids[0] ?? 0).focus()
        await page.keyboard.press("ControlOrMeta+a")
        await command(page, "Refresh").click()
        await page.getByText("Up to 20 pages can be read again at once.").waitFor()
        expect(asked.length).toBe(2)
      })
    )

    for (const clipboard of ["there", "missing"] as const)
      long(test)(`copies addresses and a Markdown list, clipboard API ${clipboard}`, () =>
        look(async (page) => {
          const chosen = await first(2)
          await selectFirst(page, 2)
          if (clipboard === "missing")
            await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }))
          const copy = async (name: string) => {
            await command(page, "Copy").click()
            await page.getByRole("button", { name }).click()
            await page.getByText("Copied 2 links.").last().waitFor()
          }
          await copy("As plain addresses")
          expect(await clipboardText(page)).toBe(chosen.map(({ url }) => `${url}\n`).join(""))
          await copy("As a Markdown list")
          await until(async () => /^- \[.*\n- \[.*\n$/.test(await clipboardText(page)))
        })
      )

    long(test)("is one tab stop, with arrow keys inside", () =>
      look(async (page) => {
        await selectFirst(page, 1)
        expect(await bar(page).locator("button[tabindex='0']").count()).toBe(1)
        await bar(page).getByRole("button").first().focus()
        await page.keyboard.press("ArrowLeft")
        expect(await focused(page)).toBe("Clear")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("ArrowRight")
        expect(await focused(page)).toMatch(/^(Share|Make private)$/)
        await page.keyboard.press("End")
        await page.keyboard.press("Enter")
        await bar(page).waitFor({ state: "detached" })
        expect(await page.evaluate(() => document.activeElement?.className)).toBe("card")
      })
    )

    for (const [where, view] of [
      ["on a wide screen", {}],
      ["on a phone", { device: phone }]
    ] as const)
      long(test)(`covers no card at the end of the list ${where}`, () =>
        look(async (page) => {
          await selectFirst(page, 1)
          const last = (await links()).at(-1)?.id ?? 0
          for (let turn = 0; turn < 60 && (await card(page, last).count()) === 0; turn++) {
            await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
            await page.waitForTimeout(50)
          }
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
          await page.waitForTimeout(300)
          const end = await card(page, last).boundingBox()
          const top = await page.locator(".bulk").boundingBox()
          expect((end?.y ?? Number.NaN) + (end?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0)
        }, view)
      )

    long(testAccessibility)((device, check) =>
      look(
        async (page) => {
          await selectFirst(page, 2)
          await command(page, /^(Favorite|Unfavorite)$/).click()
          await page.locator(".toast").waitFor()
          await command(page, "Copy").click()
          await check(page)
          await page.keyboard.press("Escape")
          await count(page, "2 selected")
        },
        { device }
      )
    )
  })
})

describe("dashboard", () => {
  const { links, look, lookAt, mutate, pageCalled } = journeyOf(library)

  const cards = (page: Page) => page.locator(".card")
  const titles = (page: Page) => page.locator(".card-title").allTextContents()
  const card = (page: Page, title: string) => page.locator(".card", { hasText: title }).first()
  const sidebar = (page: Page, name: string | RegExp) =>
    page.locator(".sidebar").getByRole("link", { name }).first()
  const capture = (title: string) => library().client.capture({ url: pageCalled(title) })
  const linkCalled = async (title: string) => (await links()).find((link) => link.title === title)

  describe("the list", () => {
    test("shows the newest links first, each with its address", () =>
      look(async (page) => {
        const newest = await links("limit=5")
        expect((await titles(page)).slice(0, 5)).toEqual(newest.map(({ title }) => title))
        const first = cards(page).first()
        expect(await first.getByRole("link").first().getAttribute("href")).toBe(newest[0]?.url ?? "")
        expect(await first.getByRole("link").first().getAttribute("rel")).toBe("noopener noreferrer")
      }))

    long(test)("renders visible cards only, and loads more while scrolling, up to the last link", () =>
      look(async (page) => {
        expect(await cards(page).count()).toBeLessThan(30)
        const all = await links()
        const last = all.at(-1)?.title ?? ""
        for (let turn = 0; turn < 80 && !(await titles(page)).includes(last); turn++) {
          await page.mouse.move(700, 500)
          await page.mouse.wheel(0, 2_000)
          await page.waitForTimeout(50)
        }
        expect(await titles(page)).toContain(last)
        expect(await cards(page).count()).toBeLessThan(30)
        expect(await page.locator(".links-item").last().getAttribute("aria-setsize")).toBe(String(all.length))
      })
    )

    long(test)(
      "does not jump when the cards above, which were never shown, turn out higher or lower than assumed",
      () =>
        look(async (page) => {
          await page.mouse.move(700, 500)
          for (let turn = 0; turn < 6; turn++) {
            await page.mouse.wheel(0, 1_500)
            await page.waitForTimeout(100)
          }
          await page.reload()
          await cards(page).first().waitFor()
          await until(() => page.evaluate(() => scrollY > 3_000))
          await page.waitForTimeout(500)
          const moved = await page.evaluate(async () => {
            // A task after the frame, in which all its callbacks have run.
            const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
            const found: Array<number> = []
            while (scrollY > 200) {
              const card = document.elementFromPoint(700, 400)?.closest(".card")
              const before = card?.getBoundingClientRect().top ?? Number.NaN
              scrollBy({ top: -100, behavior: "instant" })
              for (let wait = 0; wait < 3; wait++) await frame()
              found.push(Math.round((card?.getBoundingClientRect().top ?? Number.NaN) - before))
            }
            // The scroll position is corrected once scrolling rests, without anything moving on the screen.
            const card = document.elementFromPoint(700, 400)?.closest(".card")
            const before = card?.getBoundingClientRect().top ?? Number.NaN
            await new Promise((resolve) => setTimeout(resolve, 600))
            return [...found, Math.round((card?.getBoundingClientRect().top ?? Number.NaN) - before)]
          })
          expect(moved.length).toBeGreaterThan(25)
          expect(moved).toEqual([...Array.from({ length: moved.length - 1 }, () => 100), 0])
        })
    )

    long(test)("switches to compact rows, and remembers that", () =>
      look(async (page) => {
        const before = await cards(page).count()
        await pressKeys(page, "Shift+D")
        await page.locator('.card[data-density="rows"]').first().waitFor()
        await until(async () => (await cards(page).count()) > before)
        await page.reload()
        await page.locator('.card[data-density="rows"]').first().waitFor()
      })
    )
  })

  describe("a view", () => {
    test("has an address that survives Back, Forward and a reload", () =>
      look(async (page) => {
        const all = await titles(page)
        await sidebar(page, /^Favorites/).click()
        await page.waitForURL("**/dashboard?favorite=true")
        await until(
          async () =>
            (await page.locator(".card").count()) ===
            (await page.locator(".card-state[data-kind=favorite]").count())
        )
        const favorites = await titles(page)
        expect(await sidebar(page, /^Favorites/).getAttribute("aria-current")).toBe("page")
        expect(await page.title()).toBe("Favorites · Linkbower")
        await page.reload()
        await page.locator(".card").first().waitFor()
        expect(await titles(page)).toEqual(favorites)
        await page.goBack()
        await until(async () => (await titles(page))[0] === all[0])
        expect(await page.title()).toBe("Linkbower")
        await page.goForward()
        await until(async () => (await titles(page))[0] === favorites[0])
        expect(await titles(page)).toEqual(favorites)
      }))

    long(test)("keeps its scroll position on Back and on a reload", () =>
      look(async (page) => {
        await page.mouse.move(700, 500)
        for (let turn = 0; turn < 6; turn++) {
          await page.mouse.wheel(0, 1_500)
          await page.waitForTimeout(100)
        }
        const seen = () =>
          page.evaluate(() =>
            document.elementFromPoint(700, 300)?.closest(".links-item")?.getAttribute("data-index")
          )
        const index = Number(await until(seen))
        expect(index).toBeGreaterThan(20)
        await sidebar(page, /^Shared/).click()
        await page.waitForURL("**/dashboard?shareable=true")
        await until(async () => (await page.evaluate(() => scrollY)) === 0)
        await page.goBack()
        await until(async () => Math.abs(Number(await seen()) - index) <= 2)
        await page.reload()
        await until(async () => Math.abs(Number(await seen()) - index) <= 2)
      })
    )

    long(test)("opens for a category when the category on a card is clicked", () =>
      look(async (page) => {
        const label = page.locator(".badge[data-kind=category]").first()
        const category = (await label.textContent()) ?? ""
        await label.click()
        await page.waitForURL("**/dashboard?category=*")
        await until(async () =>
          (await page.locator(".badge[data-kind=category]").allTextContents()).every(
            (name) => name === category
          )
        )
        const total = await page.locator(".links-item").first().getAttribute("aria-setsize")
        expect(total).toBe(String((await links(`category=${encodeURIComponent(category)}`)).length))
      })
    )

    long(test)("shows links similar to a card's link", () =>
      look(async (page) => {
        const first = cards(page).first()
        await first.hover()
        await first.getByRole("button", { name: /^More for/ }).click()
        await page.getByRole("menuitem", { name: "Show similar links" }).click()
        await page.waitForURL("**/dashboard?like=*")
      })
    )

    long(test)("says that it is empty, and offers all links", () =>
      lookAt(async (page) => {
        await page.getByRole("heading", { name: "Nothing here" }).waitFor()
        await page.getByRole("link", { name: "Show all links" }).click()
        await page.locator(".card").first().waitFor()
      }, "/dashboard?category=no-such-category")
    )
  })

  describe("changes", () => {
    long(test)("are shown and saved: favorite, share, no favorite", () =>
      look(async (page) => {
        await capture("A link to change")
        const one = card(page, "A link to change")
        await one.waitFor()
        await pressOn(page, one, "Favorite")
        await until(async () => (await linkCalled("A link to change"))?.favorite)
        await pressOn(page, one, "Share on the public list")
        await until(async () => (await fetch(`${library().base}/list/api/links?q=change`)).ok)
        await page.getByText(/Everyone can now see/).waitFor()
        await pressOn(page, one, "Remove from favorites")
        await until(async () => (await linkCalled("A link to change"))?.favorite === false)
      })
    )

    long(test)("that are rejected put a link back in its place among newer links", () =>
      lookAt(async (page, problems) => {
        problems.expect(/503/)
        await isLive(page)
        const before = await titles(page)
        const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
        await page.route("**/dashboard/api/mutate", async (route) => {
          await refused
          await route.fulfill({ status: 503, json: { error: "unavailable", message: "Not now." } })
        })
        await pressOn(page, cards(page).nth(1), "Remove from favorites")
        await until(async () => (await titles(page))[1] === before[2])
        await capture("A favorite from elsewhere")
        const link = await until(() => linkCalled("A favorite from elsewhere"))
        await mutate({ op: "favorite", ids: [link.id], favorite: true })
        refuse()
        await page.getByText("Not changed. Not now.").waitFor()
        await card(page, "A favorite from elsewhere").waitFor()
        const after = (await titles(page)).filter((title) => title !== "A favorite from elsewhere")
        expect(after.slice(0, 3)).toEqual(before.slice(0, 3))
      }, "/dashboard?favorite=true")
    )

    long(test)("made while another view is open are shown on Back", () =>
      look(async (page) => {
        await capture("Gone meanwhile")
        await card(page, "Gone meanwhile").waitFor()
        await sidebar(page, /^Shared/).click()
        await page.waitForURL("**/dashboard?shareable=true")
        const link = await linkCalled("Gone meanwhile")
        await mutate({ op: "delete", ids: [link?.id] })
        await capture("Come meanwhile")
        await page.goBack()
        await card(page, "Come meanwhile").waitFor()
        expect(await card(page, "Gone meanwhile").count()).toBe(0)
      })
    )

    test("made in one tab appear in another", () =>
      look(async (page) => {
        const other = await page.context().newPage()
        await other.goto("/dashboard")
        await isLive(page)
        await isLive(other)
        const title = (await titles(page))[2] ?? ""
        const isFavorite = () => card(other, title).locator(".card-state[data-kind=favorite]").isVisible()
        const before = await isFavorite()
        await pressOn(page, card(page, title), before ? "Remove from favorites" : "Favorite")
        await until(async () => (await isFavorite()) !== before)
      }))
  })

  describe("changes made elsewhere", () => {
    long(test)("appear without a reload: a saved link, its summary, its deletion", () =>
      look(async (page) => {
        await isLive(page)
        await capture("Fresh from the bot")
        await card(page, "Fresh from the bot").waitFor()
        await card(page, "Fresh from the bot").getByText("What the page says.").waitFor()
        const link = await linkCalled("Fresh from the bot")
        await mutate({ op: "delete", ids: [link?.id] })
        await card(page, "Fresh from the bot").waitFor({ state: "detached" })
      })
    )

    test("move nothing in a scrolled list, but wait behind a button", () =>
      look(async (page) => {
        await isLive(page)
        await scrollDown(page, 1_000)
        const before = await titles(page)
        await capture("Came while reading")
        await page.getByRole("button", { name: "1 new" }).waitFor()
        expect(await titles(page)).toEqual(before)
        await page.getByRole("button", { name: "1 new" }).click()
        await card(page, "Came while reading").waitFor()
      }))

    long(test)("are loaded after a lost connection", async () => {
      const wire = await wireTo(library().base)
      try {
        // A script may be loading when the wire is cut.
        const view = { ...(await library().owner()), base: wire.base }
        await visit(view, async (page, problems) => {
          problems.expect(/net::ERR_/)
          await page.goto("/dashboard")
          await isLive(page)
          wire.cut()
          await page.locator('.live[data-on="false"]').waitFor()
          await capture("Missed meanwhile")
          await until(() => problems.all.length > 0)
          wire.restore()
          await card(page, "Missed meanwhile").waitFor()
          await isLive(page)
        })
      } finally {
        wire.stop()
      }
    })
  })

  describe("scraped text", () => {
    test("is shown as text, even if it looks like HTML", () =>
      look(async (page) => {
        const hostile = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`
        await capture(hostile)
        await card(page, hostile).waitFor()
        expect(await page.evaluate(() => "hit" in window)).toBe(false)
        expect(await page.locator(".card-title img, .card-title script").count()).toBe(0)
      }))
  })

  describe("on a phone", () => {
    long(test)("puts the sidebar in a drawer, and a card's controls behind one button", () =>
      look(
        async (page) => {
          await page.getByRole("button", { name: "Library" }).tap()
          await page
            .getByRole("dialog", { name: "Library" })
            .getByRole("link", { name: /^Unfiled/ })
            .tap()
          await page.waitForURL("**/dashboard?collection=none")
          expect(await page.getByRole("dialog").count()).toBe(0)
          await page.locator(".card").first().waitFor()
          const title = (await titles(page))[0] ?? ""
          await card(page, title)
            .getByRole("button", { name: /^More for/ })
            .tap()
          await page.getByRole("menuitem", { name: /^(Favorite|Remove from favorites)/ }).tap()
          await page
            .getByText(/favorite/)
            .first()
            .waitFor()
        },
        { device: phone }
      )
    )

    long(test)("fits a screen of 320 pixels", () =>
      look(
        async (page) => {
          expect(await page.evaluate(overflow)).toBe(0)
        },
        { device: { ...phone, viewport: { width: 320, height: 640 } } }
      )
    )
  })
})
