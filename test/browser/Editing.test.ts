import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { UNSORTED } from "../../src/shared/Category.ts"
import { until } from "../support/service.ts"
import {
  card,
  dashboardOf,
  dialogOf,
  focused,
  focusedCard,
  gone,
  isChange,
  press,
  refuse,
  summaryIn,
  titleIn
} from "./support/dashboard.ts"
import { keyToFrame } from "./support/measure.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)

const { finished, linkOf, links, look, mutate, some } = dashboardOf(library)

describe("editing title and summary", () => {
  test("saves only the changed field", () =>
    look(async (page) => {
      const link = await some()
      await press(page, link.id, "Edit…")
      expect(await titleIn(page).inputValue()).toBe(link.title)
      expect(await summaryIn(page).inputValue()).toBe(link.summary)
      await titleIn(page).fill("  A title by hand ")
      const request = page.waitForRequest(isChange)
      await page.getByRole("button", { name: "Save" }).click()
      expect((await request).postDataJSON()).toEqual({ op: "edit", ids: [link.id], title: "A title by hand" })
      await gone(page)
      expect(await card(page, link.id).locator(".card-title").textContent()).toBe("A title by hand")
      expect(await focusedCard(page)).toBe(link.id)
      const after = await linkOf(link.id)
      expect([after?.title, after?.summary]).toEqual(["A title by hand", link.summary])
    }))

  test("saves on Ctrl+Enter in the summary", () =>
    look(async (page) => {
      const link = await some()
      await press(page, link.id, "Edit…")
      await summaryIn(page).fill("In the owner's words.")
      await page.keyboard.press("Control+Enter")
      await gone(page)
      expect((await linkOf(link.id))?.summary).toBe("In the owner's words.")
    }))

  test("asks before it discards typed text", () =>
    look(async (page) => {
      const link = await some()
      await press(page, link.id, "Edit…")
      await titleIn(page).fill("Half a thought")
      await page.keyboard.press("Escape")
      await dialogOf(page).getByText("Discard changes?").waitFor()
      expect(await focused(page)).toBe("Keep editing")
      await page.keyboard.press("Escape")
      await page.mouse.click(5, 5)
      await page.getByRole("button", { name: "Keep editing" }).click()
      expect(await titleIn(page).inputValue()).toBe("Half a thought")
      await page.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: "Discard" }).click()
      await gone(page)
      expect((await linkOf(link.id))?.title).toBe(link.title)
    }))

  test("closes at once if nothing changed: on Escape, Cancel or a click outside", () =>
    look(async (page) => {
      const { id } = await some()
      for (const leave of [
        () => page.keyboard.press("Escape"),
        () => page.getByRole("button", { name: "Cancel" }).click(),
        () => page.mouse.click(5, 5)
      ]) {
        await press(page, id, "Edit…")
        await dialogOf(page).waitFor()
        await leave()
        await gone(page)
        expect(await focusedCard(page)).toBe(id)
      }
    }))

  test("requires a title, and shows how many characters are left", () =>
    look(async (page) => {
      const { id } = await some()
      await press(page, id, "Edit…")
      await titleIn(page).fill(" ")
      await page.getByRole("button", { name: "Save" }).click()
      await dialogOf(page).getByText("A link needs a title.").waitFor()
      await titleIn(page).fill("x".repeat(290))
      await dialogOf(page).getByText("10 characters left").waitFor()
      await titleIn(page).fill("x".repeat(301))
      await dialogOf(page).getByText("1 character too many").waitFor()
      await page.getByRole("button", { name: "Save" }).click()
      await dialogOf(page).getByText("The title is too long.").waitFor()
    }))

  test("stays open with the typed text if the service rejects it", () =>
    look(async (page, problems) => {
      problems.expect(/status of 503/)
      const link = await some()
      await refuse(page)
      await press(page, link.id, "Edit…")
      await titleIn(page).fill("Not to be lost")
      await page.getByRole("button", { name: "Save" }).click()
      await dialogOf(page).getByText("Not saved. The library is busy.").waitFor()
      expect(await titleIn(page).inputValue()).toBe("Not to be lost")
      expect(await card(page, link.id).locator(".card-title").textContent()).toBe(link.title)
      await page.unroute("**/mutate")
      await page.getByRole("button", { name: "Save" }).click()
      await gone(page)
      expect((await linkOf(link.id))?.title).toBe("Not to be lost")
    }))

  test("reports a change made elsewhere, and keeps the typed text until asked", () =>
    look(async (page) => {
      const { id } = await some()
      await press(page, id, "Edit…")
      await summaryIn(page).fill("Being typed here")
      await mutate({ op: "edit", ids: [id], title: "Written elsewhere" })
      const take = dialogOf(page).getByRole("button", { name: "show its new title" })
      await take.waitFor()
      expect(await summaryIn(page).inputValue()).toBe("Being typed here")
      expect(await titleIn(page).inputValue()).not.toBe("Written elsewhere")
      await take.click()
      expect(await titleIn(page).inputValue()).toBe("Written elsewhere")
      expect(await summaryIn(page).inputValue()).toBe("Being typed here")
    }))
})

describe("editing a link", () => {
  const field = (page: Page, name: string) => dialogOf(page).getByLabel(name, { exact: true })
  const save = (page: Page) => dialogOf(page).getByRole("button", { name: "Save" }).click()

  test("saves everything in one change, and undoes it as one", () =>
    look(async (page) => {
      const link = await some()
      await press(page, link.id, "Edit…")
      await field(page, "Address").fill("example.org/moved")
      await field(page, "Note").fill("Why I keep it.")
      await field(page, "Collection").fill("Shelf / New")
      await field(page, "Category").fill("Things")
      await field(page, "Tags").fill("fresh")
      await page.keyboard.press("Enter")
      const request = page.waitForRequest(isChange)
      await save(page)
      expect((await request).postDataJSON()).toEqual({
        op: "edit",
        ids: [link.id],
        url: "https://example.org/moved",
        collection: "Shelf / New",
        category: "things",
        tags: [...link.tags, "fresh"],
        note: "Why I keep it."
      })
      await gone(page)
      expect(await linkOf(link.id)).toMatchObject({
        url: "https://example.org/moved",
        host: "example.org",
        note: "Why I keep it.",
        category: "things",
        collection: { name: "Shelf / New" },
        tags: [...link.tags, "fresh"]
      })
      await page.locator(".toast").getByRole("button", { name: "Undo" }).click()
      await until(async () => (await linkOf(link.id))?.url === link.url)
      expect(await linkOf(link.id)).toMatchObject({
        note: link.note,
        category: link.category,
        tags: link.tags
      })
    }))

  test("shows the link that has the address already", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      const [link, other] = await finished()
      await press(page, link?.id ?? 0, "Edit…")
      await field(page, "Address").fill(other?.url ?? "")
      await save(page)
      await dialogOf(page).getByText(`Link #${other?.id} already has this address.`).waitFor()
      expect(await field(page, "Address").getAttribute("aria-invalid")).toBe("true")
      await dialogOf(page).getByRole("button", { name: "Show that link" }).click()
      await page
        .getByRole("complementary", { name: "Details" })
        .getByRole("heading", { name: other?.title ?? "" })
        .waitFor()
    }))

  test("names what is wrong, at the field that it is about", () =>
    look(async (page) => {
      await press(page, (await some()).id, "Edit…")
      await field(page, "Address").fill("mailto:a@b.example")
      await save(page)
      await dialogOf(page).getByText("Enter a web address").waitFor()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("edit-url")
    }))

  test("keeps the text over a failed save and a closed page, and asks before the page is closed", () =>
    look(async (page, problems) => {
      problems.expect(/status of 503/)
      const link = await some()
      await refuse(page)
      await press(page, link.id, "Edit…")
      await field(page, "Note").fill("Half a thought")
      await save(page)
      await dialogOf(page).getByText("Not saved. The library is busy.").waitFor()
      await page.unroute("**/mutate")
      const asked = page.waitForEvent("dialog")
      const left = page.reload()
      await (await asked).accept()
      await left
      await page.locator(".card").first().waitFor()
      await press(page, link.id, "Edit…")
      await dialogOf(page).getByText("Your unsaved changes are back.").waitFor()
      expect(await field(page, "Note").inputValue()).toBe("Half a thought")
      await save(page)
      await gone(page)
      expect((await linkOf(link.id))?.note).toBe("Half a thought")
      await press(page, link.id, "Edit…")
      expect(await dialogOf(page).getByText("Your unsaved changes are back.").count()).toBe(0)
    }))
})

describe("picking a category or a collection", () => {
  const field = (page: Page) => dialogOf(page).getByRole("combobox")

  test("accepts an existing name from the keyboard alone", () =>
    look(async (page) => {
      const link = await some()
      const others = (await links()).map(({ category }) => category).filter((one) => one !== link.category)
      // A card does not show this one.
      const name = others.find((one) => one !== UNSORTED) ?? ""
      await press(page, link.id, "Category…")
      expect(await dialogOf(page).getByRole("option", { selected: true }).textContent()).toContain(
        link.category
      )
      await field(page).fill(name)
      await page.keyboard.press("Enter")
      await gone(page)
      await card(page, link.id).locator("[data-kind=category]", { hasText: name }).waitFor()
      await until(async () => (await linkOf(link.id))?.category === name)
    }))

  test("creates a category in its normal form", () =>
    look(async (page) => {
      const { id } = await some()
      await press(page, id, "Category…")
      await field(page).fill("  Things Made   of Paper! ")
      await dialogOf(page).getByRole("option", { name: "Create “things made of paper”" }).click()
      await gone(page)
      await until(async () => (await linkOf(id))?.category === "things made of paper")
    }))

  test("creates a collection, finds it in any case, and removes the link from it", () =>
    look(async (page) => {
      const [first, second] = await finished()
      for (const link of [first, second]) {
        const id = link?.id ?? 0
        await press(page, id, "File in a collection…")
        await field(page).fill(id === first?.id ? "Slow Reading" : "slow READING")
        expect(
          await dialogOf(page)
            .getByRole("option", { name: /^Create/ })
            .count()
        ).toBe(id === first?.id ? 1 : 0)
        await page.keyboard.press("Enter")
        await gone(page)
        await until(async () => (await linkOf(id))?.collection?.name === "Slow Reading")
        // The names arrive with the counts, which are refreshed a little later.
        await page.locator(".sidebar").getByText("Slow Reading").waitFor()
      }
      await press(page, first?.id ?? 0, "File in a collection…")
      expect(await dialogOf(page).getByRole("option", { selected: true }).textContent()).toContain(
        "Slow Reading"
      )
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("Enter")
      await until(async () => (await linkOf(first?.id ?? 0))?.collection === null)
    }))

  test("filters twelve thousand names quickly, and renders sixty", () =>
    look(async (page) => {
      const { id } = await some()
      const many = Array.from({ length: 12_000 }, (_, i) => ({ id: i + 1, name: `Shelf ${i}`, count: 1 }))
      await page.route("**/api/meta", async (route) => {
        const meta: object = await (await route.fetch()).json()
        await route.fulfill({ json: { ...meta, collections: many } })
      })
      // Any change refreshes the counts.
      await press(page, id, /^Favorite$/)
      await page.getByRole("button", { name: "All 12,000 collections" }).waitFor()
      await press(page, id, "File in a collection…")
      await page.getByRole("option", { name: "Shelf 1", exact: false }).first().waitFor()
      const options = dialogOf(page).getByRole("option")
      expect(await options.count()).toBe(61)
      await field(page).fill("shelf 1199")
      const took = await keyToFrame(page, "8", () => document.querySelectorAll("[role=option]").length === 1)
      expect(await options.textContent()).toContain("Shelf 11998")
      expect(took).toBeLessThan(400)
    }))

  test("changes nothing for the current name or on Escape", () =>
    look(async (page) => {
      const { id } = await some()
      let changes = 0
      page.on("request", (request) => {
        if (isChange(request)) changes++
      })
      await press(page, id, "Category…")
      await page.keyboard.press("Enter")
      await gone(page)
      await press(page, id, "Category…")
      await field(page).fill("something else")
      await page.keyboard.press("Escape")
      await gone(page)
      expect(await focusedCard(page)).toBe(id)
      expect(changes).toBe(0)
    }))
})
