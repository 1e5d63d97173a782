import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles } from "./support/bookmarkFile.ts"
import { focused, gone, pressKeys } from "./support/dashboard.ts"
import {
  importButton,
  importDialog,
  importFile,
  importSays,
  importsOf,
  jobsMenu,
  openImport
} from "./support/importing.ts"
import { useLibrary } from "./support/useLibrary.ts"

const files = makeFiles()
const library = useLibrary(0)
afterAll(files.clean)

const { begin, links, look, mutate, three, titles } = importsOf(library)

beforeEach(begin)

const question = (page: Page, title = "Take this import back?") => page.getByRole("dialog", { name: title })
const answer = (page: Page, name: string, title?: string) =>
  question(page, title).getByRole("button", { name, exact: true }).click()

/** Imports a file with one new link and one that is in the library. */
const importThree = async (page: Page) => {
  await openImport(page)
  await importFile(page, files.write("bookmarks.html", three()))
  await importSays(page, "1 new link")
}

describe("an import", () => {
  test("is taken back from its outcome, after a question that counts the links", () =>
    look(async (page) => {
      await importThree(page)
      expect(await titles()).toEqual(["The first", "What I called it"])
      await importButton(page, "Take back…").click()
      await question(page)
        .getByText("1 link is deleted for good. 1 link that was there before gets its former values back.")
        .waitFor()
      expect(await focused(page)).toBe("Keep the links")
      await answer(page, "Keep the links")
      expect(await titles()).toEqual(["The first", "What I called it"])
      await importButton(page, "Take back…").click()
      await answer(page, "Take back")
      await page.locator(".toast", { hasText: "The import was undone: 1 link deleted." }).waitFor()
      await importSays(page, "Taken back.")
      expect(await importButton(page, "Take back…").count()).toBe(0)
      expect(await titles()).toEqual(["The first"])
      await importButton(page, "Close").click()
      await page.locator(".card", { hasText: "What I called it" }).waitFor({ state: "detached" })
      // The same file can be imported again.
      await importThree(page)
      expect(await titles()).toEqual(["The first", "What I called it"])
    }))

  test("is taken back from the jobs, and keeps what was changed since", () =>
    look(async (page, problems) => {
      problems.expect(/409/)
      await importThree(page)
      await importButton(page, "Close").click()
      await gone(page)
      const mine = (await links()).find(({ title }) => title === "What I called it")
      await mutate({ op: "note", ids: [mine?.id], note: "Mine" })
      await page.locator(".jobs-button").click()
      const row = jobsMenu(page).getByRole("listitem").filter({ hasText: "1 new link" }).first()
      await row.getByRole("button", { name: "Take back…" }).click()
      await answer(page, "Take back")
      await question(page, "Take back the rest?")
        .getByText("since the import. Taking it back keeps what you have changed.")
        .waitFor()
      await answer(page, "Take back the rest", "Take back the rest?")
      await page.locator(".toast", { hasText: "The import was undone." }).waitFor()
      expect(await titles()).toEqual(["The first", "What I called it"])
      await page.locator(".jobs-button").click()
      await row.getByText("Taken back.").waitFor()
    }))

  test("is one of the changes made in this tab, which Ctrl+Z takes back after the question", () =>
    look(async (page) => {
      await importThree(page)
      await importButton(page, "Close").click()
      await gone(page)
      await pressKeys(page, "Control+z")
      await answer(page, "Take back")
      await until(async () => (await links()).length === 1)
      await page.locator(".toast", { hasText: "The import was undone" }).waitFor()
      await pressKeys(page, "Control+z")
      expect(await question(page).count()).toBe(0)
    }))

  test("that changed nothing offers nothing", () =>
    look(async (page) => {
      await importThree(page)
      await importButton(page, "Import another file").click()
      await importFile(page, files.write("again.html", three()))
      await importSays(page, "0 new links, 2 already there, 1 rejected.")
      expect(await importDialog(page).getByRole("button", { name: "Take back…" }).count()).toBe(0)
    }))
})

testAccessibility(
  (device, check) =>
    look(
      async (page) => {
        await importThree(page)
        await check(page, "import-outcome")
        await importButton(page, "Take back…").click()
        await question(page).waitFor()
        await check(page, "take-back")
        await answer(page, "Keep the links")
        await importButton(page, "Close").click()
        await page.locator(".jobs-button").click()
        await jobsMenu(page).getByRole("button", { name: "Take back…" }).first().waitFor()
        await check(page, "jobs-take-back")
        await jobsMenu(page).getByRole("link", { name: "Import" }).first().click()
        await page.getByRole("button", { name: "Take back…" }).first().waitFor()
        await check(page, "job-take-back")
      },
      { device }
    ),
  "taking an import back"
)
