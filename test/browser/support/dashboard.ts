import type { Locator, Page, Request } from "playwright-core"
import type { Job, Link, LinksPage, Meta } from "../../../web/app/api.ts"
import { until } from "../../support/service.ts"
import type { StartedLibrary } from "./library.ts"

/** Waits until the page hears the library's events and shows all of the earlier ones. */
export const isLive = async (page: Page): Promise<void> => {
  await page.locator('.live[data-on="true"]').waitFor()
  await page.locator('.library[data-loading="no"]').waitFor()
}

/** Scrolls beyond `top`, in pixels, once enough cards stand, and waits until those that are visible there stand too. */
export const scrollDown = (page: Page, top: number) =>
  until(() =>
    page.evaluate(async (at) => {
      const shown = () =>
        Array.from(document.querySelectorAll(".links-item"), (item) => item.getAttribute("data-index")).join()
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      if (scrollY <= at) scrollTo(0, at + innerHeight)
      await frame()
      const before = shown()
      await frame()
      return scrollY > at && shown() === before
    }, top)
  )

/** The number of links the dashboard is delivered with. */
export const FIRST = 48

/** Runs in the page: this browser has explained sharing before, so that it shares without asking. */
export const knowSharing = () => {
  if (location.protocol !== "about:") localStorage.setItem("linkbower.sharing", "known")
}

/** What the library's owner asks of the service. */
export const ownerOf = (library: () => StartedLibrary) => {
  const request = async <A>(method: string, path: string, body?: unknown): Promise<A> =>
    (await library().client.owner(method, path, body)).json()
  const answerTo = (params: string) =>
    request<Pick<LinksPage, "links" | "total">>("GET", `/api/links?${params}`)
  const links = async (params = "limit=1000"): Promise<ReadonlyArray<Link>> => (await answerTo(params)).links
  /** Makes a change as another tab would. */
  const mutate = (body: unknown) => library().client.owner("POST", "/api/mutate", body)
  /** Links at the top of the list that are not being enriched. */
  const finished = async () =>
    (await links()).filter(({ enrichment }) => enrichment !== "pending").slice(0, 8)
  const job = async (id: number) => (await request<{ readonly job: Job }>("GET", `/api/jobs/${id}`)).job
  /** Waits until the job has ended. */
  const ended = (id: number) =>
    until(async () => {
      const now = await job(id)
      return now.state === "running" ? undefined : now
    })
  return {
    answerTo,
    links,
    mutate,
    finished,
    job,
    ended,
    counts: () => request<Meta>("GET", "/api/meta"),
    linkOf: async (id: number) => (await links()).find((link) => link.id === id),
    some: async () => {
      const [link] = await finished()
      if (link === undefined) throw new Error("there is no link")
      return link
    },
    /** Deletes every link for good. */
    empty: async () => {
      const ids = (await links()).map(({ id }) => id)
      if (ids.length > 0) await mutate({ op: "delete", ids, forever: true })
    },
    /** Starts a job; waits until it has ended. */
    act: async (action: unknown) => {
      const answer = await request<{ readonly job: Job }>("POST", "/api/action", action)
      return ended(answer.job.id)
    },
    /** The address of a page with this title. */
    pageCalled: (title: string) => `${library().world.pages.url}/plain?t=${encodeURIComponent(title)}`,
    /** Saves pages, one after the other; waits until they are enriched. */
    capture: async (...captures: ReadonlyArray<{ readonly url: string; readonly note?: string }>) => {
      for (const capture of captures) await library().client.capture(capture)
      await until(async () =>
        (await links(`limit=${captures.length}`)).every(({ enrichment }) => enrichment === "complete")
      )
    }
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

/** Waits until a link's card has the focus. */
export const standsOn = (page: Page, id: number | undefined) =>
  until(async () => (await page.evaluate(() => document.activeElement?.id)) === `link-${id}`)

/** The search field, the search in the address, and a wait for the number of results. */
export const searchField = (page: Page) => page.getByRole("combobox", { name: "Search" })
export const searchedFor = (page: Page) => new URL(page.url()).searchParams.get("q")
export const countIs = (page: Page, total: number) =>
  page
    .locator(".view-count", { hasText: total === 0 ? "Nothing found" : new RegExp(`^${total} links?$`) })
    .waitFor()

/** The menu of a card. */
export const menuOf = (page: Page) => page.getByRole("menu")

/** Opens a card's menu. */
export const openMenu = (page: Page, id: number): Promise<void> => openMenuOf(page, card(page, id))

const openMenuOf = async (page: Page, one: Locator): Promise<void> => {
  await page.mouse.move(1, 1)
  await one.hover()
  await one.getByRole("button", { name: /^More for/ }).click()
  await menuOf(page).waitFor()
}

/** Performs an action on a link: with one of the card's buttons, which appear on hover, or in its menu. */
export const press = (page: Page, id: number, name: string | RegExp): Promise<void> =>
  pressOn(page, card(page, id), name)

export const pressOn = async (page: Page, one: Locator, name: string | RegExp): Promise<void> => {
  // From elsewhere, because a pointer that rests on a new page loads nothing.
  await page.mouse.move(1, 1)
  await one.hover()
  const tools = one.locator(".card-controls")
  await tools.locator("button:not([data-control])").first().waitFor()
  const tool = tools.getByRole("button", { name })
  if ((await tool.count()) > 0) return tool.first().click()
  await openMenuOf(page, one)
  await menuOf(page).getByRole("menuitem", { name }).first().click()
}

/** Answers the question whether to move links to the trash with yes. */
export const confirmTrash = (page: Page): Promise<void> =>
  dialogOf(page).getByRole("button", { name: "Move to trash" }).click()

/** Waits until no dialog is open. */
export const gone = (page: Page): Promise<void> => dialogOf(page).waitFor({ state: "detached" })

/** The text of the focused element. */
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

/** The id of the link whose card contains the focus, else NaN. */
export const focusedCard = (page: Page) =>
  page.evaluate(() => Number(document.activeElement?.closest(".card")?.id.slice("link-".length)))

export const isChange = (request: Request) => request.url().endsWith("/mutate")

/** Makes the service reject every change. */
export const refuse = (page: Page) =>
  page.route("**/mutate", (route) =>
    route.fulfill({ status: 503, json: { error: "unavailable", message: "The library is busy." } })
  )
