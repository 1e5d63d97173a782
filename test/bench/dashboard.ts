import type { Page } from "playwright-core"
import { browser, visit } from "../browser/support/browser.ts"
import {
  countTraffic,
  keyToFrame,
  type Smoothness,
  scrollByWheel,
  vitals
} from "../browser/support/measure.ts"
import { median, ms, percentile } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"
import { type Contestant, startContestant } from "./servers.ts"

const SIZES = [500, 20_000, 100_000]
/** The library that is scrolled in every layout, and how much slower than this machine's processor. */
const SCROLLED = 20_000
const LAYOUTS = ["cards", "rows", "grid"] as const
const SLOWDOWNS = [1, 4]
/** Words typed letter by letter into an empty field, each once per round. */
const WORDS = ["docker", "music", "editor", "postgres", "kubernetes"]
const ROUNDS = 3
/** A plain page of 30,000 lines: the best this browser can do on this machine. */
const plain = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () =>
    new Response(`<!doctype html><html lang="en"><title>Lines</title><p>${"line<p>".repeat(30_000)}`, {
      headers: { "content-type": "text/html" }
    })
})

const look = async <A>({ base, world }: Contestant, body: (page: Page) => Promise<A>) =>
  visit({ base, token: await world.gateway.token() }, body)

const firstLoad = (service: Contestant) =>
  look(service, async (page) => {
    const traffic = await countTraffic(page)
    await page.goto("/dashboard")
    await page.locator(".card").first().waitFor()
    await page.waitForTimeout(500)
    const assets = traffic.answers.filter(({ url }) => url.includes("/app/"))
    return {
      ...(await vitals(page)),
      bytes: traffic.total(),
      app: assets.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  })

/** Runs in the page: whether the list shows the results of the typed text. */
const stands = (typed: string) =>
  new URLSearchParams(location.search).get("q") === typed &&
  document.querySelector(".library")?.getAttribute("aria-busy") === "false"

/** The time from a key press to the frame with its results, debounce included. */
const typing = (service: Contestant) =>
  look(service, async (page) => {
    await page.goto("/dashboard")
    await page.locator(".card").first().waitFor()
    const times: Array<number> = []
    for (const word of WORDS) {
      await page.locator(".header input").fill("")
      await page.waitForTimeout(400)
      for (let at = 1; at <= word.length; at++)
        times.push(await keyToFrame(page, word.charAt(at - 1), stands, word.slice(0, at)))
    }
    return times
  })

const scrolling = (service: Contestant, layout: (typeof LAYOUTS)[number] = "cards", slowdown = 1) =>
  look(service, async (page) => {
    await page.addInitScript(
      (layout) => localStorage.setItem("linkbower.displays", JSON.stringify([["all", { layout }]])),
      layout
    )
    await page.goto("/dashboard")
    await page.locator(`.card[data-density="${layout}"]`).first().waitFor()
    await page.waitForTimeout(500)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
    return scrollByWheel(page, 5_000)
  })

/** How often the details of a link are opened. */
const OPENINGS = 8

/** Runs in the page: whether the details of a link are shown. */
const showsDetails = () => document.querySelector(".detail-content") !== null

/** Runs in the page: whether no details are shown. */
const showsNone = () => document.querySelector(".detail-content") === null

/** The times from a key press to the frame with the details of a link, each of the next link. */
const opening = (service: Contestant, slowdown: number) =>
  look(service, async (page) => {
    await page.goto("/dashboard")
    await page.locator(".card").first().focus()
    // The first opening loads the code.
    await page.keyboard.press("Space")
    await page.locator(".detail-content").waitFor()
    await page.waitForTimeout(500)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
    const times: Array<number> = []
    for (let at = 0; at < OPENINGS; at++) {
      await keyToFrame(page, " ", showsNone)
      await page.keyboard.press("j")
      times.push(await keyToFrame(page, " ", showsDetails))
    }
    return times
  })

/** The time from the key press that makes all links favorites to the message that it is done, and how many there are. */
const favoriteAll = (service: Contestant) =>
  look(service, async (page) => {
    await page.goto("/dashboard")
    await page.locator(".card").first().focus()
    await page.keyboard.press("Control+a")
    const all = page.getByRole("button", { name: /^Select all/ })
    const links = Number(((await all.textContent()) ?? "").replace(/\D/g, ""))
    await all.click()
    const count = links.toLocaleString("en")
    await page.locator("strong", { hasText: `${count} selected` }).waitFor()
    await page.locator(".card").first().focus()
    const before = performance.now()
    await page.keyboard.press("f")
    await page.locator(".toast", { hasText: `Added ${count} links to favorites.` }).waitFor()
    return { links, took: performance.now() - before }
  })

const smooth = ({ framesPerSecond, longest, p95 }: Smoothness) =>
  `${framesPerSecond.toFixed(0)} frames a second, p95 ${ms(p95)}, longest ${ms(longest)}`

/** Measures the dashboard in a real browser with libraries of these sizes. */
const dashboardOver = async (folders: ReadonlyArray<readonly [size: number, folder: string]>) => {
  const services = await Promise.all(
    folders.map(async ([size, folder]) => ({ size, service: await startContestant({}, folder) }))
  )
  const keys = new Map<number, Array<number>>()
  for (let round = 0; round < ROUNDS; round++)
    for (const { service, size } of services)
      keys.set(size, [...(keys.get(size) ?? []), ...(await typing(service))])
  const base = `http://127.0.0.1:${plain.port}`
  console.log(
    `a plain page: ${smooth(
      await visit({ base }, async (page) => {
        await page.goto("/")
        return scrollByWheel(page, 5_000)
      })
    )}`
  )
  for (const { service, size } of services) {
    const load = await firstLoad(service)
    const times = keys.get(size) ?? []
    console.log(
      `${size} links: first load ${(load.bytes / 1000).toFixed(1)} kB in all (app ${(load.app / 1000).toFixed(1)} kB), ` +
        `first paint ${ms(load.firstContentfulPaint)}, largest ${ms(load.largestContentfulPaint)}, ` +
        `layout shift ${load.cumulativeLayoutShift}, longest task ${ms(Math.max(0, ...load.longTasks))}; ` +
        `key to results p50 ${ms(median(times))}, p95 ${ms(percentile(times, 0.95))}; ` +
        `scrolling ${smooth(await scrolling(service))}`
    )
  }
  const scrolled = services.find(({ size }) => size === SCROLLED)
  if (scrolled !== undefined) {
    for (const layout of LAYOUTS)
      for (const slowdown of SLOWDOWNS)
        console.log(
          `${SCROLLED} links, ${layout}, ${slowdown}x: scrolling ${smooth(await scrolling(scrolled.service, layout, slowdown))}`
        )
    for (const slowdown of SLOWDOWNS) {
      const times = await opening(scrolled.service, slowdown)
      console.log(`details, ${slowdown}x: p50 ${ms(median(times))}, slowest ${ms(Math.max(...times))}`)
    }
    const { links, took } = await favoriteAll(scrolled.service)
    console.log(`favorite of ${links} selected links: ${ms(took)}`)
  }
  const [small, large] = [services.at(0), services.at(-1)].map((one) =>
    one === undefined ? undefined : median(keys.get(one.size) ?? [])
  )
  if (small !== undefined && large !== undefined)
    console.log(`key to results, large library / small: ${(large / small).toFixed(2)}`)
  for (const { service } of services) await service.stop()
  await (await browser()).close()
  await plain.stop(true)
}

export const dashboard = async () => {
  const folders: Array<readonly [number, string]> = []
  for (const size of SIZES) folders.push([size, (await makeLibrary(size)).folder])
  await dashboardOver(folders)
}
