import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { visit } from "./support/browser.ts"
import { journeyOf } from "./support/journey.ts"
import { countTraffic, vitals } from "./support/measure.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)
const { ended, links, look, lookAt } = journeyOf(library, ".card, .notice, h2")

const start = async (action: object): Promise<number> => {
  const { job } = await (await library().client.owner("POST", "/api/action", action)).json()
  return job.id
}

/** Starts a job that is still running when `show` looks at it. */
const withRunningJob = async (show: () => Promise<unknown>) => {
  const { model } = library().world
  // The model leaves every link in its category.
  model.reply = JSON.stringify({ links: (await links()).map(({ category, id }) => ({ id, category })) })
  model.delay = 1_500
  const id = await start({ action: "recategorize" })
  try {
    await show()
  } finally {
    model.delay = 0
    await ended(id)
  }
}

const MAX_BYTES = 60_000

const measure = async (page: Page, path: string) => {
  const traffic = await countTraffic(page)
  await page.goto(path)
  await page.locator(".card").first().waitFor()
  await page.waitForTimeout(600)
  const own = traffic.answers.filter(({ url }) => !/\/(image|favicon)\b/.test(new URL(url).pathname))
  const { cumulativeLayoutShift, shifted } = await vitals(page)
  expect(own.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MAX_BYTES)
  expect([cumulativeLayoutShift, shifted]).toEqual([0, []])
}

// First, because enrichment and jobs cause requests after a first load.
describe("a first load", () => {
  test("of the dashboard takes less than 60 kB without its pictures, and has no layout shift", async () =>
    visit(await library().owner(), (page) => measure(page, "/dashboard")))
})

describe("a screen", () => {
  testAccessibility(
    (device, check) =>
      look(
        async (page) => {
          await check(page, "library")
          await page.keyboard.press("Shift+D")
          await page.locator('.card[data-density="rows"]').first().waitFor()
          await check(page, "rows")
        },
        { device }
      ),
    "with cards and with rows"
  )

  long(testAccessibility)(
    (device, check) =>
      lookAt(
        async (page) => {
          await page.getByRole("heading", { name: /Nothing found/ }).waitFor()
          await check(page, "nothing-found")
        },
        "/dashboard?q=zzzzqqqq&category=nowhere",
        { device }
      ),
    "without results"
  )
})

describe("a first load", () => {
  long(test)("of the public list takes less than 60 kB without its pictures, and has no layout shift", () =>
    visit(library().anybody(), (page) => measure(page, "/list"))
  )
})

describe("a screen", () => {
  long(testAccessibility)(
    (device, check) =>
      withRunningJob(() =>
        look(
          async (page) => {
            await page
              .getByRole("button", { name: /Recategorize/ })
              .first()
              .click()
            await page.locator("[popover]:popover-open").waitFor()
            await check(page, "jobs")
          },
          { device }
        )
      ),
    "with a running job"
  )
})
