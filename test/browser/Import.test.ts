import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { readFileSync, rmSync, truncateSync } from "node:fs"
import type { Page } from "playwright-core"
import { percent } from "../../src/shared/Format.ts"
import type { Job, Move } from "../../web/app/api.ts"
import { movesOf } from "../../web/app/jobOutcome.ts"
import { until } from "../support/service.ts"
import { byTier, isLong, long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { focused, gone, pressKeys, standsOn } from "./support/dashboard.ts"
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

const SIZE = 120
const files = makeFiles()
const library = useLibrary(SIZE)
afterAll(files.clean)

const {
  fresh,
  act,
  begin,
  counts,
  ended,
  job: jobOf,
  linkOf,
  links,
  look,
  lookAt,
  mutate,
  pageCalled,
  three,
  titles
} = importsOf(library)

// Jobs first, over the library as it is; every import begins with a library of one link.

const collectionOf = async (id: number) => (await linkOf(id))?.collection ?? null

const openMenu = async (page: Page) => {
  await page.locator(".jobs-button").click()
  await jobsMenu(page).waitFor()
}
const ask = async (page: Page, name: string) => {
  await openMenu(page)
  await jobsMenu(page).getByRole("button", { name }).click()
}
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true })
const idIn = (page: Page) => Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])

describe("organizing", () => {
  test("previews the moves best first, applies only the ticked ones, and undoes them", () =>
    look(async (page) => {
      await ask(page, "Organize…")
      await inDialog(page, "Preview").click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page.getByRole("heading", { name: "Organize, a preview" }).waitFor()
      const moves = movesOf(await ended(idIn(page)))
      const [first, ...others] = moves.filter(({ sure }) => sure)
      const unclear = moves.filter(({ sure }) => !sure)
      const [unlikely] = unclear
      if (first === undefined || unlikely === undefined) return expect.unreachable()
      const apply = (count: number) => page.getByRole("button", { name: `Apply ${count} moves` })
      const box = ({ title, to }: Move) =>
        page.getByRole("checkbox", { name: `${title} → ${to}`, exact: true }).first()

      await apply(others.length + 1).waitFor()
      await page.getByText(`${others.length + 1} of ${moves.length} ticked`).waitFor()
      const shown = await page.locator(".move-because > summary").allTextContents()
      const percents = shown.map((text) => Number.parseInt(text, 10))
      const bands = [[first, ...others], unclear].map((band) =>
        band.map(({ similarity }) => percent(similarity))
      )
      expect(percents).toEqual(bands.flat())
      for (const band of bands) expect(band).toEqual(band.toSorted((a, b) => b - a))
      expect([await box(first).isChecked(), await box(unlikely).isChecked()]).toEqual([true, false])

      await box(first).click()
      await box(unlikely).click()
      const applied = [...others, unlikely]
      await apply(applied.length).click()
      await page.getByText(`Filed ${applied.length} links.`).waitFor()
      for (const { id, to } of applied) expect((await collectionOf(id))?.name).toBe(to)
      for (const { id } of moves.filter((move) => !applied.includes(move)))
        expect(await collectionOf(id)).toBeNull()
      await page.getByText(`filed in ${unlikely.to}`).first().waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText(/^Undone: /).waitFor()
      for (const { id } of applied) expect(await collectionOf(id)).toBeNull()
      await apply(applied.length).waitFor()

      // A change of many links is reported without them.
      const ids = (await links()).map(({ id }) => id)
      const { undo } = await (await mutate({ op: "collection", ids, collection: "Elsewhere" })).json()
      await apply(0).waitFor()
      await mutate({ op: "undo", token: undo })
      await apply(applied.length).waitFor()
    }))

  long(test)(
    "shows each link's target, its similarity and the similar links, and ticks all moves of a collection at once",
    async () => {
      const job = await act({ action: "organize", dryRun: true })
      const moves = movesOf(job)
      const [first] = moves
      if (first === undefined) return expect.unreachable()
      await lookAt(async (page) => {
        const row = page.locator(".move").first()
        const all = await links()
        const link = all.find(({ id }) => id === first.id)
        await row.getByRole("link").first().waitFor()
        expect(await row.getByRole("link").first().getAttribute("href")).toBe(link?.url ?? "")
        await row.getByText(`${percent(first.similarity)}% similar`).click()
        const because = first.because.map((id) => all.find((one) => one.id === id)?.title)
        await until(async () => (await row.locator("details li").count()) === because.length)
        expect(await row.locator("details li").allTextContents()).toEqual(because.map(String))

        await page.getByRole("button", { name: "By collection" }).click()
        const group = page.locator(".moves-group", { hasText: `→ ${first.to}` })
        const box = group.getByRole("checkbox", { name: `All: → ${first.to}` })
        const size = moves.filter(({ to }) => to === first.to).length
        await box.check()
        await until(async () => (await group.getByRole("checkbox", { checked: true }).count()) === size + 1)
        await box.uncheck()
        await until(async () => (await group.getByRole("checkbox", { checked: true }).count()) === 0)
        await page.getByRole("button", { name: "Most similar first" }).click()
        await page.getByRole("checkbox", { name: "All: Likely" }).waitFor()
      }, `/dashboard/jobs/${job.id}`)
    }
  )

  test("files everything, reports it on the job's page, and undoes it as a whole", () =>
    look(async (page) => {
      const before = (await links("limit=1000&collection=none")).length
      await ask(page, "Organize…")
      await inDialog(page, "Organize").click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page
        .locator(".job-outcome")
        .getByText(/^Filed \d+ links/)
        .waitFor()
      const moves = movesOf(await jobOf(idIn(page)))
      expect((await links("limit=1000&collection=none")).length).toBe(before - moves.length)
      await until(async () => (await page.locator(".move").count()) === moves.length)
      expect(await page.getByRole("checkbox").count()).toBe(0)
      await page.getByRole("button", { name: "Undo everything" }).click()
      await page.getByText(/^Undone: /).waitFor()
      expect((await links("limit=1000&collection=none")).length).toBe(before)
      await page.getByRole("button", { name: "Undo everything" }).waitFor({ state: "detached" })
      await page.locator(".job-outcome", { hasText: "Undone." }).waitFor()
    }))

  long(test)("keeps its dialog open if the service rejects it", () =>
    look(async (page, problems) => {
      problems.expect(/503/)
      await page.route("**/dashboard/api/action", (route) =>
        route.fulfill({
          status: 503,
          json: { error: "unavailable", message: "The library cannot be written." }
        })
      )
      await ask(page, "Organize…")
      await inDialog(page, "Organize").click()
      await page.getByText("Not started. The library cannot be written.").waitFor()
      await inDialog(page, "Cancel").click()
    })
  )
})

describe("recategorizing", () => {
  let reply = ""
  beforeAll(() => {
    reply = library().world.model.reply
  })
  afterEach(() => Object.assign(library().world.model, { delay: 0, reply }))

  long(test)("shows its progress in every tab, and its result", async () => {
    const { model } = library().world
    model.reply = JSON.stringify({
      links: (await links()).map(({ id }) => ({ id, category: "sorted anew" }))
    })
    // Two tabs see it running before it ends.
    model.delay = 2_500
    await look(async (page) => {
      await ask(page, "Recategorize…")
      await page.getByRole("dialog").getByText("claude-haiku").waitFor()
      await page
        .getByRole("dialog")
        .getByText(/the category of 120 links again, in about 6 requests/)
        .waitFor()
      await inDialog(page, "Recategorize").click()
      await page.getByRole("button", { name: /^Recategorize \d+ of 120/ }).waitFor()
      await page
        .getByRole("status")
        .filter({ hasText: /^Recategorize \d+ of 120/ })
        .waitFor({ state: "attached" })
      const other = await page.context().newPage()
      await other.goto("/dashboard")
      await other.getByRole("button", { name: /^Recategorize \d+ of 120/ }).waitFor()
      await other.close()
      await until(async () => Number(await page.locator(".jobs-button progress").getAttribute("value")) > 0)
      model.delay = 0
      const message = page.locator(".toast", { hasText: `Recategorize: ${SIZE} categories changed.` })
      await message.getByRole("button", { name: "Open" }).click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page.getByRole("heading", { name: "Recategorize", exact: true }).waitFor()
      expect(new Set((await links()).map(({ category }) => category))).toEqual(new Set(["sorted anew"]))
      await page.getByRole("button", { name: "Undo everything" }).click()
      await until(async () => new Set((await links()).map(({ category }) => category)).size > 1)
      // The button shows no progress any longer.
      await page.getByRole("button", { name: "Jobs", exact: true }).waitFor()
    })
  })

  test("changes categories set by hand only if that is ticked, and undoes them as set by hand", async () => {
    const [first] = await links()
    if (first === undefined) return expect.unreachable()
    await mutate({ op: "category", ids: [first.id], category: "mine" })
    // The model would change this link only.
    library().world.model.reply = JSON.stringify({ links: [{ id: first.id, category: "theirs" }] })
    const category = async () => (await linkOf(first.id))?.category
    await look(async (page) => {
      const choice = page.getByRole("checkbox", { name: "Include categories I set by hand" })
      await ask(page, "Recategorize…")
      const links = (count: number) => page.getByRole("dialog").getByText(`${count} links`, { exact: true })
      await links(SIZE - 1).waitFor()
      await choice.check()
      await links(SIZE).waitFor()
      await inDialog(page, "Recategorize").click()
      const message = page.locator(".toast", { hasText: "Recategorize: 1 category changed." })
      await message.getByRole("button", { name: "Open" }).click()
      expect(await category()).toBe("theirs")
      await page.getByRole("button", { name: "Undo everything" }).click()
      await until(async () => (await category()) === "mine")
    })
    await act({ action: "recategorize" })
    expect(await category()).toBe("mine")
  })
})

describe("the jobs menu", () => {
  long(test)("shows the results of finished jobs after a reload, and undoes one", () =>
    look(async (page) => {
      const job = await act({ action: "organize" })
      await page.reload()
      await openMenu(page)
      const row = jobsMenu(page).getByRole("listitem").first()
      await row
        .getByText(/^Filed \d+ links/)
        .first()
        .waitFor()
      await row.getByRole("button", { name: "Undo" }).click()
      await page.getByText(/^Undone: /).waitFor()
      expect((await jobOf(job.id)).undo).toBeUndefined()
      await row.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" })
      await row.getByRole("link").click()
      await page.waitForURL(`**/dashboard/jobs/${job.id}`)
      await jobsMenu(page).waitFor({ state: "hidden" })
    })
  )

  test("shows that a job does not exist", () =>
    lookAt(async (page, problems) => {
      problems.expect(/404/)
      await page.getByRole("heading", { name: "There is no job 9999." }).waitFor()
    }, "/dashboard/jobs/9999"))
})

describe("an unfinished job", () => {
  const cut = {
    done: 120,
    total: 540,
    result: null,
    startedAt: "2026-01-01T00:00:00Z",
    endedAt: "2026-01-01T00:01:00Z"
  }
  const show = async (page: Page, id: number, job: Partial<Job>) => {
    await page.route(`**/dashboard/api/jobs/${id}`, (route) =>
      route.fulfill({ json: { job: { id, ...cut, ...job } } })
    )
    await page.goto(`/dashboard/jobs/${id}`)
  }

  test("says why it failed or where it was interrupted, and can be started again", () =>
    look(async (page) => {
      await show(page, 77, { action: "organize", state: "failed", error: "The disk is full." })
      await page.getByText("Failed: The disk is full.").waitFor()
      await page.getByRole("button", { name: "Start again" }).click()
      await inDialog(page, "Preview").waitFor()
      await show(page, 78, { action: "recategorize", state: "interrupted", error: null })
      await page.getByText("Interrupted at 120 of 540.").waitFor()
      await page.getByText("Starting it again continues from there.").waitFor()
      await page.getByRole("button", { name: "Start again" }).click()
      await page.getByRole("checkbox", { name: "Include categories I set by hand" }).waitFor()
    }))
})

long(testAccessibility)(async (device, check) => {
  const preview = await act({ action: "organize", dryRun: true })
  await look(
    async (page) => {
      await openMenu(page)
      await check(page)
      for (const name of ["Organize…", ...(isLong ? ["Recategorize…"] : [])]) {
        await jobsMenu(page).getByRole("button", { name }).click()
        await inDialog(page, "Cancel").waitFor()
        await check(page)
        await inDialog(page, "Cancel").click()
        await openMenu(page)
      }
      await page.goto(`/dashboard/jobs/${preview.id}`)
      await page.locator(".move a").first().waitFor()
      await page.locator(".move-because > summary").first().click()
      await check(page)
    },
    { device }
  )
}, "the jobs menu and a preview")

const question = (page: Page, title = "Take this import back?") => page.getByRole("dialog", { name: title })
const answer = (page: Page, name: string, title?: string) =>
  question(page, title).getByRole("button", { name, exact: true }).click()

/** Imports a file with one new link and one that is in the library. */
const importThree = async (page: Page) => {
  await openImport(page)
  await importFile(page, files.write("bookmarks.html", three()))
  await importSays(page, "1 new link")
}

/** The numbers of the imports so far. */
const imports = async (): Promise<ReadonlyArray<number>> => {
  const { jobs }: { jobs: ReadonlyArray<Job> } = await (
    await library().client.owner("GET", "/api/jobs")
  ).json()
  return jobs.flatMap(({ action, id }) => (action === "import" ? [id] : []))
}

describe("imports", () => {
  beforeEach(begin)

  describe("a chosen file", () => {
    // The choice stays in the page, and so do the changes that Ctrl+Z takes back: tests of them have a page for themselves.
    long(test)("can be imported without its pages, which are read later", () =>
      fresh(async (page) => {
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
        await page.waitForTimeout(byTier(50, 500))
        expect((await counts()).unread).toBe(1)
        await command(page, "read the pages")
        await card.getByText("What the page says.").waitFor()
        await until(async () => (await counts()).unread === 0)
      })
    )

    test("is imported after the dialog is closed, listed among the jobs with its rejects, and taken back there without what was changed since", () =>
      look(async (page, problems) => {
        problems.expect(/409/)
        await openImport(page)
        const earlier = await imports()
        await importFile(page, files.write("bookmarks.html", three()))
        const id = await until(async () => (await imports()).find((id) => !earlier.includes(id)))
        await importButton(page, "Close").click()
        await gone(page)
        await ended(id)
        await page.locator(".jobs-button").click()
        const row = jobsMenu(page)
          .getByRole("listitem")
          .filter({ has: page.locator(`a[href$="/jobs/${id}"]`) })
        await row.getByText("1 new link, 1 already there, 1 rejected.").waitFor()
        await row.getByRole("link", { name: "Import" }).click()
        await page.waitForURL("**/dashboard/jobs/*")
        await page.getByText("Line 8").waitFor()
        await page.getByText("javascript:alert(1)").waitFor()

        const mine = (await links()).find(({ title }) => title === "What I called it")
        await mutate({ op: "note", ids: [mine?.id], note: "Mine" })
        await page.locator(".jobs-button").click()
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

    long(test)("is imported after a running import, and other tabs can import then", async () => {
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
          await importDialog(page).getByText("2 new links, 1 rejected.").first().waitFor()
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

    test("is imported as private, and shared on request, for this file only", async () => {
      const path = files.write("export.json", await exported())
      await look(async (page) => {
        await openImport(page)
        await fileField(page).setInputFiles(path)
        await question(page).waitFor()
        expect(await question(page).isChecked()).toBe(false)
        await importButton(page, "Import").click()
        await importSays(page, "3 new links")
        await importSays(page, "2 links that the file shares were imported unshared")
        expect(await shared()).toBe(0)

        const ids = (await links()).flatMap(({ id, title }) => (title === "The first" ? [] : [id]))
        await mutate({ op: "delete", ids, forever: true })
        await importButton(page, "Import another file").click()
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

    long(testAccessibility)(async (device, check) => {
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
    test("is reported, changes nothing and stays chosen, whether it is unreadable, too large, empty or gone", () =>
      look(async (page) => {
        await openImport(page)
        await importFile(page, files.write("broken.json", '{"bookmarks": [{"url": "https://a.example"'))
        await importSays(page, "Nothing was changed.")
        expect(await chosenFile(page)).toBe("broken.json")
        expect(await fileField(page).getAttribute("aria-invalid")).toBe("true")
        expect(await titles()).toEqual(["The first"])

        const sent: Array<string> = []
        page.on("request", (request) => request.url().includes("/api/import") && sent.push(request.url()))
        const large = files.write("large.csv", "url\n")
        truncateSync(large, 128 * 1024 * 1024 + 1)
        await importFile(page, large)
        await importSays(
          page,
          "Not imported. The file is larger than 128 MiB. Import it on the command line."
        )
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
        // The next file is imported normally.
        await importFile(page, files.write("bookmarks.html", three()))
        await importSays(page, "1 new link")
      }))

    long(test)("stays chosen if the library cannot be reached or rejects it", () =>
      fresh(async (page, problems) => {
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
      })
    )
  })

  describe("the rejected entries", () => {
    long(test)("are listed up to a thousand, and can be copied and saved", () =>
      look(async (page) => {
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
      })
    )
  })

  describe("the import dialog", () => {
    long(test)("works with the keyboard alone, and returns the focus", () =>
      fresh(async (page) => {
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
      })
    )
  })

  /** How many pages the service reads at once. */
  const AT_ONCE = 4
  /** A page that responds at once, or, after those that are read first, a page that is held. */
  const pageAt = (n: number) => `${library().world.pages.url}/${n < AT_ONCE ? "plain" : "held"}?t=Page${n}`

  const PAGES = byTier(6, 12)

  describe("reading pages", () => {
    long(test)("is paused and continued from the jobs menu", () =>
      look(async (page) => {
        const { pages } = library().world
        pages.hold()
        const entries = Array.from({ length: PAGES }, (_, n) => ({ url: pageAt(n), title: `Entry ${n}` }))
        await openImport(page)
        await importFile(page, files.write("slow.html", netscapeOf("Slow", entries)))
        await importSays(page, `${PAGES} new links.`)
        await importButton(page, "Close").click()
        await page.getByRole("button", { name: new RegExp(`^Reading pages [1-9]\\d* of ${PAGES}`) }).waitFor()
        await page.locator(".jobs-button").click()
        await jobsMenu(page).getByRole("button", { name: "Pause" }).click()
        await jobsMenu(page)
          .getByText(new RegExp(`^Paused at \\d+ of ${PAGES}\\.$`))
          .waitFor()
        const { unread } = await counts()
        expect(unread).toBeGreaterThan(0)
        // None is read, although all would respond.
        pages.release()
        await page.waitForTimeout(byTier(100, 1_000))
        expect((await counts()).unread).toBe(unread)
        await jobsMenu(page)
          .getByRole("button", { name: `Read the pages of ${unread} imported links` })
          .click()
        await until(async () => (await counts()).unread === 0)
        await jobsMenu(page)
          .getByText(new RegExp(`^${unread} pages read\\.$`))
          .waitFor()
        expect((await links()).every(({ enrichment }) => enrichment === "complete")).toBe(true)
      })
    )
  })

  describe("an export", () => {
    long(test)("downloads each of the three formats", () =>
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
      })
    )
  })

  long(testAccessibility)(
    (device, check) =>
      fresh(
        async (page) => {
          await openImport(page)
          await importFile(page, files.write("broken.json", "{"))
          await importSays(page, "Nothing was changed.")
          await check(page)
          await importDialog(page).getByRole("checkbox").uncheck()
          await importFile(page, files.write("bookmarks.html", three()))
          await importSays(page, "1 new link")
          await check(page, "import")
          await importButton(page, "Take back…").click()
          await question(page).waitFor()
          await check(page, "take-back")
          await answer(page, "Keep the links")
          await importButton(page, "Close").click()
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
        "/dashboard",
        { device }
      ),
    "importing and exporting"
  )

  describe("taking an import back", () => {
    long(test)(
      "is not offered if the import changed nothing, asks a question that counts the links, and is one of the changes made in this tab, which Ctrl+Z takes back",
      () =>
        fresh(async (page) => {
          await importThree(page)
          expect(await titles()).toEqual(["The first", "What I called it"])
          await importButton(page, "Take back…").click()
          await question(page)
            .getByText(
              "1 link is deleted for good. 1 link that was there before gets its former values back."
            )
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
          await importButton(page, "Import another file").click()
          await importFile(page, files.write("again.html", three()))
          await importSays(page, "0 new links, 2 already there, 1 rejected.")
          expect(await importDialog(page).getByRole("button", { name: "Take back…" }).count()).toBe(0)
          await importButton(page, "Close").click()
          await gone(page)
          await pressKeys(page, "Control+z")
          await answer(page, "Take back")
          await until(async () => (await links()).length === 1)
          await page.locator(".toast", { hasText: "The import was undone" }).last().waitFor()
          await pressKeys(page, "Control+z")
          expect(await question(page).count()).toBe(0)
        })
    )
  })

  long(testAccessibility)(
    (device, check) =>
      look(
        async (page) => {
          await importThree(page)
          await importButton(page, "Take back…").click()
          await answer(page, "Keep the links")
          await importButton(page, "Close").click()
          await page.locator(".jobs-button").click()
          await jobsMenu(page).getByRole("button", { name: "Take back…" }).first().waitFor()
          await jobsMenu(page).getByRole("link", { name: "Import" }).first().click()
          await page.getByRole("button", { name: "Take back…" }).first().waitFor()
          await check(page, "job-take-back")
        },
        { device }
      ),
    "taking an import back"
  )

  describe("a dropped file", () => {
    test("is named before it is imported, its pages are read in the background, and it is ignored when it is dragged out again", () =>
      look(async (page) => {
        const path = files.write("bookmarks.html", three())
        const held = await dragIn(page, { files: [path] })
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
        await importSays(page, /^Read as “.+”, 3 entries\.$/)
        await importSays(page, "Line 8")
        await until(async () => (await counts()).unread === 0)
        expect((await links()).find(({ title }) => title === "What I called it")).toMatchObject({
          summary: "What the page says.",
          tags: expect.arrayContaining(["animals"]),
          collection: { name: "Woods" },
          createdAt: "2023-11-14T22:13:20.000Z"
        })

        await importButton(page, "Close").click()
        await gone(page)
        const out = await dragIn(page, { files: [path] })
        await dropTarget(page).waitFor()
        await out.leave()
        await dropTarget(page).waitFor({ state: "detached" })
        expect(await page.getByRole("dialog").count()).toBe(0)
      }))

    long(test)("is the first one if several are dropped, and replaces the file chosen before", () =>
      look(async (page) => {
        const paths = ["one.html", "two.html"].map((name) => files.write(name, three()))
        await (await dragIn(page, { files: paths })).drop()
        await page.getByText("Only one file at a time: importing “one.html”.").waitFor()
        expect(await chosenFile(page)).toBe("one.html")
        const held = await dragIn(page, { files: paths.slice(1) })
        await dropTarget(page).waitFor()
        await held.drop()
        await until(async () => (await chosenFile(page)) === "two.html")
      })
    )
  })

  describe("a dropped link", () => {
    const link = (url: string) => ({
      "text/uri-list": url,
      "text/plain": url,
      "text/html": `<a href="${url}">a</a>`
    })

    test("fills in the form, as a link or as plain text, and is not saved yet; other text and the page's own links are ignored", () =>
      look(async (page) => {
        await page.locator(".card-title a").dragTo(page.locator(".brand"), { targetPosition: { x: 5, y: 5 } })
        await (await dragIn(page, { texts: { "text/plain": "no address" } })).drop()
        await page.waitForTimeout(100)
        expect(await page.getByRole("dialog").count()).toBe(0)
        expect(new URL(page.url()).pathname).toBe("/dashboard")
        const held = await dragIn(page, { texts: link("https://example.org/dropped") })
        await dropTarget(page).getByText("Drop the link to save it").waitFor()
        await held.drop()
        const address = page.getByRole("textbox", { name: "Address" })
        await until(async () => (await address.inputValue()) === "https://example.org/dropped")
        expect(await titles()).toEqual(["The first"])
        await page.keyboard.press("Escape")
        await gone(page)
        await (await dragIn(page, { texts: { "text/plain": "https://example.org/text" } })).drop()
        await until(async () => (await address.inputValue()) === "https://example.org/text")

        // A file neither closes the dialog nor replaces the page.
        await address.fill("half an addr")
        await (await dragIn(page, { files: [files.write("bookmarks.html", three())] })).drop()
        await page.waitForTimeout(100)
        expect(await dropTarget(page).count()).toBe(0)
        expect(await address.inputValue()).toBe("half an addr")
        expect(new URL(page.url()).pathname).toBe("/dashboard")
      }))
  })
})
