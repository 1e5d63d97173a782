import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import { until } from "../support/service.ts"
import { makeFiles } from "./support/bookmarkFile.ts"
import { focused } from "./support/dashboard.ts"
import { dragIn } from "./support/drag.ts"
import {
  chosenFile,
  dropTarget,
  fileField,
  importDialog,
  importSays,
  importsOf,
  openImport
} from "./support/importing.ts"
import { useLibrary } from "./support/useLibrary.ts"

const files = makeFiles()
const library = useLibrary(0)
afterAll(files.clean)

const { begin, counts, links, look, three, titles } = importsOf(library)

beforeEach(begin)

describe("a dropped file", () => {
  test("is named before it is imported, and its pages are read in the background", () =>
    look(async (page) => {
      const held = await dragIn(page, { files: [files.write("bookmarks.html", three())] })
      await dropTarget(page).getByText("Drop the file to import it").waitFor()
      await held.over({ x: 700, y: 500 })
      expect(await dropTarget(page).count()).toBe(1)
      await held.drop()
      await importDialog(page).waitFor()
      await dropTarget(page).waitFor({ state: "detached" })
      expect(await chosenFile(page)).toBe("bookmarks.html")
      expect(await titles()).toEqual(["The first"])
      expect(await focused(page)).toBe("Import")
      await page.keyboard.press("Enter")
      await importSays(page, "1 new link, 1 already there, 1 rejected.")
      await importSays(page, /^Read as “.+”, 3 links in all\.$/)
      await importSays(page, "Line 8")
      await until(async () => (await counts()).unread === 0)
      expect((await links()).find(({ title }) => title === "What I called it")).toMatchObject({
        summary: "What the page says.",
        tags: expect.arrayContaining(["animals"]),
        collection: { name: "Woods" },
        createdAt: "2023-11-14T22:13:20.000Z"
      })
    }))

  test("is ignored when it is dragged out again", () =>
    look(async (page) => {
      const held = await dragIn(page, { files: [files.write("bookmarks.html", three())] })
      await dropTarget(page).waitFor()
      await held.leave()
      await dropTarget(page).waitFor({ state: "detached" })
      expect(await page.getByRole("dialog").count()).toBe(0)
    }))

  test("neither closes another dialog nor replaces the page", () =>
    look(async (page) => {
      await page.keyboard.press("a")
      const address = page.getByRole("textbox", { name: "Address" })
      await address.fill("half an addr")
      const held = await dragIn(page, { files: [files.write("bookmarks.html", three())] })
      await held.drop()
      await page.waitForTimeout(300)
      expect(await dropTarget(page).count()).toBe(0)
      expect(await address.inputValue()).toBe("half an addr")
      expect(new URL(page.url()).pathname).toBe("/dashboard")
    }))

  test("replaces the file chosen before", () =>
    look(async (page) => {
      await openImport(page)
      await fileField(page).setInputFiles(files.write("one.html", three()))
      const held = await dragIn(page, { files: [files.write("two.html", three())] })
      await dropTarget(page).waitFor()
      await held.drop()
      await until(async () => (await chosenFile(page)) === "two.html")
    }))

  test("is the first one if several are dropped", () =>
    look(async (page) => {
      const paths = ["one.html", "two.html"].map((name) => files.write(name, three()))
      await (await dragIn(page, { files: paths })).drop()
      await page.getByText("Only one file at a time: importing “one.html”.").waitFor()
      expect(await chosenFile(page)).toBe("one.html")
    }))
})

describe("a dropped link", () => {
  const link = (url: string) => ({
    "text/uri-list": url,
    "text/plain": url,
    "text/html": `<a href="${url}">a</a>`
  })

  test("fills in the form, and is not saved yet", () =>
    look(async (page) => {
      const held = await dragIn(page, { texts: link("https://example.org/dropped") })
      await dropTarget(page).getByText("Drop the link to save it").waitFor()
      await held.drop()
      const address = page.getByRole("textbox", { name: "Address" })
      await address.waitFor()
      expect(await address.inputValue()).toBe("https://example.org/dropped")
      expect(await titles()).toEqual(["The first"])
    }))

  test("may be plain text; other text is ignored", () =>
    look(async (page) => {
      await (await dragIn(page, { texts: { "text/plain": "no address" } })).drop()
      await page.waitForTimeout(200)
      expect(await page.getByRole("dialog").count()).toBe(0)
      await (await dragIn(page, { texts: { "text/plain": "https://example.org/text" } })).drop()
      const address = page.getByRole("textbox", { name: "Address" })
      await address.waitFor()
      expect(await address.inputValue()).toBe("https://example.org/text")
    }))

  test("is ignored if it comes from the page itself", () =>
    look(async (page) => {
      await page.locator(".card-title a").dragTo(page.locator(".brand"), { targetPosition: { x: 5, y: 5 } })
      await page.waitForTimeout(200)
      expect(await page.getByRole("dialog").count()).toBe(0)
      expect(new URL(page.url()).pathname).toBe("/dashboard")
    }))
})
