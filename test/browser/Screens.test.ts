import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { assertAccessible } from "./support/axe.ts"
import { desktop, phone, TEST_TIMEOUT, type View, visit } from "./support/browser.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import { countTraffic, vitals } from "./support/measure.ts"
import { shoot } from "./support/shoot.ts"

setDefaultTimeout(TEST_TIMEOUT)

let library: StartedLibrary
let empty: StartedLibrary
beforeAll(async () => {
  ;[library, empty] = await Promise.all([startLibrary(500), startLibrary(0)])
  // The same article at three addresses: a group of duplicates at least.
  for (const n of [1, 2, 3])
    await library.client.capture({
      url: `${library.world.pages.url}/plain?t=Badgers+of+the+northern+woods&copy=${n}`,
      note: n === 2 ? "With the better pictures." : ""
    })
  await until(async () =>
    (await library.client.links("?q=badgers")).every(({ enrichment }) => enrichment === "complete")
  )
  await finished(await start({ action: "dupes" }))
})
afterAll(async () => {
  await Promise.all([library.stop(), empty.stop()])
})

const start = async (action: object): Promise<number> => {
  const { job } = await (await library.client.owner("POST", "/api/action", action)).json()
  return job.id
}
const finished = (id: number) =>
  until(async () => {
    const { job } = await (await library.client.owner("GET", `/api/jobs/${id}`)).json()
    return job.state !== "running"
  }, 30)

interface Screen {
  readonly name: string
  readonly of?: "empty" | "public"
  readonly path: string
  /** Brings up what is to be seen. */
  readonly show: (page: Page) => Promise<unknown>
  readonly prepare?: () => Promise<() => Promise<unknown>>
}

const cards = (page: Page) => page.locator(".card").first().waitFor()

/** A job that takes its time while `show` looks at it. */
const runningJob = async () => {
  const links = await library.client.links()
  // The model leaves every link where it is.
  library.world.model.reply = JSON.stringify({ links: links.map(({ category, id }) => ({ id, category })) })
  library.world.model.delay = 1_500
  const id = await start({ action: "recategorize" })
  return async () => {
    library.world.model.delay = 0
    await finished(id)
  }
}

/** Some lines are links, others are none; their pages are left for later. */
const lines = () => [
  "url,title,tags,folder",
  ...["Setts", "Cubs", "Foraging", "Tracks"].map(
    (title) => `https://badgers.example/${crypto.randomUUID()},${title},animals,Badgers`
  ),
  "javascript:void(0),A button,,",
  ",No address,,",
  "mailto:keeper@badgers.example,The keeper,,"
]

const importFile = async (page: Page) => {
  await cards(page)
  await page.getByRole("button", { name: "Jobs", exact: true }).click()
  await page.getByRole("button", { name: "Import…" }).click()
  const dialog = page.getByRole("dialog", { name: "Import a file" })
  await dialog
    .getByLabel("File", { exact: true })
    .setInputFiles({ name: "badgers.csv", mimeType: "text/csv", buffer: Buffer.from(lines().join("\n")) })
  await dialog.getByRole("checkbox", { name: "Read the pages now" }).uncheck()
  await dialog.getByRole("button", { name: "Import", exact: true }).click()
  await dialog.getByText("3 entries were rejected").waitFor()
  await dialog.getByText(/^Read the pages of/).waitFor()
}

const screens: ReadonlyArray<Screen> = [
  {
    name: "first-run",
    of: "empty",
    path: "/dashboard",
    show: (page) => page.getByRole("heading", { level: 2 }).first().waitFor()
  },
  { name: "library", path: "/dashboard", show: cards },
  {
    name: "rows",
    path: "/dashboard",
    show: async (page) => {
      await cards(page)
      await page.evaluate(() => localStorage.setItem("linkbower.density", "rows"))
      await page.reload()
      await page.locator('.card[data-density="rows"]').first().waitFor()
    }
  },
  {
    name: "search",
    path: "/dashboard?q=server%20-windows%20after%3A2025-01-01&category=selfhosted",
    show: (page) =>
      page
        .getByRole("button", { name: /^Remove filter/ })
        .first()
        .waitFor()
  },
  {
    name: "edit",
    path: "/dashboard",
    show: async (page) => {
      await cards(page)
      await page.keyboard.press("j")
      await page.keyboard.press("e")
      await page.getByRole("dialog").waitFor()
    }
  },
  {
    name: "duplicates",
    path: "/dashboard/duplicates",
    show: (page) => page.getByRole("radio").first().waitFor()
  },
  {
    name: "jobs",
    path: "/dashboard",
    prepare: runningJob,
    show: async (page) => {
      await cards(page)
      await page
        .getByRole("button", { name: /Recategorize/ })
        .first()
        .click()
      await page.locator("[popover]:popover-open").waitFor()
    }
  },
  {
    name: "nothing-found",
    path: "/dashboard?q=zzzzqqqq&category=nowhere",
    show: (page) => page.getByRole("heading", { name: /Nothing found/ }).waitFor()
  },
  {
    name: "add",
    path: "/dashboard/add?url=https%3A%2F%2Fexample.org%2Fpage&title=A%20page",
    show: (page) => page.getByRole("button", { name: "Save" }).waitFor()
  },
  { name: "public-list", of: "public", path: "/list", show: cards },
  { name: "import", path: "/dashboard", show: importFile }
]

const viewOf = async ({ of }: Screen, look: Omit<View, "base">): Promise<View> =>
  of === "public" ? library.anybody(look) : of === "empty" ? empty.owner(look) : library.owner(look)

describe("every screen", () => {
  for (const screen of screens)
    for (const [deviceName, device] of Object.entries({ desktop, phone }))
      test(`${screen.name} has no barrier: ${deviceName}, light and dark`, async () => {
        const undo = await screen.prepare?.()
        try {
          await visit(await viewOf(screen, { device }), async (page) => {
            await page.goto(screen.path)
            await screen.show(page)
            for (const colorScheme of ["light", "dark"] as const) {
              await page.emulateMedia({ colorScheme })
              await assertAccessible(page, { colours: colorScheme === "dark" })
              await shoot(page, `${screen.name}-${deviceName}-${colorScheme}`)
            }
          })
        } finally {
          await undo?.()
        }
      })
})

describe("a first load", () => {
  for (const [name, path, most] of [
    ["dashboard", "/dashboard", 60_000],
    ["public list", "/list", 60_000]
  ] as const)
    test(`of the ${name} takes less than ${most / 1000} kB but for its pictures, and nothing moves`, async () => {
      const view = name === "dashboard" ? await library.owner() : library.anybody()
      await visit(view, async (page) => {
        const traffic = await countTraffic(page)
        await page.goto(path)
        await cards(page)
        await page.waitForTimeout(600)
        const own = traffic.answers.filter(({ url }) => !/\/(image|favicon)\b/.test(new URL(url).pathname))
        const received = own.reduce((sum, { bytes }) => sum + bytes, 0)
        expect(received).toBeLessThan(most)
        const { cumulativeLayoutShift, firstContentfulPaint, largestContentfulPaint, longTasks, shifted } =
          await vitals(page)
        console.log(
          `${name}: ${received} bytes, first paint ${firstContentfulPaint} ms, largest ${largestContentfulPaint} ms, long tasks ${longTasks}`
        )
        expect([cumulativeLayoutShift, shifted]).toEqual([0, []])
      })
    })
})
