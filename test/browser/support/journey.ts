import { afterAll } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../../support/service.ts"
import { desktop, Ended, type View, visit } from "./browser.ts"
import { knowSharing, ownerOf } from "./dashboard.ts"
import type { StartedLibrary } from "./library.ts"
import type { Problems } from "./problems.ts"

type Step<A> = (page: Page, problems: Problems) => Promise<A>

/** A page that is open, and what ends its visit. */
interface Opened {
  readonly page: Page
  readonly problems: Problems
  readonly leave: () => Promise<void>
}

/** Runs in the page: closes messages, shows a view as a click on a link would, from its top, with the focus nowhere. */
const showView = (path: string) => {
  for (const button of document.querySelectorAll<HTMLElement>(".toast .icon-button")) button.click()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  getSelection()?.removeAllRanges()
  // As the app marks its entries, by which a reload finds the place in the list again.
  const state = { entry: crypto.randomUUID() }
  history.pushState(state, "", path)
  dispatchEvent(new PopStateEvent("popstate", { state }))
  scrollTo(0, 0)
}

/** Runs in the page: what a test has opened or chosen, other than the view. */
const leftOver = () =>
  document.querySelectorAll("dialog[open], :popover-open, .bulk, .detail, .toast, [data-selecting]").length

const settings = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(localStorage).sort()))

/**
 * The library's owner and a page that tests of a file use one after the other, because loading it takes most of a short
 * test's time; the browser has shared links before. Each test begins on a desktop, at a view, once `ready` is visible, with
 * nothing open or chosen; the current link and the history of changes stay. The page is loaded anew after a test that failed,
 * that has changed a setting, or that has left something open. A test with a view of its own, and one that calls `fresh`, has
 * a page for itself.
 */
export const journeyOf = (library: () => StartedLibrary, ready = ".card, .notice, main .page") => {
  let opened: Opened | undefined
  let usual = ""

  const open = async (): Promise<Opened> => {
    const started = Promise.withResolvers<Pick<Opened, "page" | "problems">>()
    const end = Promise.withResolvers<void>()
    const visited = visit({ ...(await library().owner()), isUnlimited: true }, async (page, problems) => {
      await page.addInitScript(knowSharing)
      started.resolve({ page, problems })
      await end.promise
    })
    visited.catch(started.reject)
    const leave = () => {
      end.resolve()
      return visited.then(() => undefined)
    }
    library().beforeStop(close)
    return { ...(await started.promise), leave }
  }

  const close = async () => {
    const now = opened
    opened = undefined
    // Each test has seen its own problems.
    if ((now?.problems.all.length ?? 0) > 0) now?.problems.expect(/^/)
    await now?.leave()
  }

  const isReady = (page: Page) => page.locator(ready).first().waitFor()

  const load = async (page: Page, path: string) => {
    await page.goto(path)
    await isReady(page)
    usual = await settings(page)
  }

  /** Shows the view in the page as it is; false if something of an earlier test would be left. */
  const clear = async (page: Page, path: string) => {
    for (let turn = 0; turn < 3 && (await page.evaluate(leftOver)) > 0; turn++)
      await page.keyboard.press("Escape")
    await page.evaluate(showView, path)
    await page.mouse.move(0, 0)
    if ((await settings(page)) !== usual) return false
    const url = new URL(path, page.url()).href
    const isClear = async () => (await page.evaluate(leftOver)) === 0 && page.url() === url
    for (let turn = 0; turn < 20 && !(await isClear()); turn++) await page.waitForTimeout(25)
    // The list of an earlier visit is shown at once and loaded again, which would replace a test's own changes.
    await page.locator('.library:not([data-loading="no"])').waitFor({ state: "detached" })
    if (!(await isClear())) return false
    await isReady(page)
    return true
  }

  const begin = async (page: Page, path: string) => {
    await page.unrouteAll({ behavior: "ignoreErrors" })
    if (!Bun.deepEquals(page.viewportSize(), desktop.viewport)) await page.setViewportSize(desktop.viewport)
    if (page.url() !== "about:blank" && page.url().includes("/dashboard") && (await clear(page, path)))
      return true
    await page.evaluate(() => localStorage.clear()).catch(() => undefined)
    await load(page, path)
    return false
  }

  afterAll(close)

  const stay = async <A>(step: Step<A>, path: string): Promise<A> => {
    opened ??= await open()
    const { page, problems } = opened
    const first = problems.all.length
    try {
      // The page may still have asked for what an earlier test has deleted at its end.
      const before = (await begin(page, path)) ? problems.all.length : first
      const expected: Array<RegExp> = []
      const result = await step(page, { all: problems.all, expect: (pattern) => expected.push(pattern) })
      const isMet = (pattern: RegExp) => problems.all.slice(first).some((problem) => pattern.test(problem))
      if (expected.length > 0) await until(() => expected.every(isMet))
      const wrong = problems.all
        .slice(before)
        .filter((problem) => !expected.some((pattern) => pattern.test(problem)))
      if (wrong.length > 0) throw new Error(`The page had problems:\n${wrong.join("\n")}`)
      return result
    } catch (error) {
      if (error instanceof Ended) await page.emulateMedia({ colorScheme: "light" })
      else await close().catch(() => undefined)
      throw error
    }
  }

  const fresh = async <A>(step: Step<A>, path = "/dashboard", view: Partial<View> = {}) =>
    visit(await library().owner(view), async (page, problems) => {
      await page.addInitScript(knowSharing)
      await page.goto(path)
      await isReady(page)
      return await step(page, problems)
    })

  const lookAt = <A>(step: Step<A>, path = "/dashboard", view: Partial<View> = {}) => {
    const hasOwn = Object.entries(view).some(([name, value]) => name !== "device" || value !== desktop)
    return hasOwn ? fresh(step, path, view) : stay(step, path)
  }

  return {
    ...ownerOf(library),
    fresh,
    lookAt,
    look: <A>(step: Step<A>, view: Partial<View> = {}) => lookAt(step, "/dashboard", view)
  }
}
