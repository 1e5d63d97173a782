import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Job } from "../../web/app/api.ts"
import { movesOf } from "../../web/app/jobText.ts"
import { until } from "../support/service.ts"
import { TEST_TIMEOUT, type View, visit } from "./support/browser.ts"
import { everybodyCanUse } from "./support/everybody.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { makeOwner } from "./support/owner.ts"
import type { Problems } from "./support/problems.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
let owner: ReturnType<typeof makeOwner>
beforeAll(async () => {
  library = await startLibrary(150)
  owner = makeOwner(library)
})
afterAll(() => library.stop())

const collectionOf = async (id: number) =>
  (await owner.links()).find((link) => link.id === id)?.collection ?? null

const look = async <A>(
  body: (page: Page, problems: Problems) => Promise<A>,
  path = "/dashboard",
  view: Partial<View> = {}
) =>
  visit(await library.owner(view), async (page, problems) => {
    await page.goto(path)
    await page.locator('.live[data-on="true"]').waitFor()
    return await body(page, problems)
  })

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
  test("is shown first: the moves that are ticked are made, and no others, and taken back at once", () =>
    look(async (page) => {
      await ask(page, "Organize…")
      await inDialog(page, "Preview").click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page.getByRole("heading", { name: "Organize, a preview" }).waitFor()
      const moves = movesOf(await owner.ended(idIn(page)))
      expect(moves.length).toBeGreaterThan(3)
      await page.getByRole("button", { name: `Apply ${moves.length} moves` }).waitFor()
      const [first, ...others] = moves
      if (first === undefined) return expect.unreachable()
      await page.getByRole("checkbox", { name: first.title, exact: true }).first().click()
      await page.getByRole("button", { name: `Apply ${others.length} moves` }).click()
      await page.getByText(`Filed ${others.length} links.`).waitFor()
      for (const { id, to } of others) expect((await collectionOf(id))?.name).toBe(to)
      expect(await collectionOf(first.id)).toBeNull()
      await page.getByText(`filed in ${others[0]?.to}`).first().waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Undone.").waitFor()
      for (const { id } of others) expect(await collectionOf(id)).toBeNull()
      await page.getByRole("button", { name: `Apply ${others.length} moves` }).waitFor()
    }))

  test("says of each link where it would go, how sure that is, and which links say so", async () => {
    const job = await owner.act({ action: "organize", dryRun: true })
    const [move] = movesOf(job)
    if (move === undefined) return expect.unreachable()
    await look(async (page) => {
      const row = page.locator(".move").first()
      const all = await owner.links()
      const link = all.find(({ id }) => id === move.id)
      await row.getByRole("link").first().waitFor()
      expect(await row.getByRole("link").first().getAttribute("href")).toBe(link?.url ?? "")
      await row.getByText(`${Math.round(move.similarity * 100)} % similar`).click()
      const because = move.because.map((id) => all.find((one) => one.id === id)?.title)
      await until(async () => (await row.locator("details li").count()) === because.length)
      expect(await row.locator("details li").allTextContents()).toEqual(because.map(String))
    }, `/dashboard/jobs/${job.id}`)
  })

  test("files everything, says so where it is, and can be taken back as a whole", () =>
    look(async (page) => {
      const before = (await owner.links("limit=1000&collection=none")).length
      await ask(page, "Organize…")
      await inDialog(page, "Organize").click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page
        .locator(".job-outcome")
        .getByText(/^Filed \d+ links/)
        .waitFor()
      const moves = movesOf(await owner.job(idIn(page)))
      expect((await owner.links("limit=1000&collection=none")).length).toBe(before - moves.length)
      await until(async () => (await page.locator(".move").count()) === moves.length)
      expect(await page.getByRole("checkbox").count()).toBe(0)
      await page.getByRole("button", { name: "Undo everything" }).click()
      await page.getByText("Undone.").waitFor()
      expect((await owner.links("limit=1000&collection=none")).length).toBe(before)
      await page.getByRole("button", { name: "Undo everything" }).waitFor({ state: "detached" })
    }))

  test("that is refused is said to be, and the question stays", () =>
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
    reply = library.world.model.reply
  })
  afterEach(() => Object.assign(library.world.model, { delay: 0, reply }))

  test("shows how far it is to whoever looks, and what came of it", async () => {
    const { model } = library.world
    model.reply = JSON.stringify({
      links: (await owner.links()).map(({ id }) => ({ id, category: "sorted anew" }))
    })
    model.delay = 700
    await look(async (page) => {
      await ask(page, "Recategorize…")
      await page.getByRole("dialog").getByText("claude-haiku").waitFor()
      await inDialog(page, "Recategorize").click()
      await page.getByRole("button", { name: /^Recategorize \d+ of 150/ }).waitFor()
      await page
        .getByRole("status")
        .filter({ hasText: /^Recategorize \d+ of 150/ })
        .waitFor({ state: "attached" })
      const other = await page.context().newPage()
      await other.goto("/dashboard")
      await other.getByRole("button", { name: /^Recategorize \d+ of 150/ }).waitFor()
      await other.close()
      await until(async () => Number(await page.locator(".jobs-button progress").getAttribute("value")) > 0)
      model.delay = 0
      const message = page.locator(".toast", { hasText: "Recategorize: 150 categories changed." })
      await message.getByRole("button", { name: "Open" }).click()
      await page.waitForURL("**/dashboard/jobs/*")
      await page.getByRole("heading", { name: "Recategorize", exact: true }).waitFor()
      expect(new Set((await owner.links()).map(({ category }) => category))).toEqual(new Set(["sorted anew"]))
      await page.getByRole("button", { name: "Undo everything" }).click()
      await until(async () => new Set((await owner.links()).map(({ category }) => category)).size > 1)
      // The button is quiet again.
      await page.getByRole("button", { name: "Jobs", exact: true }).waitFor()
    })
  })
})

describe("recategorizing what the owner set", () => {
  test("is asked for in the dialog, and undone as the owner's own", async () => {
    const { model } = library.world
    const reply = model.reply
    const all = await owner.links()
    const [first] = all
    if (first === undefined) return expect.unreachable()
    await library.client.owner("POST", "/api/mutate", { op: "category", ids: [first.id], category: "mine" })
    // The model would move this one link alone.
    model.reply = JSON.stringify({ links: [{ id: first.id, category: "theirs" }] })
    const category = async () => (await owner.links()).find(({ id }) => id === first.id)?.category
    try {
      await look(async (page) => {
        const choice = page.getByRole("checkbox", { name: "Include categories I set by hand" })
        await ask(page, "Recategorize…")
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
      const again = await owner.act({ action: "recategorize" })
      await owner.ended(again.id)
      expect(await category()).toBe("mine")
    } finally {
      model.reply = reply
    }
  })
})

describe("the menu of jobs", () => {
  test("still knows after a reload what the last jobs came to, and takes one back", () =>
    look(async (page) => {
      const job = await owner.act({ action: "organize" })
      await page.reload()
      await openMenu(page)
      const row = menu(page).getByRole("listitem").first()
      await row
        .getByText(/^Filed \d+ links/)
        .first()
        .waitFor()
      await row.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Undone.").waitFor()
      expect((await owner.job(job.id)).undo).toBeUndefined()
      await row.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" })
      await row.getByRole("link").click()
      await page.waitForURL(`**/dashboard/jobs/${job.id}`)
      await menu(page).waitFor({ state: "hidden" })
    }))

  test("has no job where none was", () =>
    look(async (page, problems) => {
      problems.expect(/404/)
      await page.getByRole("heading", { name: "There is no job 9999." }).waitFor()
    }, "/dashboard/jobs/9999"))
})

describe("a job that did not come to its end", () => {
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

  test("says why it failed, and starts again", () =>
    show({ action: "organize", state: "failed", error: "The disk is full." }, async (page) => {
      await page.getByText("Failed: The disk is full.").waitFor()
      await page.getByRole("button", { name: "Start again" }).click()
      await inDialog(page, "Preview").waitFor()
    }))

  test("says where it was interrupted, and that it goes on from there", () =>
    show({ action: "recategorize", state: "interrupted", error: null }, async (page) => {
      await page.getByText("Interrupted at 120 of 540.").waitFor()
      await page.getByText("Starting it again continues from there.").waitFor()
      await page.getByRole("button", { name: "Start again" }).click()
      await page.getByRole("checkbox", { name: "Include categories I set by hand" }).waitFor()
    }))
})

describe("everybody can use it", () => {
  everybodyCanUse(async (device, fitsOf) => {
    const preview = await owner.act({ action: "organize", dryRun: true })
    await look(
      async (page) => {
        const fits = fitsOf(page)
        await openMenu(page)
        await fits()
        for (const name of ["Organize…", "Recategorize…"]) {
          await menu(page).getByRole("button", { name }).click()
          await inDialog(page, "Cancel").waitFor()
          await fits()
          await inDialog(page, "Cancel").click()
          await openMenu(page)
        }
        await page.goto(`/dashboard/jobs/${preview.id}`)
        await page.locator(".move a").first().waitFor()
        await page.locator(".move-because > summary").first().click()
        await fits()
      },
      "/dashboard",
      { device }
    )
  })
})
