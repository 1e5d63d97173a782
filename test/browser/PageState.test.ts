import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { linksWithPages } from "./support/articles.ts"
import { card, countIs } from "./support/dashboard.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const library = useLibrary(() => linksWithPages)

const { capture, finished, fresh, linkOf, links, lookAt, pageCalled } = journeyOf(library)

interface Known {
  readonly state: "ok" | "broken" | "moved" | "changed"
  readonly reason?: string
  readonly to?: string
  readonly capture?: string
}

/** Stores what a look at a link's page has found. */
const know = (id: number, { capture, reason, state, to }: Known) => {
  const database = new Database(join(library().service.folder, "data", "library.db"))
  try {
    database.run("PRAGMA busy_timeout = 5000")
    database.run(
      `UPDATE link_checks SET state = ?1, reason = ?2, moved_to = ?3, declined = NULL, since = ?4, looked_at = ?5,
        capture_url = ?6, capture_at = ?7 WHERE link_id = ?8`,
      [
        state,
        reason ?? null,
        to ?? null,
        Date.UTC(2026, 2, 14),
        Date.now() - 7_200_000,
        capture ?? null,
        capture === undefined ? null : "2024-05-06T07:08:09.000Z",
        id
      ]
    )
  } finally {
    database.close()
  }
}

const banner = (page: Page) => page.locator(".page-state")
const openOn = (id: number) => `/dashboard?link=${id}`
/** Links with kept pages, whose addresses no test has changed. */
const kept = async () => (await finished()).filter(({ host }) => host === "reading.example")
const keptLink = async () => (await kept())[0]?.id ?? 0
const attention = (page: Page) => page.locator(".sidebar").getByRole("link", { name: /^Needs attention/ })
const button = (page: Page, name: string) => banner(page).getByRole("button", { name })

/** Runs in the page: whether an element is within the line that it is in. */
const isInSight = (mark: Element) => {
  const line = mark.parentElement?.getBoundingClientRect()
  const { bottom, right } = mark.getBoundingClientRect()
  return line !== undefined && bottom <= line.bottom && right <= line.right
}

const broken: Known = {
  state: "broken",
  reason: "404 Not Found",
  capture: "https://web.archive.org/web/20240506070809/https://reading.example/harbour"
}

describe("a page that is gone", () => {
  test("is marked on its card, and leads to the kept copy and to the archive's", async () => {
    const id = await keptLink()
    know(id, broken)
    await lookAt(async (page) => {
      await card(page, id).getByText("Gone", { exact: true }).waitFor()
      await banner(page).getByText("404 Not Found.").waitFor()
      expect(await banner(page).getByRole("heading").textContent()).toBe("The page is gone")
      await banner(page)
        .getByText(/^Since 14 Mar 2026\. Looked at 2 hr\. ago\./)
        .waitFor()
      const read = banner(page).getByRole("link", { name: "Read the kept copy" })
      expect(await read.getAttribute("href")).toBe(`/dashboard/read/${id}`)
      const archived = banner(page).getByRole("link", { name: "Wayback Machine, 6 May 2024" })
      expect(await archived.getAttribute("href")).toBe(broken.capture ?? "")
      expect(await archived.getAttribute("rel")).toBe("noopener noreferrer")
    }, openOn(id))
  })

  test("is found again by a look", async () => {
    await capture({ url: pageCalled("Rye bread for beginners") })
    const id = (await links()).find(({ title }) => title === "Rye bread for beginners")?.id ?? 0
    know(id, { state: "changed", reason: "The domain is for sale" })
    await lookAt(async (page) => {
      await banner(page)
        .getByRole("heading", { name: /^Another page is in its place/ })
        .waitFor()
      await button(page, "Look again").click()
      await banner(page).waitFor({ state: "detached" })
      await card(page, id).getByText("Changed", { exact: true }).waitFor({ state: "detached" })
    }, openOn(id))
    expect((await linkOf(id))?.check.state).toBe("ok")
  })
})

describe("a page that has moved", () => {
  long(test)("gets its new address", async () => {
    const id = await keptLink()
    const to = "https://new.example/harbour"
    know(id, { state: "moved", to })
    await lookAt(async (page) => {
      await card(page, id).getByText("Moved", { exact: true }).waitFor()
      await button(page, "Use the new address").click()
      await banner(page).waitFor({ state: "detached" })
    }, openOn(id))
    expect(await linkOf(id)).toMatchObject({ url: to, check: { state: "unknown" } })
  })

  long(test)("is not given the address of another link, which is shown", async () => {
    const [one, other] = await kept()
    const id = one?.id ?? 0
    know(id, { state: "moved", to: other?.url ?? "" })
    await lookAt(async (page, problems) => {
      problems.expect(/409/)
      await button(page, "Use the new address").click()
      await banner(page).getByRole("alert").waitFor()
      await button(page, "Show the other link").click()
      await until(() => new URL(page.url()).searchParams.get("link") === String(other?.id))
    }, openOn(id))
    expect((await linkOf(id))?.url).toBe(one?.url)
  })

  long(test)("keeps its old address", async () => {
    const id = await keptLink()
    know(id, { state: "moved", to: "https://newer.example/harbour" })
    await lookAt(async (page) => {
      await button(page, "Keep the old one").click()
      await banner(page).waitFor({ state: "detached" })
    }, openOn(id))
    expect((await linkOf(id))?.check).toMatchObject({ state: "ok", to: null })
  })
})

describe("the sidebar", () => {
  long(test)("leads to the links that need attention, while there are any", async () => {
    for (const { id } of await links()) know(id, { state: "ok" })
    await fresh(async (page) => {
      await page.locator(".sidebar").getByText("Trash").waitFor()
      expect(await attention(page).count()).toBe(0)
    })
    const [one, two, three] = await finished()
    know(one?.id ?? 0, broken)
    know(two?.id ?? 0, { state: "moved", to: "https://new.example/two" })
    know(three?.id ?? 0, { state: "changed", reason: "The domain is for sale" })
    await fresh(async (page) => {
      await until(async () => (await attention(page).textContent()) === "Needs attention3")
      await attention(page).click()
      await countIs(page, 3)
      expect(await attention(page).getAttribute("aria-current")).toBe("page")
    })
  })
})

long(testAccessibility)(async (device, check) => {
  const id = await keptLink()
  for (const known of [
    broken,
    {
      state: "moved",
      to: "https://new.example/a/long/path/to/where-the-harbour-article-is-today?edition=2026"
    },
    { state: "changed", reason: "The domain is for sale", capture: broken.capture ?? "" }
  ] as const) {
    know(id, known)
    await lookAt(
      async (page) => {
        await banner(page).waitFor()
        await check(page, `page-${known.state}`)
      },
      openOn(id),
      { device }
    )
  }
  await lookAt(
    async (page) => {
      expect(await page.locator(".card-check").first().evaluate(isInSight)).toBe(true)
      await check(page, "page-marks")
    },
    "/dashboard?q=is:changed",
    { device }
  )
}, "what is known about a page")
