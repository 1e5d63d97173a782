import type { Page } from "playwright-core"
import { browser, visit } from "../browser/support/browser.ts"
import {
  countTraffic,
  keyToFrame,
  type Smoothness,
  scrollByWheel,
  vitals
} from "../browser/support/measure.ts"
import { median, percentile, report, roundsOf, sizeOf, sizes, table, timed } from "./harness.ts"
import { type Contestant, libraryOf, withService } from "./services.ts"

const LAYOUTS = ["cards", "rows", "grid"]
/** How much slower than this machine's processor. */
const SLOWDOWNS = [1, 4]
/** Words typed letter by letter into an empty field, each once per round. */
const WORDS = ["docker", "music", "editor", "postgres", "kubernetes"]

type Layout = (typeof LAYOUTS)[number]

/** Opens the dashboard in a layout, on a slower processor, and waits for its links. */
const look = async <A>(
  { base, world }: Contestant,
  body: (page: Page, open: () => Promise<void>) => Promise<A>,
  { layout = "cards", slowdown = 1 }: { readonly layout?: Layout; readonly slowdown?: number } = {}
) =>
  visit({ base, token: await world.gateway.token(), isFirst: true }, async (page) => {
    await page.addInitScript(
      (chosen) => localStorage.setItem("linkbower.displays", JSON.stringify([["all", { layout: chosen }]])),
      layout
    )
    return body(page, async () => {
      await page.goto("/dashboard")
      await page.locator(`.card[data-density="${layout}"]`).first().waitFor()
      await page.waitForTimeout(500)
      const devtools = await page.context().newCDPSession(page)
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
    })
  })

const firstLoad = (service: Contestant) =>
  look(service, async (page, open) => {
    const traffic = await countTraffic(page)
    await open()
    const assets = traffic.answers.filter(({ url }) => url.includes("/app/"))
    const { cumulativeLayoutShift, firstContentfulPaint, largestContentfulPaint, longTasks } =
      await vitals(page)
    return {
      "all kB": traffic.total() / 1_000,
      "app kB": assets.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000,
      "first paint ms": firstContentfulPaint,
      "largest ms": largestContentfulPaint,
      "layout shift": cumulativeLayoutShift,
      "longest task ms": Math.max(0, ...longTasks)
    }
  })

/** Runs in the page: whether the list shows the results of the typed text. */
const stands = (typed: string) =>
  new URLSearchParams(location.search).get("q") === typed &&
  document.querySelector(".library")?.getAttribute("aria-busy") === "false"

/** The time from a key press to the frame with its results, debounce included. */
const typing = (service: Contestant) =>
  look(service, async (page, open) => {
    await open()
    const times: Array<number> = []
    for (const word of WORDS) {
      await page.locator(".header input").fill("")
      await page.waitForTimeout(400)
      for (let at = 1; at <= word.length; at++)
        times.push(await keyToFrame(page, word.charAt(at - 1), stands, word.slice(0, at)))
    }
    return times
  })

const smooth = ({ framesPerSecond, longest, p95 }: Smoothness) => ({
  "frames a second": framesPerSecond,
  "p95 ms": p95,
  "longest ms": longest
})

const scrolling = (service: Contestant, layout: Layout = "cards", slowdown = 1) =>
  look(
    service,
    async (page, open) => {
      await open()
      return smooth(await scrollByWheel(page, 5_000))
    },
    { layout, slowdown }
  )

/** The time from the key press that makes all links favorites to the message that it is done, and how many there are. */
const favoriteAll = (service: Contestant) =>
  look(service, async (page, open) => {
    await open()
    await page.locator(".card").first().focus()
    await page.keyboard.press("Control+a")
    const all = page.getByRole("button", { name: /^Select all/ })
    const links = Number(((await all.textContent()) ?? "").replace(/\D/g, ""))
    await all.click()
    const count = links.toLocaleString("en")
    await page.locator("strong", { hasText: `${count} selected` }).waitFor()
    await page.locator(".card").first().focus()
    const { took } = await timed(async () => {
      await page.keyboard.press("f")
      await page.locator(".toast", { hasText: `Added ${count} links to favorites.` }).waitFor()
    })
    return { links, took }
  })

/** A plain page of 30,000 lines, scrolled: the best this browser can do on this machine. */
const plain = async () => {
  const html = `<!doctype html><html lang="en"><title>Lines</title><p>${"line<p>".repeat(30_000)}`
  const headers = { "content-type": "text/html" }
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(html, { headers }) })
  const smoothness = await visit({ base: `http://127.0.0.1:${server.port}`, isFirst: true }, async (page) => {
    await page.goto("/")
    return scrollByWheel(page, 5_000)
  })
  await server.stop(true)
  return smooth(smoothness)
}

/**
 * The dashboard in a real browser, at growing sizes of the library: its first load, the time from a key to its results,
 * and scrolling; and at 20,000 links scrolling in every layout, and a change of all links.
 */
export const dashboard = async () => {
  const scrolled = sizeOf(20_000)
  const loads: Array<Record<string, string | number>> = []
  const scrolls: Array<Record<string, string | number>> = [{ page: "plain", ...(await plain()) }]
  for (const size of sizes(500, 20_000, 100_000))
    await withService({ folder: await libraryOf(size) }, async (service) => {
      const times: Array<number> = []
      for (let round = 0; round < roundsOf(3); round++) times.push(...(await typing(service)))
      const key = { "key to results p50 ms": median(times), "key p95 ms": percentile(times, 0.95) }
      loads.push({ links: size, ...(await firstLoad(service)), ...key })
      scrolls.push({ page: `${size} links`, ...(await scrolling(service)) })
      if (size !== scrolled) return
      for (const slowdown of SLOWDOWNS) {
        for (const layout of LAYOUTS)
          scrolls.push({
            page: `${size} links, ${layout}, ${slowdown}x`,
            ...(await scrolling(service, layout, slowdown))
          })
      }
      const { links, took } = await favoriteAll(service)
      report(
        `favorite of ${links} selected links / 1.5 s`,
        took / 1_500,
        { most: 1 },
        `${took.toFixed(0)} ms`
      )
    })
  table(loads)
  console.log()
  table(scrolls)
  await (await browser()).close()
}
