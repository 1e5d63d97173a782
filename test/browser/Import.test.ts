import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import { readFileSync, rmSync, truncateSync } from "node:fs"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { focused, gone, standsOn } from "./support/dashboard.ts"
import { dragIn } from "./support/drag.ts"
import {
  chosenFile,
  command,
  dropTarget,
  fileField,
  importButton,
  importDialog,
  importFile,
  importSays,
  importsOf,
  jobsMenu,
  openImport,
  sendFile,
  slowDown
} from "./support/importing.ts"
import { startLibrary } from "./support/library.ts"
import { useLibrary } from "./support/useLibrary.ts"

const files = makeFiles()
const library = useLibrary(0)
afterAll(files.clean)

const { begin, counts, links, look, mutate, pageCalled, three, titles } = importsOf(library)

beforeEach(begin)

describe("a chosen file", () => {
  test("can be imported without its pages, which are read later", () =>
    look(async (page) => {
      await openImport(page)
      await importDialog(page).getByRole("checkbox", { name: "Read the pages now" }).uncheck()
      await importFile(page, files.write("later.html", three()))
      await importSays(page, "1 new link")
      await importSays(page, "Read the page of 1 imported link")
      expect((await counts()).unread).toBe(1)
      await importButton(page, "Close").click()
      const card = page.locator(".card", { hasText: "What I called it" })
      await card.waitFor()
      expect(await card.getAttribute("aria-busy")).toBe("false")
      expect(await card.locator(".card-summary").count()).toBe(0)
      await card.getByText("Woods").waitFor()
      await card.getByText("#animals").waitFor()
      // The pages are not read later either.
      await page.waitForTimeout(500)
      expect((await counts()).unread).toBe(1)
      await command(page, "read the pages")
      await card.getByText("What the page says.").waitFor()
      await until(async () => (await counts()).unread === 0)
    }))

  test("is imported after the dialog is closed, and listed among the jobs with its rejects", () =>
    look(async (page) => {
      await openImport(page)
      await importFile(page, files.write("bookmarks.html", three()))
      await importButton(page, "Close").click()
      await gone(page)
      await until(async () => (await links()).length === 2)
      await page.locator(".jobs-button").click()
      const row = jobsMenu(page).getByRole("listitem").filter({ hasText: "already there" }).first()
      await row.getByText("1 new link, 1 already there, 1 rejected.").waitFor()
      await row.getByRole("link", { name: "Import" }).click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page.getByText("Line 8").waitFor()
      await page.getByText("javascript:alert(1)").waitFor()
    }))

  test("shows the upload's progress; Stop keeps it chosen and imports nothing", () =>
    look(async (page) => {
      await slowDown(page)
      await openImport(page)
      await importFile(page, files.write("large.html", `${three()}<!-- ${"x".repeat(3_000_000)} -->`))
      await importSays(page, /large\.html: .* of 3 MB/)
      const bar = importDialog(page).getByRole("progressbar", { name: "Sending large.html" })
      await until(async () => Number(await bar.getAttribute("value")) > 0)
      await importButton(page, "Stop").click()
      await importButton(page, "Import").waitFor()
      expect(await chosenFile(page)).toBe("large.html")
      expect(await titles()).toEqual(["The first"])
    }))

  test("is imported after a running import, and other tabs can import then", async () => {
    const urls = Array.from({ length: 800 }, (_, n) => `https://many.example/${n}`).join("\n")
    const empty = await startLibrary(0)
    try {
      await visit(await empty.owner(), async (page) => {
        await page.goto("/dashboard")
        const speedUp = await slowDown(page)
        await page.getByRole("button", { name: "Import a file…" }).click()
        await importFile(page, files.write("second.html", `${three()}<!-- ${"x".repeat(3_000_000)} -->`))
        await importSays(page, /second\.html: .* of 3 MB/)
        const other = await page.context().newPage()
        await other.goto("/dashboard")
        await other.locator('.live[data-on="true"]').waitFor()
        await sendFile(empty, "many.txt", urls)
        await openImport(other)
        await speedUp()
        await importDialog(page).getByText("2 new links, 1 rejected.").first().waitFor({ timeout: 35_000 })
        // The other page has not sent anything, so it can.
        await importButton(other, "Import").waitFor()
        await importButton(page, "Close").click()
        await page.getByText("802 links").first().waitFor()
      })
    } finally {
      await empty.stop()
    }
  })
})

describe("a Linkbower export with shared links", () => {
  /** An export of three links: two are shared, one only looks like it in its summary. */
  const exported = async () => {
    const addresses = ["Ash", "Birch", "Cedar"].map(pageCalled)
    await sendFile(library(), "list.txt", addresses.join("\n"))
    await until(async () => (await links()).length === 4)
    const all = (await links()).filter(({ title }) => title !== "The first")
    const ids = all.map(({ id }) => id)
    await mutate({ op: "shareable", ids: ids.slice(0, 2), shareable: true })
    await mutate({ op: "edit", ids: ids.slice(2), summary: 'It says ,"shareable":true here.' })
    const text = await (await library().client.owner("GET", "/api/export?format=json")).text()
    await mutate({ op: "delete", ids, forever: true })
    return text
  }
  const shared = async () => (await counts()).shareable
  const question = (page: Page) =>
    importDialog(page).getByRole("checkbox", { name: "Share the 2 links that are shared in this file" })

  test("is imported as private, and says how many links it would share", async () => {
    const path = files.write("export.json", await exported())
    await look(async (page) => {
      await openImport(page)
      await fileField(page).setInputFiles(path)
      await question(page).waitFor()
      expect(await question(page).isChecked()).toBe(false)
      await importButton(page, "Import").click()
      await importSays(page, "3 new links")
      await importSays(page, "The file marks 2 links as shared.")
      expect(await shared()).toBe(0)
    })
  })

  test("is shared on request, for this file only", async () => {
    const path = files.write("export.json", await exported())
    await look(async (page) => {
      await openImport(page)
      await fileField(page).setInputFiles(path)
      await question(page).check()
      await fileField(page).setInputFiles(files.write("bookmarks.html", three()))
      await question(page).waitFor({ state: "detached" })
      await fileField(page).setInputFiles(path)
      expect(await question(page).isChecked()).toBe(false)
      await question(page).check()
      await importButton(page, "Import").click()
      await importSays(page, "3 new links")
      expect(await shared()).toBe(2)
    })
  })

  testAccessibility(async (device, check) => {
    const path = files.write("export.json", await exported())
    await look(
      async (page) => {
        await openImport(page)
        await fileField(page).setInputFiles(path)
        await question(page).waitFor()
        await check(page, "import-shared")
      },
      { device }
    )
  })
})

describe("a file that cannot be imported", () => {
  test("is reported as unreadable, changes nothing and stays chosen", () =>
    look(async (page) => {
      await openImport(page)
      const path = files.write("broken.json", '{"bookmarks": [{"url": "https://a.example"')
      await importFile(page, path)
      await importSays(page, "Nothing was changed.")
      expect(await chosenFile(page)).toBe("broken.json")
      expect(await fileField(page).getAttribute("aria-invalid")).toBe("true")
      expect(await titles()).toEqual(["The first"])
      // The next file is imported normally.
      await importFile(page, files.write("bookmarks.html", three()))
      await importSays(page, "1 new link")
    }))

  test("is not sent if it is too large, empty or gone", () =>
    look(async (page) => {
      const sent: Array<string> = []
      page.on("request", (request) => request.url().includes("/api/import") && sent.push(request.url()))
      await openImport(page)
      const large = files.write("large.csv", "url\n")
      truncateSync(large, 128 * 1024 * 1024 + 1)
      await importFile(page, large)
      await importSays(page, "Not imported. The file is larger than 128 MiB. Import it on the command line.")
      expect(await chosenFile(page)).toBe("large.csv")
      await importFile(page, files.write("empty.csv", ""))
      await importSays(page, "Not imported. The file is empty.")
      const moved = files.write("moved.html", three())
      await fileField(page).setInputFiles(moved)
      rmSync(moved)
      await importButton(page, "Import").click()
      await importSays(
        page,
        "Not imported. The file cannot be read: it was moved or changed, or it is a folder."
      )
      expect(sent).toEqual([])
    }))

  test("stays chosen if the library cannot be reached or rejects it", () =>
    look(async (page, problems) => {
      problems.expect(/ERR_INTERNET_DISCONNECTED/)
      problems.expect(/507/)
      await openImport(page)
      await fileField(page).setInputFiles(files.write("bookmarks.html", three()))
      await page.context().setOffline(true)
      await importButton(page, "Import").click()
      await importSays(page, "Not imported. The library cannot be reached.")
      expect(await chosenFile(page)).toBe("bookmarks.html")
      await page.context().setOffline(false)
      await page.route("**/dashboard/api/import*", (route) =>
        route.fulfill({ status: 507, json: { error: "full", message: "The disk is full." } })
      )
      await importButton(page, "Import").click()
      await importSays(page, "Not imported. The disk is full.")
      await page.unroute("**/dashboard/api/import*")
      await importButton(page, "Import").click()
      await importSays(page, "1 new link")
    }))
})

describe("the rejected entries", () => {
  test("are listed up to a thousand, and can be copied and saved", () =>
    look(
      async (page) => {
        await openImport(page)
        const rows = Array.from({ length: 1_200 }, (_, n) => `nowhere ${n},Row ${n}`)
        await importFile(
          page,
          files.write("bad.csv", ["url,title", `${library().world.pages.url}/plain,Good`, ...rows].join("\n"))
        )
        await importSays(page, "1 new link, 1,200 rejected.")
        await importSays(page, "The first 1,000 of them:")
        expect(
          await importDialog(page).getByRole("list", { name: "Rejected" }).getByRole("listitem").count()
        ).toBe(1_000)
        await importDialog(page).getByRole("button", { name: "Copy the list" }).click()
        await importSays(page, "Copied")
        const copied = await clipboardText(page)
        expect(copied).toStartWith("Line 3: “nowhere 0”")
        expect(copied.trimEnd().split("\n")).toHaveLength(1_000)
        const saving = page.waitForEvent("download")
        await importButton(page, "Save as text").click()
        const saved = await saving
        expect(saved.suggestedFilename()).toBe("rejected.txt")
        expect(readFileSync(await saved.path(), "utf8")).toBe(copied)
      },
      { permissions: ["clipboard-read", "clipboard-write"] }
    ))
})

describe("the import dialog", () => {
  test("works with the keyboard alone, and returns the focus", () =>
    look(async (page) => {
      const [link] = await links()
      // Registered early, because the browser must be told to intercept the chooser.
      const choosing = page.waitForEvent("filechooser")
      await page.keyboard.press("j")
      await standsOn(page, link?.id)
      await openImport(page)
      await page.keyboard.press("Enter")
      await (await choosing).setFiles(files.write("bookmarks.html", three()))
      await page.keyboard.press("Tab")
      await page.keyboard.press("Space")
      expect(await importDialog(page).getByRole("checkbox").isChecked()).toBe(false)
      await page.keyboard.press("Tab")
      await page.keyboard.press("Tab")
      expect(await focused(page)).toBe("Import")
      await page.keyboard.press("Enter")
      await importSays(page, "1 new link")
      expect(await focused(page)).toBe("Close")
      await importSays(page, "Read the page of 1 imported link")
      for (let back = 0; back < 3; back++) await page.keyboard.press("Shift+Tab")
      expect(await focused(page)).toBe("Read the page of 1 imported link")
      await page.keyboard.press("Escape")
      await gone(page)
      await standsOn(page, link?.id)
    }))
})

/** A page that responds late. */
const slow = (n: number) => `${library().world.pages.url}/slow?ms=700&t=Page${n}`

describe("reading pages", () => {
  test("is paused and continued from the jobs menu", () =>
    look(async (page) => {
      const entries = Array.from({ length: 12 }, (_, n) => ({ url: slow(n), title: `Entry ${n}` }))
      await openImport(page)
      await importFile(page, files.write("slow.html", netscapeOf("Slow", entries)))
      await importSays(page, "12 new links.")
      await importButton(page, "Close").click()
      await page.getByRole("button", { name: /^Reading pages [1-9]\d* of 12/ }).waitFor()
      await page.locator(".jobs-button").click()
      await jobsMenu(page).getByRole("button", { name: "Pause" }).click()
      await jobsMenu(page)
        .getByText(/^Paused at \d+ of 12\.$/)
        .waitFor()
      const { unread } = await counts()
      expect(unread).toBeGreaterThan(0)
      await page.waitForTimeout(1_000)
      expect((await counts()).unread).toBe(unread)
      await jobsMenu(page)
        .getByRole("button", { name: `Read the pages of ${unread} imported links` })
        .click()
      await jobsMenu(page).getByRole("button", { name: "Pause" }).waitFor()
      await until(async () => (await counts()).unread === 0, 30)
      await jobsMenu(page)
        .getByText(new RegExp(`^${unread} pages read\\.$`))
        .waitFor()
      expect((await links()).every(({ enrichment }) => enrichment === "complete")).toBe(true)
    }))
})

describe("an export", () => {
  test("downloads each of the three formats", () =>
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

testAccessibility(
  (device, check) =>
    look(
      async (page) => {
        await openImport(page)
        await check(page)
        await importFile(page, files.write("broken.json", "{"))
        await importSays(page, "Nothing was changed.")
        await check(page)
        await importDialog(page).getByRole("checkbox").uncheck()
        await importFile(page, files.write("bookmarks.html", three()))
        await importSays(page, "1 new link")
        await check(page, "import")
        await importButton(page, "Close").click()
        await page.locator(".jobs-button").click()
        await jobsMenu(page).getByText("Read the page of 1 imported link").waitFor()
        await check(page)
        await page.keyboard.press("Escape")
        const held = await dragIn(
          page,
          { files: [files.write("bookmarks.html", three())] },
          { x: 100, y: 300 }
        )
        await dropTarget(page).waitFor()
        await check(page)
        await held.leave()
        await command(page, "csv")
        await page.getByRole("dialog", { name: "Export" }).waitFor()
        await check(page)
      },
      { device }
    ),
  "importing and exporting"
)
