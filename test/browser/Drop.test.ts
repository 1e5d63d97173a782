import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { until } from "../support/service.ts"
import { makeFiles } from "./support/bookmarkFile.ts"
import { TEST_TIMEOUT } from "./support/browser.ts"
import { dashboardOf, focused } from "./support/dashboard.ts"
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
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { makeOwner } from "./support/owner.ts"

setDefaultTimeout(TEST_TIMEOUT)

const files = makeFiles()
let library: StartedLibrary
let owner: ReturnType<typeof makeOwner>
beforeAll(async () => {
  library = await startLibrary(0)
  owner = makeOwner(library)
})
afterAll(async () => {
  await library.stop()
  files.clean()
})

const { begin, look, three, titles } = importsOf(() => library)
const { counts } = dashboardOf(() => library)

/** Every test begins with one link, and nothing that is still to be read. */
beforeEach(begin)

describe("a file that is dropped on the page", () => {
  test("is named before it is imported, and its pages are read behind", () =>
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
      expect((await owner.links()).find(({ title }) => title === "What I called it")).toMatchObject({
        summary: "What the page says.",
        tags: expect.arrayContaining(["animals"]),
        collection: { name: "Woods" },
        createdAt: "2023-11-14T22:13:20.000Z"
      })
    }))

  test("is not taken where it is let go elsewhere", () =>
    look(async (page) => {
      const held = await dragIn(page, { files: [files.write("bookmarks.html", three())] })
      await dropTarget(page).waitFor()
      await held.leave()
      await dropTarget(page).waitFor({ state: "detached" })
      expect(await page.getByRole("dialog").count()).toBe(0)
    }))

  test("pushes no other dialog aside, and never takes the place of the page", () =>
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

  test("takes the place of the one that was chosen before", () =>
    look(async (page) => {
      await openImport(page)
      await fileField(page).setInputFiles(files.write("one.html", three()))
      const held = await dragIn(page, { files: [files.write("two.html", three())] })
      await dropTarget(page).waitFor()
      await held.drop()
      await until(async () => (await chosenFile(page)) === "two.html")
    }))

  test("comes alone", () =>
    look(async (page) => {
      const paths = ["one.html", "two.html"].map((name) => files.write(name, three()))
      await (await dragIn(page, { files: paths })).drop()
      await page.getByText("Only one file at a time: importing “one.html”.").waitFor()
      expect(await chosenFile(page)).toBe("one.html")
    }))
})

describe("a link that is dropped on the page", () => {
  const link = (url: string) => ({
    "text/uri-list": url,
    "text/plain": url,
    "text/html": `<a href="${url}">a</a>`
  })

  test("fills the form in, and is saved when somebody says so", () =>
    look(async (page) => {
      const held = await dragIn(page, { texts: link("https://example.org/dropped") })
      await dropTarget(page).getByText("Drop the link to save it").waitFor()
      await held.drop()
      const address = page.getByRole("textbox", { name: "Address" })
      await address.waitFor()
      expect(await address.inputValue()).toBe("https://example.org/dropped")
      expect(await titles()).toEqual(["The first"])
    }))

  test("may be mere text; other text is nothing", () =>
    look(async (page) => {
      await (await dragIn(page, { texts: { "text/plain": "no address" } })).drop()
      await page.waitForTimeout(200)
      expect(await page.getByRole("dialog").count()).toBe(0)
      await (await dragIn(page, { texts: { "text/plain": "https://example.org/text" } })).drop()
      const address = page.getByRole("textbox", { name: "Address" })
      await address.waitFor()
      expect(await address.inputValue()).toBe("https://example.org/text")
    }))

  test("is nothing where it is one of the page's own", () =>
    look(async (page) => {
      await page.locator(".card-title a").dragTo(page.locator(".brand"), { targetPosition: { x: 5, y: 5 } })
      await page.waitForTimeout(200)
      expect(await page.getByRole("dialog").count()).toBe(0)
      expect(new URL(page.url()).pathname).toBe("/dashboard")
    }))
})
