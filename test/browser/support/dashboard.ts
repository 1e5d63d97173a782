import type { Page, Request } from "playwright-core"
import type { Link, LinksPage, Meta } from "../../../web/app/api.ts"
import { until } from "../../support/service.ts"
import { type View, visit } from "./browser.ts"
import type { StartedLibrary } from "./library.ts"
import type { Problems } from "./problems.ts"

/** How many links the dashboard comes with. */
export const FIRST = 48

/** The owner before the dashboard of the library that `started` gives, and beside it at its interface. */
export const dashboardOf = (started: () => StartedLibrary) => {
  const answerTo = async (params: string): Promise<Pick<LinksPage, "links" | "total">> =>
    (await started().client.owner("GET", `/api/links?${params}`)).json()
  const links = async (params = "limit=1000"): Promise<ReadonlyArray<Link>> => (await answerTo(params)).links
  /** Links at the top of the list that are through with what the service does by itself. */
  const finished = async () =>
    (await links()).filter(({ enrichment }) => enrichment !== "pending").slice(0, 8)
  const lookAt = async <A>(
    body: (page: Page, problems: Problems) => Promise<A>,
    path = "/dashboard",
    view: Partial<View> = {}
  ) =>
    visit(await started().owner(view), async (page, problems) => {
      await page.goto(path)
      await page.locator(".card, .notice").first().waitFor()
      return await body(page, problems)
    })
  return {
    answerTo,
    links,
    lookAt,
    finished,
    counts: async (): Promise<Meta> => (await started().client.owner("GET", "/api/meta")).json(),
    linkOf: async (id: number) => (await links()).find((link) => link.id === id),
    some: async () => {
      const [link] = await finished()
      if (link === undefined) throw new Error("there is no link")
      return link
    },
    /** Makes a change as another tab would. */
    mutate: (body: unknown) => started().client.owner("POST", "/api/mutate", body),
    look: async <A>(body: (page: Page, problems: Problems) => Promise<A>, view: Partial<View> = {}) =>
      lookAt(body, "/dashboard", view)
  }
}

export const card = (page: Page, id: number) => page.locator(`#link-${id}`)
export const dialogOf = (page: Page) => page.getByRole("dialog")
export const titleIn = (page: Page) => page.getByRole("textbox", { name: "Title" })
export const summaryIn = (page: Page) => page.getByRole("textbox", { name: "Summary" })

/** Presses keys, one after the other. */
export const pressKeys = async (page: Page, ...keys: ReadonlyArray<string>): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Until the focus is on the card of a link. */
export const standsOn = (page: Page, id: number | undefined) =>
  until(async () => (await page.evaluate(() => document.activeElement?.id)) === `link-${id}`)

/** The search field, what the address says is searched for, and until so many are found. */
export const searchField = (page: Page) => page.getByRole("combobox", { name: "Search" })
export const searchedFor = (page: Page) => new URL(page.url()).searchParams.get("q")
export const countIs = (page: Page, total: number) =>
  page
    .locator(".chips-count", { hasText: total === 0 ? "Nothing found" : new RegExp(`^${total} links?$`) })
    .waitFor()

/** Presses one of a card's own buttons, which come with the pointer. */
export const press = async (page: Page, id: number, name: string | RegExp): Promise<void> => {
  await card(page, id).hover()
  await card(page, id).getByRole("button", { name }).first().click()
}

/** Until no dialog is open. */
export const gone = (page: Page): Promise<void> => dialogOf(page).waitFor({ state: "detached" })

/** The words of what has the focus. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

/** The link of the card that has the focus or something in it that does; NaN where none has. */
export const focusedCard = (page: Page) =>
  page.evaluate(() => Number(document.activeElement?.closest(".card")?.id.slice("link-".length)))

export const isChange = (request: Request) => request.url().endsWith("/mutate")

/** Has the service refuse every change. */
export const refuse = (page: Page) =>
  page.route("**/mutate", (route) =>
    route.fulfill({ status: 503, json: { error: "unavailable", message: "The library is busy." } })
  )
