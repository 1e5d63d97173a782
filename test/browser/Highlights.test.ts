import { describe, expect, test } from "bun:test"
import type { Frame, Page } from "playwright-core"
import type { Highlight } from "../../web/app/api.ts"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { linksWithPages } from "./support/articles.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(() => linksWithPages)

const { links, lookAt } = dashboardOf(library, "iframe[data-shown=true], main h2, .card")

const numberOf = async (title: string) => (await links()).find((link) => link.title === title)?.id ?? 0

const highlightsOf = async (id: number): Promise<ReadonlyArray<Highlight>> =>
  (await (await library().client.owner("GET", `/api/links/${id}/highlights`)).json()).highlights

const add = async (id: number, highlight: Partial<Highlight>) =>
  (await (await library().client.owner("POST", `/api/links/${id}/highlights`, highlight)).json()).highlight

const frameOf = async (page: Page): Promise<Frame> => {
  const frame = await (await page.locator("iframe").elementHandle())?.contentFrame()
  if (frame == null) throw new Error("the page has no frame")
  return frame
}

/** Selects a part of the article that is shown, as with the mouse. */
const select = async (page: Page, quote: string) =>
  (await frameOf(page)).evaluate((quote) => {
    const article = document.querySelector("#article")
    const walker = document.createTreeWalker(article ?? document, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf(quote) ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + quote.length)
      document.getSelection()?.removeAllRanges()
      document.getSelection()?.addRange(range)
      node.parentElement?.scrollIntoView({ block: "center" })
      return
    }
    throw new Error(`the article does not have “${quote}”`)
  }, quote)

/** The painted passages by colour. */
const painted = async (page: Page) =>
  (await frameOf(page)).evaluate(() =>
    Object.fromEntries(
      [...CSS.highlights].flatMap(([name, ranges]) => {
        const texts = [...ranges].map(String)
        return name.startsWith("highlight-") && texts.length > 0 ? [[name.slice(10), texts]] : []
      })
    )
  )

/** Waits until exactly these passages are painted. */
const waitForPainted = (page: Page, passages: Readonly<Record<string, ReadonlyArray<string>>>) =>
  until(async () => Bun.deepEquals(await painted(page), passages))

const first = "the long low hum of the generator"
const second = "where they break"

describe("highlights in the reader", () => {
  test("are made with the bar, the keyboard, and a note; changed by a click, and taken back", async () => {
    const id = await numberOf("The harbour in spring")
    // Those of an earlier attempt.
    for (const one of await highlightsOf(id))
      await library().client.owner("DELETE", `/api/links/${id}/highlights/${one.id}`)
    await lookAt(async (page) => {
      await select(page, second)
      await page.getByRole("region", { name: "Selected text" }).waitFor()
      await page.getByRole("button", { name: "Highlight in green" }).click()
      await until(async () => (await highlightsOf(id)).length === 1 || undefined)
      await waitForPainted(page, { green: [second] })
      expect((await highlightsOf(id))[0]).toMatchObject({ quote: second, colour: "green", isLost: false })

      await select(page, first)
      await page.keyboard.press("h")
      await until(async () => (await highlightsOf(id)).length === 2 || undefined)
      await waitForPainted(page, { green: [second, first] })

      // A click on the passage edits it.
      const box = await (await frameOf(page)).evaluate((quote) => {
        const [range] = [...(CSS.highlights.get("highlight-green") ?? [])].filter(
          (one) => String(one) === quote
        )
        const { left, top } =
          range instanceof Range ? (range.getClientRects()[0] ?? new DOMRect()) : new DOMRect()
        return { x: left + 8, y: top + 8 }
      }, first)
      const frame = await page.locator("iframe").boundingBox()
      await page.mouse.click((frame?.x ?? 0) + box.x, (frame?.y ?? 0) + box.y)
      const dialog = page.getByRole("dialog", { name: "Highlight", exact: true })
      await dialog.getByRole("radio", { name: "Pink" }).check()
      await dialog.getByRole("textbox", { name: "Note" }).fill("It never stops.")
      await dialog.getByRole("button", { name: "Save" }).click()
      await until(async () => (await painted(page))["pink"]?.[0] === first || undefined)
      expect((await highlightsOf(id)).find(({ quote }) => quote === first)?.note).toBe("It never stops.")

      await page.getByRole("button", { name: "Undo", exact: true }).last().click()
      await until(async () => (await painted(page))["pink"] === undefined || undefined)
      await waitForPainted(page, { green: [second, first] })
    }, `/dashboard/read/${id}`)
  })

  test("are listed, those apart that the text does not have, and lead to their places", async () => {
    const id = await numberOf("Without headings")
    const there = await add(id, { quote: "nobody had dared to switch off", colour: "blue" })
    await add(id, { quote: "A passage that was taken out of the page years ago", note: "Gone." })
    await lookAt(async (page) => {
      await page.getByRole("button", { name: "Highlights" }).click()
      const panel = page.getByRole("dialog", { name: "Highlights" })
      await panel.getByRole("heading", { name: "No longer in the text" }).waitFor()
      await panel.getByText("Gone.").waitFor()
      await panel.getByRole("button", { name: "nobody had dared" }).click()
      await panel.waitFor({ state: "hidden" })
    }, `/dashboard/read/${id}#highlight-${there.id}`)
  })
})

describe("the page of all highlights", () => {
  test("searches passages and notes, and narrows them by colour", async () => {
    const id = await numberOf("One word")
    await add(id, { quote: "Yes.", colour: "pink", note: "An unmistakable answer" })
    await lookAt(async (page) => {
      const rows = page.locator(".highlight")
      await page.getByRole("searchbox", { name: "Search highlights" }).fill("unmistak")
      await page.getByText("1 highlight", { exact: true }).waitFor()
      expect(await rows.count()).toBe(1)
      await page.getByRole("button", { name: "Green", exact: true }).click()
      await page.getByText("No highlight matches “unmistak”.").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await rows.nth(1).waitFor()
    }, "/dashboard/highlights")
  })
})

testAccessibility(async (device, check) => {
  const id = await numberOf("The harbour in spring")
  for (const [at, colour] of (["yellow", "green", "blue", "pink"] as const).entries())
    await add(id, {
      quote:
        [
          "about sixty-five characters a line",
          "winches, gulls, a radio",
          "in the first warm week",
          "A first paragraph"
        ][at] ?? "",
      colour,
      note: at === 1 ? "The sound of spring" : ""
    })
  await lookAt(
    async (page) => {
      await select(page, second)
      await page.getByRole("region", { name: "Selected text" }).waitFor()
      await check(page, "highlights-reader")
      await page.keyboard.press("Escape")
    },
    `/dashboard/read/${id}`,
    { device }
  )
  await lookAt(
    async (page) => {
      await page.getByRole("button", { name: "Highlights" }).click()
      await page
        .getByRole("dialog", { name: "Highlights" })
        .getByText("The sound of spring")
        .first()
        .waitFor()
      await check(page, "highlights-panel")
    },
    `/dashboard/read/${id}`,
    { device }
  )
  await lookAt(
    async (page) => {
      await page.getByRole("button", { name: "Edit this highlight" }).first().click()
      await page.getByRole("dialog", { name: "Highlight", exact: true }).waitFor()
      await check(page, "highlights-dialog")
      await page.keyboard.press("Escape")
      await check(page, "highlights-page")
    },
    "/dashboard/highlights",
    { device }
  )
}, "what shows highlights")
