import { describe, expect, test } from "bun:test"
import { readContent } from "../../src/enrich/page/article/ReadableText.ts"
import { MAX_ARTICLE_HTML } from "../../src/shared/Limits.ts"
import { HOSTILE_HOST, hostilePages, RAN } from "../support/hostilePages.ts"
import { isLong, sampleOf } from "../support/tier.ts"
import { linkWithPage } from "./support/articles.ts"
import { visit } from "./support/browser.ts"
import { useLibrary } from "./support/useLibrary.ts"

const url = new URL("https://example.org/a/b")

/** Pages that are hostile by their size or depth alone, which takes the browser long to lay out. */
const isBomb = ({ name }: (typeof hostilePages)[number]) => /^(\d|an attribute)/.test(name)
const chosen = sampleOf(isLong ? hostilePages : hostilePages.filter((page) => !isBomb(page)), 20)

/** The articles that the worker makes of the pages, many of them alike, and the pages as if nothing had cleaned them. */
const cleaned = [...new Set(sampleOf(chosen, 8).map(({ html }) => readContent(html, url).article))]
const raw = chosen.map(({ html }) => html).filter((html) => html.length <= MAX_ARTICLE_HTML)

const library = useLibrary(() =>
  [...cleaned, ...raw].map((html, at) => linkWithPage(`Page ${at + 1}`, { html }, `hostile/${at + 1}`))
)

interface Tour {
  readonly ids: ReadonlyArray<number>
  readonly ran: string
}

/**
 * Runs in the page: shows pages one after the other in the reader, and presses everything in them that leads nowhere
 * outside. Returns what went wrong: a script that ran, in any window, or another document in the frame.
 */
const tour = async ({ ids, ran }: Tour) => {
  const wrong: Array<string> = []
  const pause = (time = 0) => new Promise((resolve) => setTimeout(resolve, time))
  const follow = (href: string) => {
    const link = document.createElement("a")
    link.href = href
    document.body.append(link)
    link.click()
    link.remove()
  }
  const frameOf = async (id: number) => {
    const selector = `.reader-frame[data-shown=true][title="Page ${id}"]`
    for (const end = Date.now() + 60_000; Date.now() < end; await pause(4)) {
      const frame = document.querySelector<HTMLIFrameElement>(selector)
      if (frame !== null) return frame
    }
    return undefined
  }
  const provoke = (inner: Document) => {
    const { HTMLElement: Pressable } = inner.defaultView ?? window
    for (const element of inner.querySelectorAll("body *")) {
      const link = element.closest("a, area")
      const target = link?.getAttribute("href") ?? link?.getAttribute("xlink:href")
      // Other links lead outside, which is what links are for.
      const isAttack = target == null || /^[\0- ]*(javascript|vbscript):/i.test(target)
      if (!(element instanceof Pressable) || !isAttack) continue
      for (const type of ["mouseover", "focus", "pointerenter", "toggle", "animationstart"])
        element.dispatchEvent(new Event(type, { bubbles: true }))
      element.click()
    }
  }
  for (const id of ids) {
    follow(`/dashboard/read/${id}`)
    const frame = await frameOf(id)
    const inner = frame?.contentDocument
    if (inner == null) {
      wrong.push(`${id} shows nothing`)
      continue
    }
    provoke(inner)
    await pause(8)
    const now = frame?.contentDocument
    if (now?.URL !== `${location.origin}/dashboard/read/${id}/document`)
      wrong.push(`${id} shows ${now?.URL ?? "another site"}`)
    if (ran in window || (now?.defaultView != null && ran in now.defaultView))
      wrong.push(`${id} runs a script`)
    if (location.pathname !== `/dashboard/read/${id}`) wrong.push(`${id} leads the app to ${location.href}`)
  }
  return wrong
}

/** Shows pages in the reader; returns what they did, asked for or opened. */
const visitAll = async (ids: ReadonlyArray<number>, isPolicyNeeded: boolean) =>
  visit(await library().owner(), async (page, problems) => {
    const events: Array<string> = []
    const note = (text: string) => void events.push(text)
    page.on("dialog", (dialog) => {
      note(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on("popup", (popup) => note(`popup: ${popup.url()}`))
    page.on("download", (download) => note(`download: ${download.url()}`))
    const loaded = new Set<string>()
    const isOurs = (address: string) => new URL(address).origin === new URL(library().base).origin
    page.on("response", (response) => isOurs(response.url()) || loaded.add(response.url()))
    // Only what the policy stopped has not been asked for.
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText
      if (!isOurs(request.url()) && reason !== "csp" && reason !== "origin")
        loaded.add(`${request.url()}: ${reason}`)
    })
    // The browser tells what it has blocked.
    if (isPolicyNeeded) problems.expect(/^(console|request to another origin): /)
    await page.goto("/dashboard")
    await page.locator(".card").first().waitFor()
    const wrong = await page.evaluate(tour, { ids, ran: RAN })
    return { events, wrong, loaded: [...loaded] }
  })

const nothing = { events: [], wrong: [], loaded: [] }

/** How many pages one visit shows. */
const PORTION = 64
const portions = (first: number, count: number) =>
  Array.from({ length: Math.ceil(count / PORTION) }, (_, at) => {
    const from = first + at * PORTION
    return Array.from({ length: Math.min(PORTION, first + count - from) }, (_, index) => from + index)
  })

test("there are more than 200 hostile pages, and some load from a host that is not ours", () => {
  expect(hostilePages.length).toBeGreaterThan(200)
  expect(hostilePages.filter(({ html }) => html.includes(HOSTILE_HOST)).length).toBeGreaterThan(50)
  expect(raw.some((html) => html.includes(HOSTILE_HOST))).toBe(true)
})

describe("a hostile page in the reader runs nothing, asks nobody and leads nowhere", () => {
  for (const ids of portions(1, cleaned.length))
    test(`as the worker cleans it, from page ${ids[0]}`, async () => {
      expect(await visitAll(ids, false)).toEqual(nothing)
    })

  for (const ids of portions(cleaned.length + 1, raw.length))
    test(`by the policy alone, from page ${ids[0]}`, async () => {
      expect(await visitAll(ids, true)).toEqual(nothing)
    })
})
