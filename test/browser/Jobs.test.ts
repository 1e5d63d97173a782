import { afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Job, Move } from "../../web/app/api.ts"
import { movesOf } from "../../web/app/jobOutcome.ts"
import { until } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { useLibrary } from "./support/useLibrary.ts"

const SIZE = 120
const library = useLibrary(SIZE)
const {
  act,
  ended,
  job: jobOf,
  linkOf,
  links,
  look,
  lookAt,
  mutate
} = dashboardOf(library, '.live[data-on="true"]')

const collectionOf = async (id: number) => (await linkOf(id))?.collection ?? null

const menu = (page: Page) => page.getByRole("dialog", { name: "Jobs" })
const openMenu = async (page: Page) => {
  await page.locator(".jobs-button").click()
  await menu(page).waitFor()
}
const ask = async (page: Page, name: string) => {
  await openMenu(page)
  await menu(page).getByRole("button", { name }).click()
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
        band.map(({ similarity }) => Math.round(similarity * 100))
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
    }))

  test("ticks all moves of a collection at once", async () => {
    const moves = movesOf(await act({ action: "organize", dryRun: true }))
    const [first] = moves
    if (first === undefined) return expect.unreachable()
    const { id } = await act({ action: "organize", dryRun: true })
    await lookAt(async (page) => {
      await page.getByRole("button", { name: "By collection" }).click()
      const group = page.locator(".moves-group", { hasText: `→ ${first.to}` })
      const all = group.getByRole("checkbox", { name: `All: → ${first.to}` })
      const size = moves.filter(({ to }) => to === first.to).length
      await all.check()
      await until(async () => (await group.getByRole("checkbox", { checked: true }).count()) === size + 1)
      await all.uncheck()
      await until(async () => (await group.getByRole("checkbox", { checked: true }).count()) === 0)
      await page.getByRole("button", { name: "Most similar first" }).click()
      await page.getByRole("checkbox", { name: "All: Likely" }).waitFor()
    }, `/dashboard/jobs/${id}`)
  })

  test("shows each link's target, its similarity and the similar links", async () => {
    const job = await act({ action: "organize", dryRun: true })
    const [move] = movesOf(job)
    if (move === undefined) return expect.unreachable()
    await lookAt(async (page) => {
      const row = page.locator(".move").first()
      const all = await links()
      const link = all.find(({ id }) => id === move.id)
      await row.getByRole("link").first().waitFor()
      expect(await row.getByRole("link").first().getAttribute("href")).toBe(link?.url ?? "")
      await row.getByText(`${Math.round(move.similarity * 100)}% similar`).click()
      const because = move.because.map((id) => all.find((one) => one.id === id)?.title)
      await until(async () => (await row.locator("details li").count()) === because.length)
      expect(await row.locator("details li").allTextContents()).toEqual(because.map(String))
    }, `/dashboard/jobs/${job.id}`)
  })

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
    }))

  test("keeps its dialog open if the service rejects it", () =>
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
    }))
})

describe("recategorizing", () => {
  let reply = ""
  beforeAll(() => {
    reply = library().world.model.reply
  })
  afterEach(() => Object.assign(library().world.model, { delay: 0, reply }))

  test("shows its progress in every tab, and its result", async () => {
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
      await choice.uncheck()
      expect(await choice.isChecked()).toBe(false)
      await inDialog(page, "Recategorize").click()
      await page.locator(".toast", { hasText: "Recategorize: No category changed." }).waitFor()
      expect(await category()).toBe("mine")

      await ask(page, "Recategorize…")
      await choice.check()
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
  test("shows the results of finished jobs after a reload, and undoes one", () =>
    look(async (page) => {
      const job = await act({ action: "organize" })
      await page.reload()
      await openMenu(page)
      const row = menu(page).getByRole("listitem").first()
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
      await menu(page).waitFor({ state: "hidden" })
    }))

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
  const show = (job: Partial<Job>, body: (page: Page) => Promise<void>) =>
    look(async (page) => {
      await page.route("**/dashboard/api/jobs/77", (route) =>
        route.fulfill({ json: { job: { id: 77, ...cut, ...job } } })
      )
      await page.goto("/dashboard/jobs/77")
      await body(page)
    })

  test("says why it failed, and can be started again", () =>
    show({ action: "organize", state: "failed", error: "The disk is full." }, async (page) => {
      await page.getByText("Failed: The disk is full.").waitFor()
      await page.getByRole("button", { name: "Start again" }).click()
      await inDialog(page, "Preview").waitFor()
    }))

  test("says where it was interrupted, and that it continues from there", () =>
    show({ action: "recategorize", state: "interrupted", error: null }, async (page) => {
      await page.getByText("Interrupted at 120 of 540.").waitFor()
      await page.getByText("Starting it again continues from there.").waitFor()
      await page.getByRole("button", { name: "Start again" }).click()
      await page.getByRole("checkbox", { name: "Include categories I set by hand" }).waitFor()
    }))
})

testAccessibility(async (device, check) => {
  const preview = await act({ action: "organize", dryRun: true })
  await look(
    async (page) => {
      await openMenu(page)
      await check(page)
      for (const name of ["Organize…", "Recategorize…"]) {
        await menu(page).getByRole("button", { name }).click()
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
