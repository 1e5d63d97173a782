import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Statistics } from "../../web/app/api.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { countIs } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(120)
const { look, lookAt } = journeyOf(library, "main h2, .card")

const statistics = async (): Promise<Statistics> =>
  (await library().client.owner("GET", "/api/statistics")).json()
const page = "/dashboard/statistics"

const chart = (page: Page, name: string) =>
  page.locator(".chart").filter({ has: page.getByRole("heading", { name, exact: true }) })

describe("the statistics page", () => {
  long(test)("is reached from the sidebar, and counts the library", () =>
    look(async (page) => {
      await page.getByRole("link", { name: "Statistics" }).click()
      const { favorites, links, savedThisMonth } = await statistics()
      await page.locator(".tile", { hasText: `${links} links` }).waitFor()
      await page.locator(".tile", { hasText: `${favorites} favorites` }).waitFor()
      await page.locator(".tile").getByRole("link", { name: "saved in 30 days" }).click()
      await countIs(page, savedThisMonth)
    })
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
      }, page)
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
    }, page)
  )

  long(test)("says why it cannot be shown, and tries again", () =>
    look(async (page, problems) => {
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
    })
  )

  testAccessibility((device, check) =>
    lookAt(
      async (page) => {
        await page.locator(".week-bar").first().waitFor()
        await page.getByText("Show as a table").click()
        await check(page, "statistics")
      },
      page,
      { device }
    )
  )
})
