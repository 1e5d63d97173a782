import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Statistics } from "../../web/app/api.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { visit } from "./support/browser.ts"
import { countIs } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { countTraffic, vitals } from "./support/measure.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)
const { ended, links, look, lookAt } = journeyOf(library, ".card, .notice, .page")

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

const statistics = async (): Promise<Statistics> =>
  (await library().client.owner("GET", "/api/statistics")).json()
const STATISTICS = "/dashboard/statistics"
const ABOUT = "/dashboard/settings#about"

const chart = (page: Page, name: string) =>
  page.locator(".chart").filter({ has: page.getByRole("heading", { name, exact: true }) })

describe("the statistics page", () => {
  long(test)("is reached from the settings, and counts the library", () =>
    lookAt(async (page) => {
      await page.getByRole("link", { name: "Statistics" }).click()
      const { favorites, links, savedThisMonth } = await statistics()
      await page.locator(".tile", { hasText: `${links} links` }).waitFor()
      await page.locator(".tile", { hasText: `${favorites} favorites` }).waitFor()
      await page.locator(".tile").getByRole("link", { name: "saved in 30 days" }).click()
      await countIs(page, savedThisMonth)
    }, ABOUT)
  )

  long(test)(
    "draws a bar for each week, described for those who cannot see it, and has the same as a table",
    () =>
      lookAt(async (page) => {
        const { weeks } = await statistics()
        const total = weeks.reduce((sum, { saved }) => sum + saved, 0)
        await page.getByRole("img", { name: /Links saved per week/ }).waitFor()
        const named = page.getByRole("img", {
          name: new RegExp(`${total} links in 52 weeks\\. The most were`)
        })
        expect(await named.count()).toBe(1)
        const heights = await page
          .locator(".week-bar")
          .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute("height"))))
        expect(heights.length).toBe(52)
        const most = Math.max(...weeks.map(({ saved }) => saved))
        for (const [at, { saved }] of weeks.entries())
          expect((heights[at] ?? 0) / Math.max(...heights)).toBeCloseTo(saved / most)
        await page.getByText("Show as a table").click()
        const cells = await page.locator(".chart-scroll tbody td:last-child").allTextContents()
        expect(cells.map(Number)).toEqual(weeks.toReversed().map(({ saved }) => saved))
      }, STATISTICS)
  )

  long(test)("lists sites, tags, categories and collections with their links", () =>
    lookAt(async (page) => {
      const { top } = await statistics()
      for (const [name, all] of [
        ["Sites", top.sites],
        ["Tags", top.tags],
        ["Categories", top.categories],
        ["Collections", top.collections]
      ] as const) {
        const rows = chart(page, name).locator("tbody tr")
        await rows.first().waitFor()
        const more = chart(page, name).getByRole("button", { name: /^Show \d+ more/ })
        if ((await more.count()) > 0) await more.click()
        const shown = await rows.evaluateAll((found) =>
          found.map((row) => [
            row.querySelector("th")?.textContent,
            Number(row.querySelector("td")?.textContent)
          ])
        )
        expect(shown).toEqual(all.map((one) => [one.name, one.count]))
      }
      const [site] = top.sites
      await chart(page, "Sites").getByRole("link").first().click()
      await countIs(page, site?.count ?? 0)
    }, STATISTICS)
  )

  long(test)("says why it cannot be shown, and tries again", () =>
    lookAt(async (page, problems) => {
      problems.expect(/503/)
      const path = "**/dashboard/api/statistics"
      await page.route(path, (route) =>
        route.fulfill({ status: 503, json: { error: "unavailable", message: "The search thread stopped." } })
      )
      await page.getByRole("link", { name: "Statistics" }).click()
      await page.getByText("The search thread stopped.").waitFor()
      await page.unroute(path)
      await page.getByRole("button", { name: "Try again" }).click()
      await page.locator(".week-bar").first().waitFor()
    }, ABOUT)
  )

  testAccessibility((device, check) =>
    lookAt(
      async (page) => {
        await page.locator(".week-bar").first().waitFor()
        await page.getByText("Show as a table").click()
        await check(page, "statistics")
      },
      STATISTICS,
      { device }
    )
  )
})
