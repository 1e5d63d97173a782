import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync } from "node:fs"
import { until } from "../support/service.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { TEST_TIMEOUT } from "./support/browser.ts"
import { dashboardOf } from "./support/dashboard.ts"
import {
  command,
  importButton,
  importFile,
  importSays,
  importsOf,
  jobsMenu,
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

const { begin, look } = importsOf(() => library)
const { counts } = dashboardOf(() => library)

/** Every test begins with one link, and nothing that is still to be read. */
beforeEach(begin)

/** A page that takes its time. */
const slow = (n: number) => `${library.world.pages.url}/slow?ms=700&t=Page${n}`

describe("reading the pages", () => {
  test("is paused and goes on, from the menu of jobs", () =>
    look(async (page) => {
      const entries = Array.from({ length: 30 }, (_, n) => ({ url: slow(n), title: `Entry ${n}` }))
      await openImport(page)
      await importFile(page, files.write("slow.html", netscapeOf("Slow", entries)))
      await importSays(page, "30 new links.")
      await importButton(page, "Close").click()
      await page.getByRole("button", { name: /^Reading pages [1-9]\d* of 30/ }).waitFor()
      await page.locator(".jobs-button").click()
      await jobsMenu(page).getByRole("button", { name: "Pause" }).click()
      await jobsMenu(page)
        .getByText(/^Paused at \d+ of 30\.$/)
        .waitFor()
      const { unread } = await counts()
      expect(unread).toBeGreaterThan(0)
      await page.waitForTimeout(1_500)
      expect((await counts()).unread).toBe(unread)
      await jobsMenu(page)
        .getByRole("button", { name: `Read the pages of ${unread} imported links` })
        .click()
      await jobsMenu(page).getByRole("button", { name: "Pause" }).waitFor()
      await until(async () => (await counts()).unread === 0, 30)
      await jobsMenu(page)
        .getByText(new RegExp(`^${unread} pages read\\.$`))
        .waitFor()
      expect((await owner.links()).every(({ enrichment }) => enrichment === "complete")).toBe(true)
    }))
})

describe("an export", () => {
  test("comes as each of the three files", () =>
    look(async (page) => {
      await command(page, "csv")
      const box = page.getByRole("dialog", { name: "Export" })
      await box.getByText("All 1 link, in one file.").waitFor()
      for (const [name, extension, holds] of [
        ["JSON", "json", '"The first"'],
        ["HTML", "html", "NETSCAPE-Bookmark-file-1"],
        ["CSV", "csv", "The first"]
      ] as const) {
        const coming = page.waitForEvent("download")
        await box.getByRole("link", { name }).click()
        const download = await coming
        expect(download.suggestedFilename()).toEndWith(`.${extension}`)
        expect(readFileSync(await download.path(), "utf8")).toContain(holds)
      }
      expect(new URL(page.url()).pathname).toBe("/dashboard")
    }))
})
