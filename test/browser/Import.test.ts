import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync, rmSync, truncateSync } from "node:fs"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { makeFiles } from "./support/bookmarkFile.ts"
import { phone, TEST_TIMEOUT, visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { dashboardOf, focused, gone, standsOn } from "./support/dashboard.ts"
import { dragIn } from "./support/drag.ts"
import { everybodyCanUse } from "./support/everybody.ts"
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
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { makeOwner } from "./support/owner.ts"
import { shoot } from "./support/shoot.ts"

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

describe("a file that is chosen", () => {
  test("is imported without its pages where they are to be read later, and looks right until then", () =>
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
      // It is still so after a while.
      await page.waitForTimeout(1_000)
      expect((await counts()).unread).toBe(1)
      await command(page, "read the pages")
      await card.getByText("What the page says.").waitFor()
      await until(async () => (await counts()).unread === 0)
    }))

  test("goes on without the dialog, and is found among the jobs with what was rejected", () =>
    look(async (page) => {
      await openImport(page)
      await importFile(page, files.write("bookmarks.html", three()))
      await importButton(page, "Close").click()
      await gone(page)
      await until(async () => (await owner.links()).length === 2)
      await page.locator(".jobs-button").click()
      const row = jobsMenu(page).getByRole("listitem").filter({ hasText: "already there" }).first()
      await row.getByText("1 new link, 1 already there, 1 rejected.").waitFor()
      await row.getByRole("link", { name: "Import" }).click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page.getByText("Line 8").waitFor()
      await page.getByText("javascript:alert(1)").waitFor()
    }))

  test("shows how much of it has been sent; stopped, it stays chosen and nothing is imported", () =>
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

  test("waits for one that came first, which shows how far it is to whoever looks", async () => {
    const urls = Array.from({ length: 10_000 }, (_, n) => `https://many.example/${n}`).join("\n")
    const empty = await startLibrary(0)
    try {
      await visit(await empty.owner(), async (page) => {
        await page.goto("/dashboard")
        const speedUp = await slowDown(page)
        await page.getByRole("button", { name: "Import a file…" }).click()
        await importFile(page, files.write("second.html", `${three()}<!-- ${"x".repeat(3_000_000)} -->`))
        await importSays(page, /second\.html: .* of 3 MB/)
        await sendFile(empty, "many.txt", urls)
        await page.locator(".jobs-text", { hasText: /^Import [\d,]+ of 10,000/ }).waitFor()
        const other = await page.context().newPage()
        await other.goto("/dashboard")
        await openImport(other)
        await importSays(other, /^[\d,]+ of 10,000 links$/)
        await speedUp()
        await importSays(page, "Waiting for the import before it.")
        await importDialog(page).getByText("2 new links, 1 rejected.").first().waitFor({ timeout: 35_000 })
        // The other page has sent nothing and may begin.
        await importButton(other, "Import").waitFor()
        await importButton(page, "Close").click()
        await page.getByText("10,002 links").first().waitFor()
      })
    } finally {
      await empty.stop()
    }
  })
})

describe("an export of Linkbower with shared links", () => {
  /** Of three links, two of them shared; one says so in its note too, where it means nothing. */
  const exported = async () => {
    const links = ["Ash", "Birch", "Cedar"].map((title) => `${library.world.pages.url}/plain?t=${title}`)
    await sendFile(library, "list.txt", links.join("\n"))
    await until(async () => (await owner.links()).length === 4)
    const all = (await owner.links()).filter(({ title }) => title !== "The first")
    const ids = all.map(({ id }) => id)
    const change = (body: object) => library.client.owner("POST", "/api/mutate", body)
    await change({ op: "shareable", ids: ids.slice(0, 2), shareable: true })
    await change({ op: "edit", ids: ids.slice(2), summary: 'It says ,"shareable":true here.' })
    const text = await (await library.client.owner("GET", "/api/export?format=json")).text()
    await change({ op: "delete", ids })
    return text
  }
  const shared = async () => (await counts()).shareable
  const question = (page: Page) =>
    importDialog(page).getByRole("checkbox", { name: "Share the 2 links that are shared in this file" })

  test("comes in private, and says what it would share", async () => {
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

  test("is shared where the owner says so, for this file alone", async () => {
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

  everybodyCanUse(async (device, fitsOf) => {
    const path = files.write("export.json", await exported())
    await look(
      async (page) => {
        await openImport(page)
        await fileField(page).setInputFiles(path)
        await question(page).waitFor()
        await fitsOf(page)()
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          await shoot(page, `import-shared-${device === phone ? "phone" : "desktop"}-${colorScheme}`)
        }
      },
      { device }
    )
  })
})

describe("what cannot be imported", () => {
  test("changes nothing, is said to be unreadable, and stays chosen", () =>
    look(async (page) => {
      await openImport(page)
      const path = files.write("broken.json", '{"bookmarks": [{"url": "https://a.example"')
      await importFile(page, path)
      await importSays(page, "Nothing was changed.")
      expect(await chosenFile(page)).toBe("broken.json")
      expect(await fileField(page).getAttribute("aria-invalid")).toBe("true")
      expect(await titles()).toEqual(["The first"])
      // Another one is as good as the first.
      await importFile(page, files.write("bookmarks.html", three()))
      await importSays(page, "1 new link")
    }))

  test("is not sent where it is too large, empty, gone, or no file", () =>
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

  test("is kept while the library cannot be reached, and where it is refused", () =>
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

describe("what was rejected", () => {
  test("is listed as far as a thousand, to be copied or saved", () =>
    look(
      async (page) => {
        await openImport(page)
        const rows = Array.from({ length: 1_200 }, (_, n) => `nowhere ${n},Row ${n}`)
        await importFile(
          page,
          files.write("bad.csv", ["url,title", `${library.world.pages.url}/plain,Good`, ...rows].join("\n"))
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

describe("with the keyboard alone", () => {
  test("a file is chosen, imported, and the focus comes back to where it was", () =>
    look(async (page) => {
      const [link] = await owner.links()
      // Listened for long before it is needed: the browser has to be told to hand the chooser over.
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
      for (let back = 0; back < 2; back++) await page.keyboard.press("Shift+Tab")
      expect(await focused(page)).toBe("Read the page of 1 imported link")
      await page.keyboard.press("Escape")
      await gone(page)
      await standsOn(page, link?.id)
    }))
})

describe("everybody can use it", () => {
  everybodyCanUse((device, fitsOf) =>
    look(
      async (page) => {
        const fits = fitsOf(page)
        await openImport(page)
        await fits()
        await importFile(page, files.write("broken.json", "{"))
        await importSays(page, "Nothing was changed.")
        await fits()
        await importDialog(page).getByRole("checkbox").uncheck()
        await importFile(page, files.write("bookmarks.html", three()))
        await importSays(page, "1 new link")
        await fits()
        await importButton(page, "Close").click()
        await page.locator(".jobs-button").click()
        await jobsMenu(page).getByText("Read the page of 1 imported link").waitFor()
        await fits()
        await page.keyboard.press("Escape")
        const held = await dragIn(
          page,
          { files: [files.write("bookmarks.html", three())] },
          { x: 100, y: 300 }
        )
        await dropTarget(page).waitFor()
        await fits()
        await held.leave()
        await command(page, "csv")
        await page.getByRole("dialog", { name: "Export" }).waitFor()
        await fits()
      },
      { device }
    )
  )
})
